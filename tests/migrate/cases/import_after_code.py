import sys

sys.path.insert(0, "/opt/vllm")

from vllm import _custom_ops as ops  # noqa: E402


def run(batch):
    ops.paged_attention_v1(*batch)
# output
import sys

sys.path.insert(0, "/opt/vllm")

from paged_attention_shim import paged_attention  # noqa: E402


def run(batch):
    paged_attention(*batch)
# findings
# 9:5 PAM102 safe
