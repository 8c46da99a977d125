import vllm_C
from vllm_volta import _volta_ops


def attend(batch):
    vllm_C.ops.paged_attention_v1(*batch)
    _volta_ops.paged_attention_v1(*batch)
