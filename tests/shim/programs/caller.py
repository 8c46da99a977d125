"""A caller whose lines are known, and that computes nothing of interest."""

import torch
from vllm import _custom_ops as ops

cache = torch.zeros(2, 1, 4, 16, 8, dtype=torch.float16)
out, query = torch.zeros(1, 1, 32, dtype=torch.float16), torch.zeros(1, 1, 32, dtype=torch.float16)
rest = (
    cache,
    torch.zeros(2, 1, 32, 16, dtype=torch.float16),
    1,
    1.0,
    torch.zeros(1, 1, dtype=torch.int32),
    torch.ones(1, dtype=torch.int32),
    16,
    1,
    None,
    "auto",
    torch.ones(1),
    torch.ones(1),
)
tail = (0, 0, 0, 64, 0)


def first() -> None:
    ops.paged_attention_v1(out, query, *rest)


class Layer:
    def second(self) -> None:
        ops.paged_attention_v2(out, out, out, out, query, *rest)

    def third(self) -> None:
        torch.ops._C.paged_attention_v1(out, query, *rest, *tail)


def both() -> None:
    ops.paged_attention_v1(out, query, *rest), ops.paged_attention_v1(out, query, *rest)
