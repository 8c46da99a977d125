"""What vLLM's removed `paged_attention_v2` left in its scratch buffers, for code that reads them after the call.

The kernel cut every sequence into partitions of 512 tokens and kept the softmax of each.
"""

from __future__ import annotations

from typing import NamedTuple

import torch

from paged_attention_kernels.arguments import Request, Sparsity, checked, is_on, is_tensor
from paged_attention_kernels.pages import MOST_ELEMENTS, gathered, seen

PARTITION_SIZE = 512
_LEAST = torch.finfo(torch.float32).min  # the logit of a token that block-sparse attention drops


def fill_partitions(  # noqa: PLR0913, PLR0917  # the signature of the removed function
    exp_sums: torch.Tensor,
    max_logits: torch.Tensor,
    tmp_out: torch.Tensor,
    query: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    num_kv_heads: int,
    scale: float,
    block_tables: torch.Tensor,
    seq_lens: torch.Tensor,
    block_size: int,
    max_seq_len: int,
    alibi_slopes: torch.Tensor | None = None,
    kv_cache_dtype: str = "auto",
    k_scale: float | torch.Tensor | None = None,
    v_scale: float | torch.Tensor | None = None,
    tp_rank: int = 0,
    blocksparse_local_blocks: int = 0,
    blocksparse_vert_stride: int = 0,
    blocksparse_block_size: int = 64,
    blocksparse_head_sliding_step: int = 0,
) -> None:
    """Fill the three scratch buffers of `paged_attention_v2` as vLLM 0.24.0 did; other arguments as in its call.

    With P = ceil(max_seq_len / 512) and partition p, the tokens from 512 * p up to 512 * (p + 1) of a sequence:

    * `max_logits`: float32 [num_seqs, num_heads, P], the greatest logit of the partition;
    * `exp_sums`: float32 [num_seqs, num_heads, P], its sum of exp(logit - greatest logit);
    * `tmp_out`: the query's type, [num_seqs, num_heads, P, head_size], the attention within the partition, whose
      denominator has 1e-6 added.

    A buffer is packed memory that starts at its first element, whatever its strides: one with more partitions than P
    is not read as its shape says. What lies past a sequence's last partition stays as it is. Where block-sparse
    attention drops a partition whole, `max_logits` is the least float32, `exp_sums` the number of tokens and `tmp_out`
    zero.

    Logits are those of the whole sequence, ALiBi included. Keys and values of a float8 cache are rounded to the query's
    type once they are scaled; sums are exact to float32, which those of the kernel were not.

    Nothing waits for the device, and what is launched depends on shapes and `max_seq_len` alone.
    Raises ValueError or TypeError that names the argument, before anything is written; a buffer with too little room
    is one, past which the kernel wrote.
    """
    sparsity = Sparsity(
        tp_rank,
        blocksparse_local_blocks,
        blocksparse_vert_stride,
        blocksparse_block_size,
        blocksparse_head_sliding_step,
    )
    request = checked(
        None,
        query,
        key_cache,
        value_cache,
        num_kv_heads,
        scale,
        block_tables,
        seq_lens,
        block_size,
        max_seq_len,
        alibi_slopes,
        kv_cache_dtype,
        k_scale,
        v_scale,
        sparsity,
        cache_layout="legacy",
        sliding_window=None,
        softcap=0.0,
        sinks=None,
        lse=None,
        query_start_loc=None,
        output_scale=None,
    )
    num_seqs, num_heads, head_size = query.shape
    partitions = -(-max_seq_len // PARTITION_SIZE)
    of_partitions = (num_seqs, num_heads, partitions)
    scratch = _Scratch(
        _packed("exp_sums", exp_sums, of_partitions, torch.float32, query.device),
        _packed("max_logits", max_logits, of_partitions, torch.float32, query.device),
        _packed("tmp_out", tmp_out, (*of_partitions, head_size), query.dtype, query.device),
    )
    if request.geometry.num_blocks == 0:
        return
    most_tokens = request.block_tables.shape[1] * block_size
    lengths = request.seq_lens.clamp(0, most_tokens)
    several = max(MOST_ELEMENTS // (PARTITION_SIZE * num_kv_heads * head_size), 1)
    for partition in range(min(partitions, -(-most_tokens // PARTITION_SIZE))):
        for first in range(0, num_seqs, several):
            _fill(request, lengths, scratch, partition, slice(first, first + several))


class _Scratch(NamedTuple):
    """The buffers as they are written: [num_seqs, num_heads, partitions], the last with head_size."""

    exp_sums: torch.Tensor
    max_logits: torch.Tensor
    tmp_out: torch.Tensor


def _packed(
    name: str, buffer: torch.Tensor, shape: tuple[int, ...], dtype: torch.dtype, device: torch.device
) -> torch.Tensor:
    """The memory of a buffer in the shape that is written there."""
    is_tensor(name, buffer)
    is_on(name, buffer, device)
    accepted = f"[num_seqs, num_heads, partitions{', head_size' if len(shape) == 4 else ''}], here {list(shape)},"
    if buffer.dtype != dtype:
        raise TypeError(f"{name} is {buffer.dtype}; {dtype} {accepted} is accepted")
    room = min(buffer.numel(), buffer.untyped_storage().nbytes() // buffer.element_size() - buffer.storage_offset())
    if buffer.dim() not in (1, len(shape)) or room < _elements(shape):
        raise ValueError(
            f"{name} has shape {list(buffer.shape)} and room for {room} elements; {accepted} is accepted, with "
            f"partitions of {PARTITION_SIZE} tokens up to max_seq_len: {_elements(shape)} elements or more"
        )
    strides = [_elements(shape[dimension + 1 :]) for dimension in range(len(shape))]
    return buffer.as_strided(shape, strides, buffer.storage_offset())


def _elements(shape: tuple[int, ...]) -> int:
    return torch.Size(shape).numel()


def _fill(request: Request, lengths: torch.Tensor, scratch: _Scratch, partition: int, rows: slice) -> None:
    """One partition of some sequences."""
    query, geometry = request.query[rows], request.geometry
    first = partition * PARTITION_SIZE
    pages = slice(first // geometry.block_size, (first + PARTITION_SIZE) // geometry.block_size)
    blocks = request.block_tables[rows, pages].long().clamp(0, geometry.num_blocks - 1)
    token = first + torch.arange(blocks.shape[1] * geometry.block_size, device=query.device)
    length = lengths[rows]
    position = length[:, None] - 1
    group = query.shape[1] // geometry.num_kv_heads
    # [sequence, KV head or 1, head of group or 1, key]
    kept = seen(request, token, position, group)[:, 0]
    # A dropped block was never read, and a slot past the end may hold NaN, which nothing multiplies away.
    unread = ~kept.any(dim=2).transpose(1, 2)[..., None]
    key = _scaled(request, request.key_cache, request.key_scale, blocks, is_key=True)
    value = _scaled(request, request.value_cache, request.value_scale, blocks, is_key=False).masked_fill(unread, 0.0)
    heads = query.to(key.dtype).reshape(query.shape[0], geometry.num_kv_heads, group, -1)
    logit = torch.einsum("bhgd,bthd->bhgt", heads, key) * request.scale
    if request.alibi_slopes is not None:
        logit = logit + request.alibi_slopes.view(-1, group, 1) * (token - position)[:, None, None, :]
    logit = logit.masked_fill(~kept, _LEAST)
    greatest = logit.amax(dim=-1)
    exponential = torch.exp(logit - greatest[..., None]).masked_fill((token > position)[:, None, None, :], 0.0)
    total = exponential.sum(dim=-1)
    weight = (exponential / (total[..., None] + 1e-6)).masked_fill(~kept, 0.0)
    begun = (length > first)[:, None]
    for buffer, result in (
        (scratch.exp_sums, total),
        (scratch.max_logits, greatest),
        (scratch.tmp_out, torch.einsum("bhgt,bthd->bhgd", weight, value)),
    ):
        there = buffer[rows, :, partition]
        written = begun if there.dim() == 2 else begun[..., None]
        there.copy_(torch.where(written, result.flatten(1, 2).to(there.dtype), there))


def _scaled(
    request: Request, cache: torch.Tensor, scale: float | torch.Tensor, blocks: torch.Tensor, *, is_key: bool
) -> torch.Tensor:
    """Keys or values of some pages [sequence, token, KV head, head_size] in the type in which they are multiplied.

    A product of float32 numbers may be one of TF32 if the program allows that, so they are multiplied as float64;
    those of the other types are exact either way.
    """
    dtype = request.query.dtype
    taken = gathered(request, cache, blocks, is_key=is_key)
    if request.float8 is not None:
        factor = scale.reshape(()) if isinstance(scale, torch.Tensor) else scale
        taken = (taken * factor).to(dtype)
    return taken.to(torch.float64 if dtype == torch.float32 else torch.float32)
