import triton
from vllm import _custom_ops as ops


def bench(batch):
    def run():
        ops.paged_attention_v1(*batch)  # expect: PAM102

    timer = lambda: ops.paged_attention_v1(*batch)  # expect: PAM102
    return triton.testing.do_bench(run), triton.testing.do_bench(timer)
