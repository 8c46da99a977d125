from vllm import _custom_ops as ops


def run(pool, batches):
    return [pool.submit(ops.paged_attention_v1, *batch) for batch in batches]
# output
from paged_attention_shim import paged_attention


def run(pool, batches):
    return [pool.submit(paged_attention, *batch) for batch in batches]
# findings
# 5:25 PAM103 safe
