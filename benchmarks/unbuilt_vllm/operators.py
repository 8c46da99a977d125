"""What vLLM's tests of paged attention ask of its compiled library, beside paged attention: two operators."""

from __future__ import annotations

from typing import Any

import torch

_FLOAT8 = {"fp8": torch.float8_e4m3fn, "fp8_e4m3": torch.float8_e4m3fn, "fp8_e5m2": torch.float8_e5m2}
_SHARED_MEMORY_OF_EVERY_GPU = 48 * 1024
_MOST_ELEMENTS = 1 << 26  # 256 MiB as float32: the caches of the tests have up to 1.4 billion
_kept: list[Any] = []  # an operator lives as long as its library


def register() -> None:
    """Register `get_max_shared_memory_per_block_device_attribute` and `convert_fp8` where vLLM looks for them."""
    device = torch.library.Library("_C_cuda_utils", "FRAGMENT")
    device.define("get_max_shared_memory_per_block_device_attribute(int device_id) -> int")
    device.impl("get_max_shared_memory_per_block_device_attribute", _shared_memory, "CompositeExplicitAutograd")
    caches = torch.library.Library("_C_cache_ops", "FRAGMENT")
    caches.define("convert_fp8(Tensor! dst_cache, Tensor src_cache, float scale, str kv_cache_dtype) -> ()")
    caches.impl("convert_fp8", _convert, "CompositeExplicitAutograd")
    _kept.extend((device, caches))


def _shared_memory(device_id: int) -> int:
    """Bytes that one block of threads may have."""
    if not torch.cuda.is_available():
        return _SHARED_MEMORY_OF_EVERY_GPU
    return int(torch.cuda.get_device_properties(device_id).shared_memory_per_block_optin)


def _convert(written: torch.Tensor, read: torch.Tensor, scale: float, kv_cache_dtype: str) -> None:
    """Bytes that are float8 from numbers divided by `scale`, or numbers from such bytes, times `scale`."""
    float8 = _FLOAT8[kv_cache_dtype]
    largest = torch.finfo(float8).max
    pairs = zip(written.view(-1).split(_MOST_ELEMENTS), read.view(-1).split(_MOST_ELEMENTS), strict=True)
    for some_written, some_read in pairs:
        if written.element_size() == 1:
            some_written.view(float8).copy_((some_read.float() / scale).clamp(-largest, largest))
        else:
            some_written.copy_(some_read.view(float8).float() * scale)
