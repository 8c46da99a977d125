from vllm import _custom_ops as vllm_ops


class Ops:
    @staticmethod
    def paged_attention_v2(out, exp_sum, max_logits, tmp_out, *rest):
        vllm_ops.paged_attention_v2(out, exp_sum, max_logits, tmp_out, *rest)


def attend(batch):
    Ops.paged_attention_v2(*batch)
# output
from paged_attention_shim import paged_attention


class Ops:
    @staticmethod
    def paged_attention_v2(out, exp_sum, max_logits, tmp_out, *rest):
        paged_attention(out, *rest)


def attend(batch):
    Ops.paged_attention_v2(*batch)
# findings
# 7:9 PAM102 safe
