"""What a GPU can read: one long array, and the pages of a cache by their table, with no arithmetic to speak of."""

from __future__ import annotations

from collections.abc import Callable

import torch
import triton
import triton.language as tl

_WIDTH = 4096


@triton.jit
def _read(source, sums, length, WIDTH: tl.constexpr):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, N803
    program = tl.program_id(0).to(tl.int64)
    step = tl.num_programs(0).to(tl.int64) * WIDTH
    total = tl.zeros([WIDTH], tl.float32)
    for first in tl.range(program * WIDTH, length, step, num_stages=4):
        total += tl.load(source + first + tl.arange(0, WIDTH))
    tl.store(sums + tl.program_id(0), tl.sum(total, 0))


@triton.jit
def _gather(keys, values, table, sums, pages, WIDTH: tl.constexpr):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, N803
    total = tl.zeros([WIDTH], tl.int32)
    for index in tl.range(tl.program_id(0), pages, tl.num_programs(0), num_stages=4):
        page = tl.load(table + index).to(tl.int64)
        total ^= tl.load(keys + page * WIDTH + tl.arange(0, WIDTH))
        total ^= tl.load(values + page * WIDTH + tl.arange(0, WIDTH))
    tl.store(sums + tl.program_id(0), tl.sum(total, 0))


def reader(num_bytes: int) -> Callable[[], object]:
    """Reads so many bytes once, in order; float32, so that nothing but loads and additions is done."""
    source = torch.randn(num_bytes // 4 // _WIDTH * _WIDTH, device="cuda")
    programs = 8 * torch.cuda.get_device_properties(0).multi_processor_count
    sums = torch.empty(programs, device="cuda")
    return lambda: _read[(programs,)](source, sums, source.numel(), WIDTH=_WIDTH, num_warps=8)


def gatherer(key_cache: torch.Tensor, value_cache: torch.Tensor, table: torch.Tensor) -> Callable[[], object] | None:
    """Reads the (page, head) slabs of a table; None for slabs that are no power of two of 32-bit words."""
    heads = key_cache.shape[1]
    words = key_cache.stride(1) * key_cache.element_size() // 4
    if words & (words - 1) or words < 128:
        return None
    slabs = (table.flatten().long()[:, None] * heads + torch.arange(heads, device=table.device)).flatten().int()
    keys, values = (each.view(torch.int32).flatten() for each in (key_cache, value_cache))
    programs = 16 * torch.cuda.get_device_properties(0).multi_processor_count
    sums = torch.empty(programs, dtype=torch.int32, device="cuda")
    return lambda: _gather[(programs,)](keys, values, slabs, sums, slabs.numel(), WIDTH=words, num_warps=2)
