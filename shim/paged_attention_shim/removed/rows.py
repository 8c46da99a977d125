"""The table: every removed name, where it was, what took its place."""

from __future__ import annotations

from paged_attention_shim.removed import parameters as lists
from paged_attention_shim.removed.records import OP, PYBIND, VALUE, WRAPPER, Generation, Home, RemovedName

_SURVIVOR = "paged_attention_shim.paged_attention"
_NEW_CLASS = "vllm.v1.attention.ops.paged_attn"

_ATTENTION_HOMES = (
    Home("vllm.attention_ops", "0.2.1", "0.2.2", PYBIND),
    Home("vllm._C.ops", "0.2.3", "0.4.3", PYBIND),
    Home("vllm._custom_ops", "0.4.1", "0.24.0", WRAPPER),
    Home("torch.ops._C", "0.5.0", "0.24.0", OP),
)
_ATTENTION_NOTES = (
    "the CPU build lost it in 0.11.1 already (#27954).",
    (
        "in 0.23.0 and 0.24.0 the op came from `vllm._C_stable_libtorch` (#43717); "
        "CUDA wheels have no `vllm._C` from 0.24.0 on (#45415)."
    ),
)

_ATTENTION = (
    RemovedName(
        "paged_attention_v1",
        _ATTENTION_HOMES,
        lists.V1,
        "attention",
        47361,
        _SURVIVOR,
        "Call paged_attention_shim.paged_attention with the same arguments.",
        notes=_ATTENTION_NOTES,
    ),
    RemovedName(
        "paged_attention_v2",
        _ATTENTION_HOMES,
        lists.with_scratch(lists.V1),
        "attention",
        47361,
        _SURVIVOR,
        "Call paged_attention_shim.paged_attention without exp_sum, max_logits and tmp_out.",
        scratch=lists.SCRATCH,
        notes=_ATTENTION_NOTES,
    ),
    RemovedName(
        "single_query_cached_kv_attention",
        (Home("vllm.attention_ops", "0.0.1", "0.2.0", PYBIND),),
        lists.SINGLE_QUERY,
        "attention",
        1348,
        _SURVIVOR,
        "Call paged_attention_shim.paged_attention with key_cache.shape[1], the KV heads, after the value cache.",
        notes=("it was renamed to paged_attention_v1 in 0.2.1, which is gone as well.",),
    ),
)

_OLD_MODULE = "vllm.attention.ops.paged_attn"
_OLD_CLASS = f"{_OLD_MODULE}.PagedAttention"
_MOVED = "Import from vllm.v1.attention.ops.paged_attn, where split_kv_cache and write_to_paged_cache are left."
_LAYER = "vllm.model_executor.layers.attention"


def _method(
    name: str, generations: tuple[Generation, ...], advice: str, replacement: str = "", last: str = "0.11.2"
) -> RemovedName:
    moved = replacement.startswith(_NEW_CLASS)
    home = Home(_OLD_CLASS, "0.4.0", last, WRAPPER)
    return RemovedName(
        name, (home,), generations, "helper", 31916 if moved else 28043, replacement, advice, moved=moved
    )


def _layer_class(name: str, first: str, last: str) -> RemovedName:
    home = Home(_LAYER, first, last, VALUE)
    advice = "Call paged_attention_shim.paged_attention where the layer's forward ran the decode."
    return RemovedName(name, (home,), (), "helper", None, "", advice)


_HELPERS = (
    _method(
        "forward_decode",
        lists.FORWARD_DECODE,
        "Call paged_attention_shim.paged_attention with None as out: it returns a new tensor, as forward_decode did.",
        _SURVIVOR,
    ),
    _method(
        "forward_prefix",
        lists.FORWARD_PREFIX,
        "Call chunked_prefill_paged_decode, which reads the same cache, with an output that you allocate.",
        "vllm.v1.attention.ops.chunked_prefill_paged_decode.chunked_prefill_paged_decode",
    ),
    _method(
        "get_kv_cache_shape",
        lists.CACHE_SHAPE,
        "Write the shape out: (2, num_blocks, block_size * num_kv_heads * head_size).",
    ),
    _method(
        "get_supported_head_sizes",
        lists.HEAD_SIZES,
        "Write the sizes out: 32, 64, 80, 96, 112, 120, 128, 192 and 256.",
    ),
    _method(
        "swap_blocks",
        lists.SWAP_BLOCKS,
        "Call vllm._custom_ops.swap_blocks once for the keys and once for the values.",
    ),
    _method(
        "copy_blocks",
        lists.COPY_BLOCKS,
        "Copy the blocks by indexing every layer's cache: kv_cache[:, to] = kv_cache[:, source].",
    ),
    _method(
        "split_kv_cache",
        lists.SPLIT_CACHE,
        _MOVED,
        f"{_NEW_CLASS}.PagedAttention.split_kv_cache",
        last="0.13.0",
    ),
    _method(
        "write_to_paged_cache",
        lists.WRITE_TO_CACHE,
        _MOVED,
        f"{_NEW_CLASS}.PagedAttention.write_to_paged_cache",
        last="0.13.0",
    )._replace(notes=("from 0.33.0 on it takes one more argument, interleaved_v.",)),
    RemovedName(
        "PagedAttention",
        (Home(_OLD_MODULE, "0.4.0", "0.13.0", VALUE),),
        (),
        "helper",
        31916,
        f"{_NEW_CLASS}.PagedAttention",
        _MOVED,
        moved=True,
    ),
    RemovedName(
        "PagedAttentionMetadata",
        (Home(_OLD_MODULE, "0.4.0", "0.11.2", VALUE),),
        (),
        "helper",
        28043,
        "",
        "Define a class of your own with the fields that you use: seq_lens_tensor, max_decode_seq_len, block_tables.",
    ),
    RemovedName(
        "_PARTITION_SIZE",
        (Home(_LAYER, "0.2.1", "0.3.3", VALUE), Home(_OLD_MODULE, "0.4.0", "0.11.2", VALUE)),
        (),
        "helper",
        28043,
        "",
        "Write 512 where you still need it: the surviving call takes no partitions.",
    ),
    _layer_class("PagedAttention", "0.0.1", "0.3.3"),
    _layer_class("PagedAttentionWithRoPE", "0.0.1", "0.2.2"),
    _layer_class("PagedAttentionWithALiBi", "0.1.2", "0.2.2"),
    RemovedName(
        "single_query_cached_kv_attention",
        (Home(f"{_LAYER}.PagedAttention", "0.0.1", "0.2.2", WRAPPER),),
        (),
        "helper",
        None,
        _SURVIVOR,
        "Call paged_attention_shim.paged_attention with the fields of the input metadata.",
    ),
    RemovedName(
        "_paged_attention",
        (Home(_LAYER, "0.2.3", "0.3.3", WRAPPER),),
        lists.LAYER_DECODE,
        "helper",
        None,
        _SURVIVOR,
        "Call paged_attention_shim.paged_attention with the fields of the input metadata.",
    ),
)

_IPEX_CLASS = "vllm._ipex_ops.ipex_ops"
_IPEX_NOTES = (
    'it took kv_cache_dtype "auto" only and ignored scales, scratch and block sparsity.',
    "its key cache was not packed: the kernel read it in the value cache's shape.",
)
_IPEX_ATTENTION = (
    "Call single_query_kv_attention of ipex.llm.modules.PagedAttention yourself: "
    "paged_attention_shim.paged_attention reads another cache layout."
)


def _ipex(
    name: str,
    generations: tuple[Generation, ...],
    advice: str,
    pull_request: int | None = 34111,
    scratch: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
) -> RemovedName:
    home = Home(_IPEX_CLASS, generations[0].first, generations[-1].last, WRAPPER)
    return RemovedName(name, (home,), generations, "ipex", pull_request, "", advice, scratch, notes)


_IPEX = (
    _ipex("paged_attention_v1", lists.IPEX_V1, _IPEX_ATTENTION, 33379, notes=_IPEX_NOTES),
    _ipex("paged_attention_v2", lists.with_scratch(lists.IPEX_V1), _IPEX_ATTENTION, 33379, lists.SCRATCH, _IPEX_NOTES),
    _ipex(
        "reshape_and_cache",
        lists.IPEX_WRITE,
        "Call reshape_and_cache of ipex.llm.modules.PagedAttention yourself.",
    ),
    _ipex(
        "reshape_and_cache_flash",
        lists.IPEX_WRITE_FLASH,
        "Call vllm._custom_ops.reshape_and_cache_flash.",
    ),
    _ipex("swap_blocks", lists.IPEX_SWAP_BLOCKS, "Copy the blocks by indexing: dst[to] = src[source]."),
    _ipex(
        "copy_blocks",
        lists.IPEX_COPY_BLOCKS,
        "Copy the blocks by indexing every layer's caches: key_cache[to] = key_cache[source].",
        None,
    ),
    RemovedName(
        "ipex_ops",
        (Home("vllm._ipex_ops", "0.5.1", "0.15.1", VALUE),),
        (),
        "ipex",
        34111,
        "",
        "Call intel_extension_for_pytorch yourself, or vllm._custom_ops for what both had.",
    ),
)


def _module(
    path: str, first: str, last: str, pull_request: int | None, replacement: str, advice: str, moved: bool = False
) -> RemovedName:
    parent, _, name = path.rpartition(".")
    home = Home(parent, first, last, VALUE)
    return RemovedName(name, (home,), (), "module", pull_request, replacement, advice, moved=moved)


_MODULES = (
    _module(
        "vllm.attention_ops",
        "0.0.1",
        "0.2.2",
        None,
        "paged_attention_shim",
        "Import paged_attention from paged_attention_shim.",
    ),
    _module(
        "vllm.cache_ops",
        "0.0.1",
        "0.2.2",
        None,
        "vllm._custom_ops",
        "Import the cache functions from vllm._custom_ops.",
    ),
    _module(
        "vllm._C.ops",
        "0.2.3",
        "0.4.3",
        5047,
        "vllm._custom_ops",
        "Import _custom_ops from vllm for what is left of it.",
    ),
    _module(
        "vllm._C.cache_ops",
        "0.2.3",
        "0.4.3",
        5047,
        "vllm._custom_ops",
        "Import the cache functions from vllm._custom_ops.",
    ),
    _module(
        _OLD_MODULE,
        "0.4.0",
        "0.13.0",
        31916,
        _NEW_CLASS,
        _MOVED,
        moved=True,
    ),
    _module(
        "vllm._ipex_ops",
        "0.5.1",
        "0.15.1",
        34111,
        "",
        "Call intel_extension_for_pytorch yourself, or vllm._custom_ops for what both had.",
    ),
)

REMOVED: tuple[RemovedName, ...] = (*_ATTENTION, *_HELPERS, *_IPEX, *_MODULES)
