"""Paged attention for decoding: a few query tokens of every sequence over its cached keys and values."""

from __future__ import annotations

import os
from typing import Any

import torch

from paged_attention_kernels.arguments import Request, Sparsity, check_contents, checked
from paged_attention_kernels.backends import architecture_of, backend_for, on_device, overlaps
from paged_attention_kernels.formats import BITS_ARE_VALUE_TIMES, converts_in_hardware, largest_of
from paged_attention_kernels.plan import Plan, plan_for
from paged_attention_kernels.prepared import (
    Prepared,
    are_aligned,
    bucket,
    keep,
    known,
    launch_again,
    launched,
    signature_of,
)
from paged_attention_kernels.workspace import Workspace, launching, workspace_for

# Programs of the interpreter run one after the other; a few show every way in which work is cut.
_PROCESSORS_OF_THE_INTERPRETER = 4
# Every call asks, and the environment's own way to say that a variable is not there takes half a microsecond.
_VARIABLES: dict[Any, Any] = vars(os.environ)["_data"]
_CHECK, _YES = map(os.environ.encodekey, ("PAGED_ATTENTION_CHECK", "1"))


def paged_attention(  # noqa: PLR0913, PLR0917  # the signature of the removed function, and what came later
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
    alibi_slopes: torch.Tensor | None = None,
    kv_cache_dtype: str = "auto",
    k_scale: float | torch.Tensor | None = None,
    v_scale: float | torch.Tensor | None = None,
    tp_rank: int = 0,
    blocksparse_local_blocks: int = 0,
    blocksparse_vert_stride: int = 0,
    blocksparse_block_size: int = 64,
    blocksparse_head_sliding_step: int = 0,
    *,
    cache_layout: str = "legacy",
    sliding_window: int | None = None,
    softcap: float = 0.0,
    sinks: torch.Tensor | None = None,
    lse: torch.Tensor | None = None,
    query_start_loc: torch.Tensor | None = None,
    output_scale: float | torch.Tensor | None = None,
    backend: str | None = None,
) -> torch.Tensor:
    """Attention of the last tokens of every sequence over its cache; gives `out`.

    Shapes, with x = 16 / element size of the cache:

    * `query`, `out`: [num_tokens, num_heads, head_size], float16, bfloat16 or float32; None as `out` makes a new one.
    * `key_cache`: [num_blocks, num_kv_heads, head_size / x, block_size, x] and
      `value_cache`: [num_blocks, num_kv_heads, head_size, block_size] for `cache_layout="legacy"`;
      both [num_blocks, block_size, num_kv_heads, head_size] for "NHD",
      [num_blocks, num_kv_heads, block_size, head_size] for "HND".
      Blocks and heads (NHD, HND: tokens, too) may lie apart, and differently in the two.
    * `block_tables`: [num_seqs, pages] and `seq_lens`: [num_seqs], int32; int64 costs a copy each.
      Entries past a sequence's end are never read, and an entry outside the cache reads one of its blocks instead.

    Without `query_start_loc` each sequence has one query token, its last. With it ([num_seqs + 1]), sequence i has the
    query tokens from `query_start_loc[i]` up to `query_start_loc[i + 1]`, its last ones, each of which sees the keys up
    to itself; rows of `out` for tokens of no sequence stay as they are.

    A score is `scale * (query . key)`, then `softcap * tanh(score / softcap)` if `softcap` is positive,
    then plus `alibi_slopes[head] * (position of the key - position of the query)`. `sliding_window` counts the keys
    that a token sees, itself included. `sinks` [num_heads] are logits that only add to the denominator.
    `blocksparse_vert_stride` above 1 drops blocks of keys by the rule of vLLM 0.2.7 to 0.24.0.
    A token that sees no key (`seq_lens` 0) gets zeros.

    `kv_cache_dtype`: "auto" (also "float16", "bfloat16") for a cache of the query's type;
    "fp8" or "fp8_e4m3", "fp8_e5m2" for float8 or uint8 caches, whose elements times `k_scale` or `v_scale`
    (numbers, or tensors of one element on any device) are the keys and values.

    `lse`: float32 [num_tokens, num_heads], filled with the natural logarithm of each sum of exponentials,
    sinks included; -inf where nothing is seen. With it `merge_attention_states` puts parts together.
    `output_scale`: `out` is the result divided by it; meant for a float8 `out`, which saturates.
    `max_seq_len` may exceed the real lengths freely; nothing depends on it but how the work is cut.

    Nothing waits for the device, and what is launched depends on shapes alone, so that a CUDA graph of a call stays
    right when lengths and tables change. `backend` is "triton" or "torch"; None takes torch for CPU tensors.

    With PAGED_ATTENTION_CHECK=1 in the environment lengths and tables are checked, too, which waits for the device.
    Raises ValueError or TypeError that names the argument, before anything is launched, and RuntimeError for GPU
    tensors where Triton is not installed.
    """
    if torch.compiler.is_compiling():
        from paged_attention_kernels.compiled import in_graph

        return in_graph(
            out,
            query,
            key_cache=key_cache,
            value_cache=value_cache,
            num_kv_heads=num_kv_heads,
            scale=scale,
            block_tables=block_tables,
            seq_lens=seq_lens,
            block_size=block_size,
            max_seq_len=max_seq_len,
            alibi_slopes=alibi_slopes,
            kv_cache_dtype=kv_cache_dtype,
            k_scale=k_scale,
            v_scale=v_scale,
            tp_rank=tp_rank,
            blocksparse_local_blocks=blocksparse_local_blocks,
            blocksparse_vert_stride=blocksparse_vert_stride,
            blocksparse_block_size=blocksparse_block_size,
            blocksparse_head_sliding_step=blocksparse_head_sliding_step,
            cache_layout=cache_layout,
            sliding_window=sliding_window,
            softcap=softcap,
            sinks=sinks,
            lse=lse,
            query_start_loc=query_start_loc,
            output_scale=output_scale,
            backend=backend,
        )
    if out is None and output_scale is None and isinstance(query, torch.Tensor):
        out = torch.empty_like(query, memory_format=torch.contiguous_format)
    numbers = (
        num_kv_heads,
        scale,
        block_size,
        kv_cache_dtype,
        tp_rank,
        blocksparse_local_blocks,
        blocksparse_vert_stride,
        blocksparse_block_size,
        blocksparse_head_sliding_step,
        cache_layout,
        sliding_window,
        softcap,
        backend,
    )
    tensors = (alibi_slopes, k_scale, v_scale, sinks, lse, query_start_loc, output_scale)
    must_look = _VARIABLES.get(_CHECK) == _YES
    signature = None
    try:
        signature = signature_of(
            out, query, key_cache, value_cache, block_tables, seq_lens, max_seq_len, *tensors, numbers
        )  # fmt: skip
        prepared = None if must_look else known(signature)
    except (AttributeError, TypeError):
        prepared = None  # an argument of the wrong kind: the checks say which
    if (
        prepared is not None
        and out is not None
        and launch_again(prepared, out, query, key_cache, value_cache, block_tables, seq_lens, *tensors)
    ):
        return out
    sparsity = Sparsity(
        tp_rank,
        blocksparse_local_blocks,
        blocksparse_vert_stride,
        blocksparse_block_size,
        blocksparse_head_sliding_step,
    )
    request = checked(
        out,
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
        cache_layout,
        sliding_window,
        softcap,
        sinks,
        lse,
        query_start_loc,
        output_scale,
    )
    if must_look:
        check_contents(request)
    chosen = backend_for(backend, query.device, "query")
    if request.query.shape[0] == 0:
        return request.out
    if request.block_tables.shape[1] == 0 or request.geometry.num_blocks == 0:
        return _empty(request)
    if chosen == "torch":
        from paged_attention_kernels.cpu import attend

        attend(request)
        return request.out
    made = _launch(request, 1 << bucket(max_seq_len))
    given = (query, block_tables, seq_lens, *tensors)
    if made is not None and signature is not None and _is_as_given(request, given):
        keep(signature, made)
    return request.out


def _is_as_given(request: Request, given: tuple[Any, ...]) -> bool:
    """Whether the kernel read the very tensors of the call, and 16 bytes of them at once where it can."""
    query, block_tables, seq_lens, alibi_slopes, k_scale, v_scale, sinks, lse, query_start_loc, output_scale = given
    pairs = (
        (request.query, query),
        (request.block_tables, block_tables),
        (request.seq_lens, seq_lens),
        (request.alibi_slopes, alibi_slopes),
        (request.sinks, sinks),
        (request.lse, lse),
        (request.query_start_loc, query_start_loc),
    )
    scales = ((request.key_scale, k_scale), (request.value_scale, v_scale), (request.output_scale, output_scale))
    same = all(one is other for one, other in pairs)
    same = same and all(one is other for one, other in scales if isinstance(other, torch.Tensor))
    return same and are_aligned(request.out, query, request.key_cache, request.value_cache)


def _empty(request: Request) -> torch.Tensor:
    """The result where there is no key at all."""
    request.out.zero_()
    if request.lse is not None:
        if request.sinks is None:
            request.lse.fill_(float("-inf"))
        else:
            request.lse.copy_(request.sinks.expand(request.lse.shape))
    return request.out


def _launch(request: Request, max_seq_len: int) -> Prepared | None:
    """Launch a checked call, and give what the next one of its signature needs, if there is anything to launch."""
    from paged_attention_kernels.device.decode import decode
    from paged_attention_kernels.device.merge import merge

    query, geometry = request.query, request.geometry
    num_tokens, num_heads, head_size = query.shape
    num_seqs = request.seq_lens.shape[0]
    if num_seqs == 0:
        return None
    group = num_heads // geometry.num_kv_heads
    plan = plan_for(
        num_seqs=num_seqs,
        num_tokens=num_tokens,
        num_kv_heads=geometry.num_kv_heads,
        group=group,
        head_size=head_size,
        block_size=geometry.block_size,
        element_size=request.key_cache.element_size(),
        processors=_processors(query.device),
        max_seq_len=max_seq_len,
        architecture=architecture_of(query.device),
    )
    slots, rows = 2 * plan.programs, group * plan.query_tile
    work = _shared(request, plan, group, num_seqs)
    merged = None
    overlapped = not plan.merge_here and overlaps(query.device)
    with launching, on_device(query.device):
        workspace = workspace_for(query.device, slots, rows, head_size, counts=plan.merge_here)
        arguments = {**work, **_of_decode(request, plan, workspace), "OVERLAPPED": overlapped}
        decoded = launched(decode, (plan.programs, 1, 1), arguments, plan.warps)
        if not plan.merge_here:
            arguments = {
                **work,
                "parts": workspace.parts,
                "parts_greatest": workspace.greatest,
                "parts_sum": workspace.sums,
                "programs": plan.programs,
                "PARTS": plan.parts,
                "OVERLAPPED": overlapped,
            }
            merged = launched(merge, (num_tokens, num_heads, 1), arguments, warps=4, overlapped=overlapped)
    stored = _as_stored(request)[0].dtype
    other = None if stored == request.key_cache.dtype else stored
    return Prepared(decoded, merged, query.device, slots, rows, head_size, other)


def _shared(request: Request, plan: Plan, group: int, num_seqs: int) -> dict[str, Any]:
    """What both kernels are given. An argument that is absent is any tensor: its flag says that it is not read."""
    query, geometry, absent = request.query, request.geometry, request.query
    value_factor = 1.0 if isinstance(request.value_scale, torch.Tensor) else request.value_scale
    output_scale = request.output_scale
    if output_scale is not None and not isinstance(output_scale, torch.Tensor):
        value_factor /= output_scale
    lse = request.lse
    return {
        "out": request.out,
        "lse": absent if lse is None else lse,
        "seq_lens": request.seq_lens,
        "query_start": absent if request.query_start_loc is None else request.query_start_loc,
        "sinks": absent if request.sinks is None else request.sinks,
        "value_scale": request.value_scale if isinstance(request.value_scale, torch.Tensor) else absent,
        "output_scale": output_scale if isinstance(output_scale, torch.Tensor) else absent,
        "num_seqs": num_seqs,
        "num_queries": query.shape[0],
        "max_tokens": request.block_tables.shape[1] * geometry.block_size,
        "value_factor": value_factor / _bits_factor(request),
        "out_token_stride": request.out.stride(0),
        "out_head_stride": request.out.stride(1),
        "lse_token_stride": 0 if lse is None else lse.stride(0),
        "lse_head_stride": 0 if lse is None else lse.stride(1),
        "KV_HEADS": geometry.num_kv_heads,
        "GROUP": group,
        "QUERY_TILE": plan.query_tile,
        "HEAD": query.shape[2],
        "HEAD_PADDED": plan.head_padded,
        "TILE": plan.tile,
        "MIN_TILES": plan.min_tiles,
        "SCAN": plan.scan,
        "WINDOW": request.sliding_window,
        "HAS_QUERY_START": request.query_start_loc is not None,
        "HAS_LSE": lse is not None,
        "HAS_SINKS": request.sinks is not None,
        "HAS_VALUE_SCALE": isinstance(request.value_scale, torch.Tensor),
        "HAS_OUTPUT_SCALE": isinstance(output_scale, torch.Tensor),
        "LARGEST": largest_of(request.out.dtype),
    }


def _of_decode(request: Request, plan: Plan, workspace: Workspace) -> dict[str, Any]:
    """What only the decode kernel is given."""
    from paged_attention_kernels.device import tiles

    query, geometry, sparsity = request.query, request.geometry, request.sparsity
    key_scale = request.key_scale
    key_cache, value_cache, kind = _as_stored(request)
    in_float8 = kind != tiles.PLAIN.value
    strides = (*geometry.key_strides, *geometry.value_strides)
    return {
        "query": query,
        "key_cache": key_cache,
        "value_cache": value_cache,
        "block_tables": request.block_tables,
        "alibi_slopes": query if request.alibi_slopes is None else request.alibi_slopes,
        "key_scale": key_scale if isinstance(key_scale, torch.Tensor) else query,
        "parts": workspace.parts,
        "parts_greatest": workspace.greatest,
        "parts_sum": workspace.sums,
        "arrived": workspace.arrived,
        "num_blocks": geometry.num_blocks,
        "softmax_scale": request.scale,
        "key_factor": (1.0 if isinstance(key_scale, torch.Tensor) else key_scale) / _bits_factor(request),
        "softcap": request.softcap,
        "tp_rank": sparsity.tp_rank,
        "sparse_local": sparsity.local_blocks,
        "sparse_stride": sparsity.vert_stride,
        "sparse_block": sparsity.block_size,
        "sparse_step": sparsity.head_sliding_step,
        "query_token_stride": query.stride(0),
        "query_head_stride": query.stride(1),
        "table_stride": request.block_tables.stride(0),
        "key_block_stride": geometry.key_strides[0],
        "key_head_stride": geometry.key_strides[1],
        "key_token_stride": geometry.key_strides[2],
        "value_block_stride": geometry.value_strides[0],
        "value_head_stride": geometry.value_strides[1],
        "value_token_stride": geometry.value_strides[2],
        "ROWS": plan.rows,
        "BLOCK": geometry.block_size,
        "PACK": geometry.pack,
        "STAGES": plan.stages,
        "LAYOUT": (tiles.LEGACY if request.layout == "legacy" else tiles.ROWS).value,
        "FORMAT": kind,
        "COMPUTE": _compute_type(query, in_float8),
        "ALIGNED": min(16, *(stride & -stride for stride in strides if stride)) if any(strides) else 16,
        "MERGE_HERE": plan.merge_here,
        "HAS_ALIBI": request.alibi_slopes is not None,
        "HAS_SOFTCAP": request.softcap > 0.0,
        "HAS_KEY_SCALE": isinstance(key_scale, torch.Tensor),
        "SPARSE": sparsity.vert_stride > 1,
        "RESCALE_QUERY": in_float8 and query.dtype == torch.bfloat16,
    }


def _as_stored(request: Request) -> tuple[torch.Tensor, torch.Tensor, int]:
    """The caches in the type that the kernel reads, and how it reads them."""
    from paged_attention_kernels.device import tiles

    float8 = request.float8
    key_cache, value_cache = request.key_cache, request.value_cache
    if float8 is None:
        return key_cache, value_cache, int(tiles.PLAIN.value)
    if converts_in_hardware(float8, request.query.device):
        return key_cache.view(float8), value_cache.view(float8), int(tiles.FLOAT8.value)
    bits = {
        torch.float8_e4m3fn: tiles.E4M3FN_BITS,
        torch.float8_e4m3fnuz: tiles.E4M3FNUZ_BITS,
        torch.float8_e5m2: tiles.E5M2_BITS,
        torch.float8_e5m2fnuz: tiles.E5M2FNUZ_BITS,
    }[float8]
    return key_cache.view(torch.uint8), value_cache.view(torch.uint8), int(bits.value)


def _bits_factor(request: Request) -> float:
    float8 = request.float8
    if float8 is None or converts_in_hardware(float8, request.query.device):
        return 1.0
    return BITS_ARE_VALUE_TIMES[float8]


def _compute_type(query: torch.Tensor, in_float8: bool) -> Any:
    """The type in which tiles are multiplied: every float8 is a float16, and its hardware conversion gives one."""
    import triton.language as tl

    if query.dtype == torch.float32 or (query.dtype == torch.bfloat16 and query.device.type == "cpu"):
        return tl.float32  # Triton's interpreter multiplies the bits of bfloat16
    if query.dtype == torch.float16 or in_float8:
        return tl.float16
    return tl.bfloat16


def _processors(device: torch.device) -> int:
    if device.type != "cuda":
        return _PROCESSORS_OF_THE_INTERPRETER
    return torch.cuda.get_device_properties(device).multi_processor_count
