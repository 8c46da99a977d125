"""Sequences whose keys and values are known as plain tensors, put into paged caches, with the attention expected."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch

TOLERANCES = {torch.float32: 1e-6, torch.float16: 1e-3, torch.bfloat16: 5e-3}


class Paged(NamedTuple):
    """One batch: what a call is given, and the plain keys and values, [length, num_kv_heads, head_size] each."""

    query: torch.Tensor
    key_cache: torch.Tensor
    value_cache: torch.Tensor
    block_tables: torch.Tensor
    seq_lens: torch.Tensor
    keys: list[torch.Tensor]
    values: list[torch.Tensor]
    layout: str
    scale: float

    @property
    def num_kv_heads(self) -> int:
        return self.keys[0].shape[1] if self.keys else 1

    @property
    def block_size(self) -> int:
        return int(self.value_cache.shape[{"legacy": 3, "NHD": 1, "HND": 2}[self.layout]])

    def arguments(self, **more: Any) -> dict[str, Any]:
        """Keyword arguments of a call; the output, and the log-sum-exp if wanted, are full of NaN."""
        most = max([1, *self.seq_lens.tolist()])
        given = {
            "out": torch.full(self.query.shape, float("nan"), dtype=self.query.dtype),
            "query": self.query,
            "key_cache": self.key_cache,
            "value_cache": self.value_cache,
            "num_kv_heads": self.num_kv_heads,
            "scale": self.scale,
            "block_tables": self.block_tables,
            "seq_lens": self.seq_lens,
            "block_size": self.block_size,
            "max_seq_len": most,
            "cache_layout": self.layout,
        }
        return given | more


def paged(  # noqa: PLR0913  # keywords only
    lengths: list[int],
    *,
    num_heads: int = 4,
    num_kv_heads: int = 2,
    head_size: int = 32,
    block_size: int = 16,
    dtype: torch.dtype = torch.float32,
    layout: str = "legacy",
    stored: torch.dtype | None = None,
    num_tokens: int | None = None,
    seed: int = 0,
) -> Paged:
    """A batch of random normal queries, keys and values.

    Scores spread over a few units, so that a wrong key changes the output far beyond rounding. Blocks are shuffled,
    slots that hold no token are NaN, and entries of the tables past a sequence's end lie outside the cache.
    `stored` is the cache's type, a float8 for example; keys and values are what it can hold.
    """
    random = torch.Generator().manual_seed(seed)
    stored = stored or dtype

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=random).to(stored)

    keys = [normal(length, num_kv_heads, head_size) for length in lengths]
    values = [normal(length, num_kv_heads, head_size) for length in lengths]
    pages = [-(-length // block_size) for length in lengths]
    num_blocks = sum(pages) + 3
    blocks = torch.randperm(num_blocks, generator=random).tolist()
    tables = torch.full((len(lengths), max([0, *pages]) + 2), num_blocks + 1000, dtype=torch.int32)
    tables[:, -1] = -7
    key_rows = torch.full((num_blocks, block_size, num_kv_heads, head_size), float("nan")).to(stored)
    value_rows = key_rows.clone()
    for sequence, (key, value) in enumerate(zip(keys, values, strict=True)):
        for page in range(pages[sequence]):
            tables[sequence, page] = block = blocks.pop()
            held = slice(page * block_size, min((page + 1) * block_size, lengths[sequence]))
            there = held.stop - held.start
            _bytes(key_rows)[block, :there] = _bytes(key)[held]
            _bytes(value_rows)[block, :there] = _bytes(value)[held]
    query = torch.randn(len(lengths) if num_tokens is None else num_tokens, num_heads, head_size, generator=random)
    return Paged(
        query.to(dtype),
        in_layout(key_rows, layout, is_key=True),
        in_layout(value_rows, layout, is_key=False),
        tables,
        torch.tensor(lengths, dtype=torch.int32),
        keys,
        values,
        layout,
        1.3 / math.sqrt(head_size),
    )


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    """Indexing knows no float8."""
    return tensor.view(torch.uint8) if tensor.element_size() == 1 else tensor


def in_layout(rows: torch.Tensor, layout: str, *, is_key: bool) -> torch.Tensor:
    """A cache given as [num_blocks, block_size, num_kv_heads, head_size] in one of the layouts."""
    if layout == "NHD":
        return rows
    if layout == "HND":
        return _bytes(rows).transpose(1, 2).contiguous().view(rows.dtype)
    if not is_key:
        return _bytes(rows).permute(0, 2, 3, 1).contiguous().view(rows.dtype)
    pack = 16 // rows.element_size()
    packs = _bytes(rows).view(*rows.shape[:3], -1, pack)
    return packs.permute(0, 2, 3, 1, 4).contiguous().view(rows.dtype)


def expected(  # noqa: PLR0913  # keywords only
    batch: Paged,
    *,
    query_start_loc: list[int] | None = None,
    alibi_slopes: torch.Tensor | None = None,
    softcap: float = 0.0,
    sinks: torch.Tensor | None = None,
    sliding_window: int | None = None,
    k_scale: float = 1.0,
    v_scale: float = 1.0,
    sparse: tuple[int, int, int, int, int] | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Output and log-sum-exp in float64, one query token and one head at a time, from the plain keys and values.

    `sparse` is (tp_rank, local_blocks, vert_stride, block_size, head_sliding_step).
    """
    num_tokens, num_heads, _ = batch.query.shape
    group = num_heads // batch.num_kv_heads
    out = torch.zeros(batch.query.shape, dtype=torch.float64)
    lse = torch.full((num_tokens, num_heads), float("-inf"), dtype=torch.float64)
    starts = query_start_loc or list(range(num_tokens + 1))
    for sequence, (key, value) in enumerate(zip(batch.keys, batch.values, strict=True)):
        first, last = starts[sequence], starts[sequence + 1]
        for token in range(first, last):
            position = key.shape[0] - last + token
            for head in range(num_heads):
                seen = [
                    index
                    for index in range(position + 1)
                    if sliding_window is None or index > position - sliding_window
                    if sparse is None or _keeps(batch, sparse, head, index, position)
                ]
                logits = batch.query[token, head].double() @ key[seen, head // group].float().double().mT
                logits = logits * (batch.scale * k_scale)
                if softcap:
                    logits = softcap * torch.tanh(logits / softcap)
                if alibi_slopes is not None:
                    logits = logits + alibi_slopes[head].double() * (torch.tensor(seen) - position)
                every = logits if sinks is None else torch.cat([logits, sinks[head].double().view(1)])
                if not every.numel():
                    continue
                lse[token, head] = torch.logsumexp(every, 0)
                weights = torch.exp(logits - lse[token, head])
                out[token, head] = weights @ (value[seen, head // group].float().double() * v_scale)
    return out, lse


def _keeps(batch: Paged, sparse: tuple[int, int, int, int, int], head: int, index: int, position: int) -> bool:
    tp_rank, local_blocks, vert_stride, block_size, step = sparse
    num_heads, num_kv_heads = batch.query.shape[1], batch.num_kv_heads
    if step >= 0:
        offset = (tp_rank * num_heads + head) * step + 1
    else:
        offset = (tp_rank * num_kv_heads + head // (num_heads // num_kv_heads)) * -step + 1
    key_block = index // batch.block_size * batch.block_size // block_size
    return (key_block + offset) % vert_stride == 0 or key_block > position // block_size - local_blocks


def distance(got: torch.Tensor, wanted: torch.Tensor) -> float:
    """Norm of the difference over the norm of what is wanted; NaN where the infinities are not the same ones."""
    got, wanted = got.double(), wanted.double()
    finite = torch.isfinite(wanted)
    if not torch.equal(got[~finite], wanted[~finite]):
        return float("nan")
    difference = (got[finite] - wanted[finite]).norm()
    return float(difference / wanted[finite].norm().clamp(min=1e-30)) if difference > 0 else float(difference)
