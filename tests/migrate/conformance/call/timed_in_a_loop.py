import contextlib
import time

from vllm import _custom_ops as ops


def bench(batch, profiler, rounds=100):
    with profiler or contextlib.nullcontext():
        start = time.perf_counter()
        for _ in range(rounds):
            ops.paged_attention_v1(*batch)  # expect: PAM102
        return (time.perf_counter() - start) / rounds
