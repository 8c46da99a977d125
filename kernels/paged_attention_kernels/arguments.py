"""The arguments of paged attention, checked before anything is launched."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch

from paged_attention_kernels.formats import BITS_ARE_VALUE_TIMES, float8_of
from paged_attention_kernels.layouts import BLOCK_SIZES, Geometry, geometry_of

QUERY_TYPES = (torch.float16, torch.bfloat16, torch.float32)
_LARGEST_HEAD = 256
_LENGTHS = (torch.int32, torch.int64)
_FLOAT8 = tuple(BITS_ARE_VALUE_TIMES)


class Sparsity(NamedTuple):
    """Block-sparse attention; `vert_stride` up to 1 is dense."""

    tp_rank: int
    local_blocks: int
    vert_stride: int
    block_size: int
    head_sliding_step: int


class Request(NamedTuple):
    """One checked call; lengths and tables are int32, and a scale is a number or a float32 tensor on the device.

    query, out [num_tokens, num_heads, head_size]; lse, if wanted, float32 [num_tokens, num_heads];
    block_tables [num_seqs, pages]; seq_lens [num_seqs]; query_start_loc, if given, [num_seqs + 1].
    """

    out: torch.Tensor
    query: torch.Tensor
    key_cache: torch.Tensor
    value_cache: torch.Tensor
    geometry: Geometry
    float8: torch.dtype | None
    layout: str
    scale: float
    block_tables: torch.Tensor
    seq_lens: torch.Tensor
    query_start_loc: torch.Tensor | None
    alibi_slopes: torch.Tensor | None
    sinks: torch.Tensor | None
    key_scale: float | torch.Tensor
    value_scale: float | torch.Tensor
    output_scale: float | torch.Tensor | None
    sparsity: Sparsity
    sliding_window: int
    softcap: float
    lse: torch.Tensor | None


def checked(  # noqa: C901, PLR0913, PLR0917  # one guard an argument, in the order of the signature
    out: torch.Tensor | None,
    query: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    num_kv_heads: int,
    scale: float,
    block_tables: torch.Tensor,
    seq_lens: torch.Tensor,
    block_size: int,
    max_seq_len: int,
    alibi_slopes: torch.Tensor | None,
    kv_cache_dtype: str,
    k_scale: float | torch.Tensor | None,
    v_scale: float | torch.Tensor | None,
    sparsity: Sparsity,
    cache_layout: str,
    sliding_window: int | None,
    softcap: float,
    sinks: torch.Tensor | None,
    lse: torch.Tensor | None,
    query_start_loc: torch.Tensor | None,
    output_scale: float | torch.Tensor | None,
) -> Request:
    """The request that these arguments make; raises ValueError or TypeError, naming the argument."""
    is_tensor("query", query)
    device = query.device
    for name, tensor in (("key_cache", key_cache), ("value_cache", value_cache), ("block_tables", block_tables)):
        is_tensor(name, tensor)
        is_on(name, tensor, device)
    is_tensor("seq_lens", seq_lens)
    is_on("seq_lens", seq_lens, device)
    if query.dim() != 3:
        raise ValueError(f"query has shape {list(query.shape)}; [num_tokens, num_heads, head_size] is accepted")
    if query.dtype not in QUERY_TYPES:
        raise TypeError(f"query is {query.dtype}; float16, bfloat16 and float32 are accepted")
    if torch.is_grad_enabled() and any(each.requires_grad for each in (query, key_cache, value_cache)):
        raise ValueError(
            "query or a cache requires grad, and this function has no gradient: call it in torch.no_grad()"
        )
    geometry = geometry_of(key_cache, value_cache, cache_layout)
    float8 = float8_of(kv_cache_dtype, query, key_cache, value_cache, "query")
    num_tokens, num_heads, head_size = query.shape
    _sizes(geometry, num_heads, head_size, num_kv_heads, block_size, cache_layout)
    if not _is_number(scale) or not math.isfinite(scale):
        raise TypeError(f"scale is {scale!r}; a finite number is accepted, usually head_size ** -0.5")
    if not _is_count(max_seq_len, 0):
        raise ValueError(f"max_seq_len is {max_seq_len!r}; an int of 0 or more is accepted")
    num_seqs = num_tokens
    if query_start_loc is not None:
        _integers("query_start_loc", query_start_loc, device, 1)
        num_seqs = query_start_loc.shape[0] - 1
        if num_seqs < 0:
            raise ValueError("query_start_loc is empty; [num_seqs + 1] entries are accepted")
    _integers("seq_lens", seq_lens, device, 1)
    if seq_lens.shape[0] != num_seqs:
        raise ValueError(f"seq_lens has {seq_lens.shape[0]} entries; {num_seqs} are accepted, one a sequence")
    _integers("block_tables", block_tables, device, 2)
    if block_tables.shape[0] != num_seqs:
        raise ValueError(f"block_tables has {block_tables.shape[0]} rows; {num_seqs} are accepted, one a sequence")
    if not _is_number(softcap) or not math.isfinite(softcap) or softcap < 0.0:
        raise ValueError(f"softcap is {softcap!r}; 0.0 (none) or a positive number is accepted")
    if sliding_window is not None and not _is_count(sliding_window, 1):
        raise ValueError(f"sliding_window is {sliding_window!r}; None or a number of tokens from 1 on is accepted")
    _check_sparsity(sparsity)
    return Request(
        _output(out, query, output_scale),
        query if query.stride(2) == 1 else query.contiguous(),
        key_cache,
        value_cache,
        geometry,
        float8,
        cache_layout,
        float(scale),
        _as_int32(block_tables),
        _as_int32(seq_lens),
        None if query_start_loc is None else _as_int32(query_start_loc),
        _of_heads("alibi_slopes", alibi_slopes, num_heads, device),
        _of_heads("sinks", sinks, num_heads, device),
        scale_of("k_scale", k_scale, device),
        scale_of("v_scale", v_scale, device),
        None if output_scale is None else scale_of("output_scale", output_scale, device),
        sparsity,
        sliding_window or 0,
        float(softcap),
        _log_sum_exp(lse, query),
    )


def check_contents(request: Request) -> None:
    """Look into lengths and tables, which waits for the device; raises ValueError that names the entry."""
    block_size, num_blocks = request.geometry.block_size, request.geometry.num_blocks
    most = request.block_tables.shape[1] * block_size
    lengths = request.seq_lens.tolist()
    for sequence, length in enumerate(lengths):
        if not 0 <= length <= most:
            raise ValueError(
                f"seq_lens[{sequence}] is {length}; 0 to {most}, what block_tables has room for, is accepted"
            )
    for sequence, (row, length) in enumerate(zip(request.block_tables.tolist(), lengths, strict=True)):
        for page, block in enumerate(row[: -(-length // block_size)]):
            if not 0 <= block < num_blocks:
                raise ValueError(
                    f"block_tables[{sequence}, {page}] is {block}; 0 to {num_blocks - 1}, blocks of key_cache, "
                    "are accepted"
                )
    if request.query_start_loc is None:
        return
    starts = request.query_start_loc.tolist()
    if starts[0] != 0 or starts[-1] != request.query.shape[0] or starts != sorted(starts):
        raise ValueError(
            f"query_start_loc is {starts}; entries that never fall, from 0 to num_tokens, here "
            f"{request.query.shape[0]}, are accepted"
        )


def _sizes(
    geometry: Geometry, num_heads: int, head_size: int, num_kv_heads: int, block_size: int, cache_layout: str
) -> None:
    if head_size != geometry.head_size:
        raise ValueError(f"query has head_size {head_size} and key_cache {geometry.head_size}; they must be the same")
    if head_size % 8 or not 8 <= head_size <= _LARGEST_HEAD:
        raise ValueError(f"query has head_size {head_size}; multiples of 8 from 8 to {_LARGEST_HEAD} are accepted")
    if num_kv_heads != geometry.num_kv_heads:
        raise ValueError(
            f"num_kv_heads is {num_kv_heads!r} and key_cache ({cache_layout}) has {geometry.num_kv_heads} KV heads; "
            "they must be the same"
        )
    if num_kv_heads < 1 or num_heads % num_kv_heads:
        raise ValueError(f"query has {num_heads} heads; a multiple of num_kv_heads, here {num_kv_heads}, is accepted")
    if block_size != geometry.block_size:
        raise ValueError(
            f"block_size is {block_size!r} and key_cache ({cache_layout}) has blocks of {geometry.block_size} tokens; "
            "they must be the same"
        )
    if block_size not in BLOCK_SIZES:
        raise ValueError(f"block_size is {block_size}; {', '.join(map(str, BLOCK_SIZES))} are accepted")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _check_sparsity(sparsity: Sparsity) -> None:
    counts = (
        ("tp_rank", sparsity.tp_rank),
        ("blocksparse_local_blocks", sparsity.local_blocks),
        ("blocksparse_vert_stride", sparsity.vert_stride),
    )
    for name, value in counts:
        if not _is_count(value, 0):
            raise ValueError(f"{name} is {value!r}; an int of 0 or more is accepted")
    if not isinstance(sparsity.head_sliding_step, int):
        raise TypeError(f"blocksparse_head_sliding_step is {sparsity.head_sliding_step!r}; an int is accepted")
    if sparsity.vert_stride > 1 and not _is_count(sparsity.block_size, 1):
        raise ValueError(f"blocksparse_block_size is {sparsity.block_size!r}; an int of 1 or more is accepted")


def is_tensor(name: str, value: object) -> None:
    """Raise TypeError for what is no tensor."""
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"{name} is {type(value).__name__}; a tensor is accepted")


def is_on(name: str, tensor: torch.Tensor, device: torch.device) -> None:
    """Raise ValueError for a tensor that is not where the query is."""
    if tensor.device != device:
        raise ValueError(f"{name} is on {tensor.device} and query on {device}; they must be on the same device")


def _integers(name: str, tensor: torch.Tensor, device: torch.device, dimensions: int) -> None:
    is_tensor(name, tensor)
    is_on(name, tensor, device)
    if tensor.dim() != dimensions:
        raise ValueError(f"{name} has shape {list(tensor.shape)}; {dimensions} dimensions are accepted")
    if tensor.dtype not in _LENGTHS:
        raise TypeError(f"{name} is {tensor.dtype}; int32 is accepted, and int64 at the cost of a copy")


def _as_int32(tensor: torch.Tensor) -> torch.Tensor:
    tensor = tensor if tensor.dtype == torch.int32 else tensor.to(torch.int32)
    return tensor if tensor.stride(-1) == 1 or tensor.shape[-1] <= 1 else tensor.contiguous()


def _of_heads(name: str, tensor: torch.Tensor | None, num_heads: int, device: torch.device) -> torch.Tensor | None:
    if tensor is None:
        return None
    is_tensor(name, tensor)
    is_on(name, tensor, device)
    if tuple(tensor.shape) != (num_heads,):
        raise ValueError(f"{name} has shape {list(tensor.shape)}; [{num_heads}] is accepted, one a query head")
    if not tensor.dtype.is_floating_point:
        raise TypeError(f"{name} is {tensor.dtype}; a floating-point type is accepted")
    return tensor.to(torch.float32).contiguous()


def scale_of(name: str, scale: float | torch.Tensor | None, device: torch.device) -> float | torch.Tensor:
    """A scale as a number, or as a float32 tensor on the device; a tensor on the CPU is read, which costs no sync."""
    if scale is None:
        return 1.0
    if isinstance(scale, torch.Tensor):
        if scale.numel() != 1:
            raise ValueError(f"{name} has {scale.numel()} elements; a number or a tensor of one element is accepted")
        if not scale.dtype.is_floating_point:
            raise TypeError(f"{name} is {scale.dtype}; a floating-point type is accepted")
        if scale.device.type == "cpu":
            return float(scale.detach())
        return scale.to(device=device, dtype=torch.float32)
    if not _is_number(scale):
        raise TypeError(f"{name} is {type(scale).__name__}; a number or a tensor of one element is accepted")
    return float(scale)


def _output(out: torch.Tensor | None, query: torch.Tensor, output_scale: float | torch.Tensor | None) -> torch.Tensor:
    if out is None:
        if output_scale is not None:
            raise ValueError("output_scale is given and out is None; pass a float8 tensor as out")
        return torch.empty(query.shape, dtype=query.dtype, device=query.device)
    is_tensor("out", out)
    is_on("out", out, query.device)
    if out.shape != query.shape:
        raise ValueError(f"out has shape {list(out.shape)}; {list(query.shape)}, as query, is accepted")
    if output_scale is None and out.dtype != query.dtype:
        raise TypeError(f"out is {out.dtype} and query {query.dtype}; they must be the same without output_scale")
    if output_scale is not None and out.dtype not in (query.dtype, *_FLOAT8):
        raise TypeError(f"out is {out.dtype}; with output_scale a float8 type or {query.dtype} is accepted")
    if out.stride(2) != 1:
        raise ValueError(f"out has stride {out.stride(2)} in its last dimension; 1 is accepted")
    return out


def _log_sum_exp(lse: torch.Tensor | None, query: torch.Tensor) -> torch.Tensor | None:
    if lse is None:
        return None
    is_tensor("lse", lse)
    is_on("lse", lse, query.device)
    if lse.shape != query.shape[:2]:
        raise ValueError(f"lse has shape {list(lse.shape)}; {list(query.shape[:2])}, tokens and heads, is accepted")
    if lse.dtype != torch.float32:
        raise TypeError(f"lse is {lse.dtype}; float32 is accepted")
    return lse
