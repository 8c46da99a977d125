"""Kernels of other projects, as far as this Python has them, on the same keys and values in the layout that they read.

FlashAttention 3 and the Triton kernel of vLLM come from an installed vLLM, FlashInfer's from flashinfer-python, the
removed kernels from a vLLM before 0.25.0. What a serving engine does once a step for all layers, like FlashInfer's plan
and the metadata of FlashAttention's scheduler, is done before and not timed.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from attention_check import Inputs
from paged_attention_kernels import convert_layout

Calls = list[Callable[[], object]]
_SPLITS = 32
_PARTITION = 512


class Batch(NamedTuple):
    """What a peer is called with: caches in NHD, block tables of every call, and the host's view of lengths."""

    given: Inputs
    more: dict[str, Any]
    tables: list[torch.Tensor]
    lengths: list[int]
    key_cache: torch.Tensor
    value_cache: torch.Tensor
    out: torch.Tensor

    @property
    def starts(self) -> torch.Tensor:
        """First query token of every sequence."""
        steps = self.more.get("query_start_loc")
        return steps if steps is not None else torch.arange(len(self.lengths) + 1, device="cuda", dtype=torch.int32)

    @property
    def longest(self) -> int:
        """The max_seq_len of the call."""
        return int(self.more.get("max_seq_len", max(self.lengths)))

    @property
    def window(self) -> int:
        """Keys to the left of a token that it sees; -1 for all."""
        return int(self.more.get("sliding_window", 0)) - 1 if "sliding_window" in self.more else -1


def batch_of(given: Inputs, more: dict[str, Any], tables: list[torch.Tensor], lengths: list[int]) -> Batch:
    """The batch with its caches in NHD."""
    layout = given.keywords["cache_layout"]
    caches = (given.key_cache, given.value_cache)
    if layout != "NHD":
        caches = convert_layout(*caches, layout, "NHD")
    return Batch(given, more, tables, lengths, *caches, torch.full_like(given.query, float("nan")))


def flash_attention_3(batch: Batch) -> Calls:
    """FlashAttention 3 as vLLM builds it."""
    flash = importlib.import_module("vllm.vllm_flash_attn")
    if not flash.FA3_AVAILABLE or "alibi_slopes" in batch.more or "kv_cache_dtype" in batch.given.keywords:
        return []
    query, starts = batch.given.query, batch.starts
    most_queries = query.shape[0] // len(batch.lengths)
    window = (batch.window, 0 if batch.window >= 0 else -1)
    metadata = flash.get_scheduler_metadata(
        len(batch.lengths), most_queries, batch.longest, query.shape[1], batch.key_cache.shape[2], query.shape[2],
        batch.given.seq_lens, qkv_dtype=query.dtype, cu_seqlens_q=starts, page_size=batch.key_cache.shape[1],
        causal=True, window_size=window, num_splits=_SPLITS,
    )  # fmt: skip

    def attend(table: torch.Tensor) -> Callable[[], object]:
        return lambda: flash.flash_attn_varlen_func(
            query, batch.key_cache, batch.value_cache, most_queries, starts, batch.longest,
            seqused_k=batch.given.seq_lens, softmax_scale=query.shape[2] ** -0.5, causal=True,
            window_size=list(window), block_table=table, out=batch.out, scheduler_metadata=metadata,
            num_splits=_SPLITS, fa_version=3,
        )  # fmt: skip

    return [attend(table) for table in batch.tables]


def flashinfer(batch: Batch) -> Calls:
    """FlashInfer's decode on tensor cores."""
    library = importlib.import_module("flashinfer")
    if batch.more.keys() & {"alibi_slopes", "query_start_loc"} or batch.given.query.dtype == torch.float32:
        return []
    query, block = batch.given.query, batch.key_cache.shape[1]
    pages = [-(-length // block) for length in batch.lengths]
    ends = torch.tensor([0, *pages], dtype=torch.int32).cumsum(0).int()
    last = torch.tensor([(length - 1) % block + 1 for length in batch.lengths], dtype=torch.int32)
    workspace = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    scales: dict[str, Any] = {}
    if "kv_cache_dtype" in batch.given.keywords:
        scales = {"k_scale": 0.5, "v_scale": 1.5}
    wrapper = library.BatchDecodeWithPagedKVCacheWrapper(workspace, "NHD", use_tensor_cores=True)
    indices = [torch.cat([row[:count] for row, count in zip(table, pages, strict=True)]) for table in batch.tables]
    wrapper.plan(
        ends.cuda(), indices[0], last.cuda(), query.shape[1], batch.key_cache.shape[2], query.shape[2], block,
        q_data_type=query.dtype, kv_data_type=batch.key_cache.dtype, window_left=batch.window,
        sm_scale=query.shape[2] ** -0.5,
    )  # fmt: skip

    def attend(of_call: torch.Tensor) -> Callable[[], object]:
        def run() -> object:
            # A plan depends on lengths alone, but a wrapper has no call that takes other indices.
            wrapper._paged_kv_indices_buf = of_call  # noqa: SLF001
            return wrapper.run(query, (batch.key_cache, batch.value_cache), out=batch.out, **scales)

        return run

    return [attend(each) for each in indices]


def unified(batch: Batch) -> Calls:
    """The Triton kernel of vLLM."""
    kernel = importlib.import_module("vllm.v1.attention.ops.triton_unified_attention").unified_attention
    query, starts = batch.given.query, batch.starts
    most_queries = query.shape[0] // len(batch.lengths)
    scale = torch.ones(len(batch.lengths), batch.key_cache.shape[2], device="cuda")
    key_scale, value_scale = (scale * 0.5, scale * 1.5) if "kv_cache_dtype" in batch.given.keywords else (None, None)
    segments = 16
    rows = (query.shape[0], query.shape[1], segments)
    partial = torch.empty(*rows, 1 << (query.shape[2] - 1).bit_length(), device="cuda")
    greatest, sums = torch.empty(rows, device="cuda"), torch.empty(rows, device="cuda")

    def attend(table: torch.Tensor) -> Callable[[], object]:
        return lambda: kernel(
            query, batch.key_cache, batch.value_cache, batch.out, starts, most_queries, batch.given.seq_lens,
            batch.longest, query.shape[2] ** -0.5, True, (batch.window, 0 if batch.window >= 0 else -1), table, 0.0,
            None, key_scale, value_scale, 128 // batch.key_cache.shape[2], segments, partial, greatest, sums,
            alibi_slopes=batch.more.get("alibi_slopes"),
        )  # fmt: skip

    return [attend(table) for table in batch.tables]


def removed(batch: Batch) -> Calls:
    """`paged_attention_v1` or `paged_attention_v2`, whichever vLLM would have called."""
    operators = importlib.import_module("vllm._custom_ops")
    given, keywords = batch.given, batch.given.keywords
    beyond = {"query_start_loc", "sliding_window"}
    if keywords["cache_layout"] != "legacy" or batch.more.keys() & beyond:
        return []
    num_seqs, num_heads, head_size = given.query.shape
    block_size = given.value_cache.shape[3]
    partitions = -(-batch.longest // _PARTITION)
    one = torch.ones(1, device="cuda")
    shared = (given.query, given.key_cache, given.value_cache, given.value_cache.shape[1], head_size**-0.5)
    tail = (
        batch.more.get("alibi_slopes"), keywords.get("kv_cache_dtype", "auto"),
        keywords.get("k_scale", one), one * keywords.get("v_scale", 1.0),
    )  # fmt: skip
    sums = torch.empty(num_seqs, num_heads, partitions, device="cuda")
    partial = torch.empty(num_seqs, num_heads, partitions, head_size, dtype=given.query.dtype, device="cuda")
    greatest = torch.empty_like(sums)
    is_first = batch.longest <= 8192 and (partitions == 1 or num_seqs * num_heads > 512)
    name = "paged_attention_v1" if is_first else "paged_attention_v2"
    function = getattr(operators, name)
    scratch = () if is_first else (sums, greatest, partial)

    def attend(table: torch.Tensor) -> Callable[[], object]:
        lengths = (given.seq_lens, block_size, batch.longest)
        return lambda: function(batch.out, *scratch, *shared, table, *lengths, *tail)

    return [attend(table) for table in batch.tables]


PEERS: dict[str, tuple[str, Callable[[Batch], Calls]]] = {
    "FlashAttention 3": ("vllm.vllm_flash_attn", flash_attention_3),
    "FlashInfer": ("flashinfer", flashinfer),
    "vLLM unified": ("vllm.v1.attention.ops.triton_unified_attention", unified),
    "removed": ("vllm._custom_ops", removed),
}


def importable() -> dict[str, Callable[[Batch], Calls]]:
    """The peers whose modules are there; that one of them fails for a cell is said when it does."""
    found = {}
    for name, (module, made) in PEERS.items():
        try:
            importlib.import_module(module)
        except Exception as error:  # noqa: BLE001, PERF203  # a library that does not fit the card, say
            print(f"without {name}: {type(error).__name__}: {str(error)[:200]}", flush=True)
        else:
            found[name] = made
    return found
