"""The removed functions and classes, as names that say what became of them when they are used.

Made by `python -m paged_attention_shim.removed stubs` from the table of removed names.
"""

from __future__ import annotations

from typing import Any, NoReturn

from paged_attention_shim.gone import deprecated, error


@deprecated("Gone since vLLM 0.25.0. Call paged_attention_shim.paged_attention with the same arguments.")
def paged_attention_v1(*_: Any, **__: Any) -> NoReturn:
    """Gone since vLLM 0.25.0."""
    raise error("torch.ops._C.paged_attention_v1")


@deprecated("Gone since vLLM 0.25.0. Call paged_attention_shim.paged_attention without exp_sum, max_logits and tmp_out.")
def paged_attention_v2(*_: Any, **__: Any) -> NoReturn:
    """Gone since vLLM 0.25.0."""
    raise error("torch.ops._C.paged_attention_v2")


@deprecated("Gone since vLLM 0.2.1. Call paged_attention_shim.paged_attention with key_cache.shape[1], the KV heads, after the value cache.")
def single_query_cached_kv_attention(*_: Any, **__: Any) -> NoReturn:
    """Gone since vLLM 0.2.1."""
    raise error("vllm.attention_ops.single_query_cached_kv_attention")


@deprecated("Gone since vLLM 0.4.0. Call paged_attention_shim.paged_attention with the fields of the input metadata.")
def _paged_attention(*_: Any, **__: Any) -> NoReturn:
    """Gone since vLLM 0.4.0."""
    raise error("vllm.model_executor.layers.attention._paged_attention")


@deprecated("Gone since vLLM 0.14.0. Import from vllm.v1.attention.ops.paged_attn, where split_kv_cache and write_to_paged_cache are left.")
class PagedAttention:
    """Gone since vLLM 0.14.0."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise error("vllm.attention.ops.paged_attn.PagedAttention")

    @staticmethod
    @deprecated("Gone since vLLM 0.12.0. Call paged_attention_shim.paged_attention with None as out: it returns a new tensor, as forward_decode did.")
    def forward_decode(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.12.0."""
        raise error("vllm.attention.ops.paged_attn.PagedAttention.forward_decode")

    @staticmethod
    @deprecated("Gone since vLLM 0.12.0. Call chunked_prefill_paged_decode, which reads the same cache, with an output that you allocate.")
    def forward_prefix(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.12.0."""
        raise error("vllm.attention.ops.paged_attn.PagedAttention.forward_prefix")

    @staticmethod
    @deprecated("Gone since vLLM 0.12.0. Write the shape out: (2, num_blocks, block_size * num_kv_heads * head_size).")
    def get_kv_cache_shape(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.12.0."""
        raise error("vllm.attention.ops.paged_attn.PagedAttention.get_kv_cache_shape")

    @staticmethod
    @deprecated("Gone since vLLM 0.12.0. Write the sizes out: 32, 64, 80, 96, 112, 120, 128, 192 and 256.")
    def get_supported_head_sizes(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.12.0."""
        raise error("vllm.attention.ops.paged_attn.PagedAttention.get_supported_head_sizes")

    @staticmethod
    @deprecated("Gone since vLLM 0.12.0. Call vllm._custom_ops.swap_blocks once for the keys and once for the values.")
    def swap_blocks(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.12.0."""
        raise error("vllm.attention.ops.paged_attn.PagedAttention.swap_blocks")

    @staticmethod
    @deprecated("Gone since vLLM 0.12.0. Copy the blocks by indexing every layer's cache: kv_cache[:, to] = kv_cache[:, source].")
    def copy_blocks(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.12.0."""
        raise error("vllm.attention.ops.paged_attn.PagedAttention.copy_blocks")

    @staticmethod
    @deprecated("Gone since vLLM 0.14.0. Import from vllm.v1.attention.ops.paged_attn, where split_kv_cache and write_to_paged_cache are left.")
    def split_kv_cache(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.14.0."""
        raise error("vllm.attention.ops.paged_attn.PagedAttention.split_kv_cache")

    @staticmethod
    @deprecated("Gone since vLLM 0.14.0. Import from vllm.v1.attention.ops.paged_attn, where split_kv_cache and write_to_paged_cache are left.")
    def write_to_paged_cache(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.14.0."""
        raise error("vllm.attention.ops.paged_attn.PagedAttention.write_to_paged_cache")

    @staticmethod
    @deprecated("Gone since vLLM 0.2.3. Call paged_attention_shim.paged_attention with the fields of the input metadata.")
    def single_query_cached_kv_attention(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.2.3."""
        raise error("vllm.model_executor.layers.attention.PagedAttention.single_query_cached_kv_attention")


@deprecated("Gone since vLLM 0.12.0. Define a class of your own with the fields that you use: seq_lens_tensor, max_decode_seq_len, block_tables.")
class PagedAttentionMetadata:
    """Gone since vLLM 0.12.0."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise error("vllm.attention.ops.paged_attn.PagedAttentionMetadata")


@deprecated("Gone since vLLM 0.2.3. Call paged_attention_shim.paged_attention where the layer's forward ran the decode.")
class PagedAttentionWithRoPE:
    """Gone since vLLM 0.2.3."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise error("vllm.model_executor.layers.attention.PagedAttentionWithRoPE")


@deprecated("Gone since vLLM 0.2.3. Call paged_attention_shim.paged_attention where the layer's forward ran the decode.")
class PagedAttentionWithALiBi:
    """Gone since vLLM 0.2.3."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise error("vllm.model_executor.layers.attention.PagedAttentionWithALiBi")


@deprecated("Gone since vLLM 0.16.0. Call intel_extension_for_pytorch yourself, or vllm._custom_ops for what both had.")
class ipex_ops:
    """Gone since vLLM 0.16.0."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise error("vllm._ipex_ops.ipex_ops")

    @staticmethod
    @deprecated("Gone since vLLM 0.16.0. Call single_query_kv_attention of ipex.llm.modules.PagedAttention yourself: paged_attention_shim.paged_attention reads another cache layout.")
    def paged_attention_v1(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.16.0."""
        raise error("vllm._ipex_ops.ipex_ops.paged_attention_v1")

    @staticmethod
    @deprecated("Gone since vLLM 0.16.0. Call single_query_kv_attention of ipex.llm.modules.PagedAttention yourself: paged_attention_shim.paged_attention reads another cache layout.")
    def paged_attention_v2(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.16.0."""
        raise error("vllm._ipex_ops.ipex_ops.paged_attention_v2")

    @staticmethod
    @deprecated("Gone since vLLM 0.16.0. Call reshape_and_cache of ipex.llm.modules.PagedAttention yourself.")
    def reshape_and_cache(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.16.0."""
        raise error("vllm._ipex_ops.ipex_ops.reshape_and_cache")

    @staticmethod
    @deprecated("Gone since vLLM 0.16.0. Call vllm._custom_ops.reshape_and_cache_flash.")
    def reshape_and_cache_flash(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.16.0."""
        raise error("vllm._ipex_ops.ipex_ops.reshape_and_cache_flash")

    @staticmethod
    @deprecated("Gone since vLLM 0.16.0. Copy the blocks by indexing: dst[to] = src[source].")
    def swap_blocks(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.16.0."""
        raise error("vllm._ipex_ops.ipex_ops.swap_blocks")

    @staticmethod
    @deprecated("Gone since vLLM 0.14.0. Copy the blocks by indexing every layer's caches: key_cache[to] = key_cache[source].")
    def copy_blocks(*_: Any, **__: Any) -> NoReturn:
        """Gone since vLLM 0.14.0."""
        raise error("vllm._ipex_ops.ipex_ops.copy_blocks")
