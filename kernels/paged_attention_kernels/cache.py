"""Writes into a paged cache, copies of its blocks, and its conversion from one layout to another."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from paged_attention_kernels.arguments import is_tensor, scale_of
from paged_attention_kernels.backends import backend_for
from paged_attention_kernels.formats import encoding_of, float8_of, largest_of
from paged_attention_kernels.layouts import LAYOUTS, Geometry, geometry_of

_SLOTS = (torch.int32, torch.int64)


def reshape_and_cache(  # noqa: PLR0913  # vLLM's signature
    key: torch.Tensor,
    value: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
    kv_cache_dtype: str = "auto",
    k_scale: float | torch.Tensor | None = None,
    v_scale: float | torch.Tensor | None = None,
    *,
    backend: str | None = None,
) -> None:
    """Write keys and values into the slots of a cache in the legacy layout.

    `key`, `value`: [num_tokens, num_kv_heads, head_size], any number of heads;
    `key_cache`: [num_blocks, num_kv_heads, head_size / x, block_size, x] with x = 16 / element size,
    `value_cache`: [num_blocks, num_kv_heads, head_size, block_size];
    `slot_mapping`: int32 or int64 [num_slots], the slot (block * block_size + place in it) of each of the first
    num_slots tokens, negative for a token that is not to be written. A slot past the cache is an error on a CPU, and
    is not written on a GPU, where looking would wait for it.
    A float8 cache ("fp8", "fp8_e4m3", "fp8_e5m2"; uint8 or the float8 type) holds each number over its scale, and
    saturates; scales are numbers or tensors of one element on any device.
    Raises ValueError or TypeError that names the argument, before anything is written.
    """
    _write(key, value, key_cache, value_cache, slot_mapping, kv_cache_dtype, k_scale, v_scale, "legacy", backend)


def reshape_and_cache_flash(  # noqa: PLR0913  # vLLM's signature
    key: torch.Tensor,
    value: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
    kv_cache_dtype: str = "auto",
    k_scale: float | torch.Tensor | None = None,
    v_scale: float | torch.Tensor | None = None,
    *,
    cache_layout: str = "NHD",
    backend: str | None = None,
) -> None:
    """Write keys and values into the slots of a cache in one of the layouts of FlashAttention and FlashInfer.

    Both caches are [num_blocks, block_size, num_kv_heads, head_size] for "NHD" and
    [num_blocks, num_kv_heads, block_size, head_size] for "HND"; the rest is as in `reshape_and_cache`.
    """
    _write(key, value, key_cache, value_cache, slot_mapping, kv_cache_dtype, k_scale, v_scale, cache_layout, backend)


def _write(  # noqa: PLR0913, PLR0917  # passed on as they came
    key: torch.Tensor,
    value: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
    kv_cache_dtype: str,
    k_scale: float | torch.Tensor | None,
    v_scale: float | torch.Tensor | None,
    cache_layout: str,
    backend: str | None,
) -> None:
    given = {"key": key, "value": value, "key_cache": key_cache, "value_cache": value_cache}
    for name, tensor in (given | {"slot_mapping": slot_mapping}).items():
        is_tensor(name, tensor)
    for name, tensor in given.items():
        if torch.is_grad_enabled() and tensor.requires_grad:
            raise ValueError(f"{name} requires grad, and a write has no gradient: call it in torch.no_grad()")
        if tensor.device != key.device:
            raise ValueError(f"{name} is on {tensor.device} and key on {key.device}; they must be on the same device")
    geometry = geometry_of(key_cache, value_cache, cache_layout)
    float8 = float8_of(kv_cache_dtype, key, key_cache, value_cache, "key")
    _check_tokens(key, value, slot_mapping, geometry)
    key_scale, value_scale = scale_of("k_scale", k_scale, key.device), scale_of("v_scale", v_scale, key.device)
    num_slots = slot_mapping.shape[0]
    chosen = backend_for(backend, key.device, "key")
    if num_slots == 0 or geometry.num_blocks == 0:
        return
    key = key[:num_slots] if key.stride(2) == 1 else key[:num_slots].contiguous()
    value = value[:num_slots] if value.stride(2) == 1 else value[:num_slots].contiguous()
    if chosen == "torch":
        slots = slot_mapping.long()
        capacity = geometry.num_blocks * geometry.block_size
        if (slots >= capacity).any():
            raise ValueError(
                f"slot_mapping holds {int(slots.max())}; slots below {capacity}, those of key_cache, are accepted"
            )
        written = slots >= 0
        for cache, tokens, scale, is_key in (
            (key_cache, key, key_scale, True),
            (value_cache, value, value_scale, False),
        ):
            _write_in_torch(
                cache, tokens[written], slots[written], scale, geometry, float8, cache_layout, is_key=is_key
            )
        return
    _launch(key, value, key_cache, value_cache, slot_mapping, key_scale, value_scale, geometry, float8, cache_layout)


def _check_tokens(key: torch.Tensor, value: torch.Tensor, slot_mapping: torch.Tensor, geometry: Geometry) -> None:
    heads = (geometry.num_kv_heads, geometry.head_size)
    if key.dim() != 3 or tuple(key.shape[1:]) != heads:
        raise ValueError(f"key has shape {list(key.shape)}; [num_tokens, {heads[0]}, {heads[1]}] goes with key_cache")
    if value.shape != key.shape:
        raise ValueError(f"value has shape {list(value.shape)}; {list(key.shape)}, as key, is accepted")
    if value.dtype != key.dtype:
        raise TypeError(f"value is {value.dtype} and key {key.dtype}; they must be the same")
    if slot_mapping.dtype not in _SLOTS:
        raise TypeError(f"slot_mapping is {slot_mapping.dtype}; int32 and int64 are accepted")
    if slot_mapping.device != key.device:
        raise ValueError(
            f"slot_mapping is on {slot_mapping.device} and key on {key.device}; they must be on the same device"
        )
    if slot_mapping.dim() != 1 or slot_mapping.shape[0] > key.shape[0]:
        raise ValueError(
            f"slot_mapping has shape {list(slot_mapping.shape)}; up to [{key.shape[0]}], one slot a token, is accepted"
        )


def _write_in_torch(  # what a cache is written with
    cache: torch.Tensor,
    tokens: torch.Tensor,
    slots: torch.Tensor,
    scale: float | torch.Tensor,
    geometry: Geometry,
    float8: torch.dtype | None,
    cache_layout: str,
    *,
    is_key: bool,
) -> None:
    if float8 is not None:
        largest = largest_of(float8)
        # A GPU divides by a number by multiplying with its inverse, which rounds twice.
        divisor = torch.as_tensor(scale, dtype=torch.float32, device=tokens.device)
        tokens = (tokens.float() / divisor).clamp(-largest, largest).to(float8).view(torch.uint8)
        cache = cache.view(torch.uint8)  # indexing knows no float8
    block, in_block = slots // geometry.block_size, slots % geometry.block_size
    if cache_layout == "NHD":
        cache[block, in_block] = tokens
    elif cache_layout == "HND":
        cache[block, :, in_block] = tokens
    elif is_key:
        cache[block, :, :, in_block] = tokens.reshape(
            *tokens.shape[:2], geometry.head_size // geometry.pack, geometry.pack
        )
    else:
        cache[block, :, :, in_block] = tokens


def _launch(  # noqa: PLR0913, PLR0917  # what the kernel is given
    key: torch.Tensor,
    value: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
    key_scale: float | torch.Tensor,
    value_scale: float | torch.Tensor,
    geometry: Geometry,
    float8: torch.dtype | None,
    cache_layout: str,
) -> None:
    from paged_attention_kernels.backends import on_device
    from paged_attention_kernels.device.cache import write_tokens

    if float8 is not None:
        key_cache, value_cache = key_cache.view(torch.uint8), value_cache.view(torch.uint8)
    by_tensor = [isinstance(scale, torch.Tensor) for scale in (key_scale, value_scale)]
    with on_device(key.device):
        write_tokens[(slot_mapping.shape[0], geometry.num_kv_heads)](
            key=key,
            value=value,
            key_cache=key_cache,
            value_cache=value_cache,
            slot_mapping=slot_mapping.contiguous(),
            key_scale=key_scale if by_tensor[0] else key,
            value_scale=value_scale if by_tensor[1] else key,
            key_divisor=1.0 if by_tensor[0] else key_scale,
            value_divisor=1.0 if by_tensor[1] else value_scale,
            capacity=geometry.num_blocks * geometry.block_size,
            key_token_stride=key.stride(0),
            key_head_stride=key.stride(1),
            value_token_stride=value.stride(0),
            value_head_stride=value.stride(1),
            key_block_stride=geometry.key_strides[0],
            key_cache_head_stride=geometry.key_strides[1],
            key_slot_stride=geometry.key_strides[2],
            value_block_stride=geometry.value_strides[0],
            value_cache_head_stride=geometry.value_strides[1],
            value_slot_stride=geometry.value_strides[2],
            HEAD=geometry.head_size,
            HEAD_PADDED=1 << (geometry.head_size - 1).bit_length(),
            BLOCK=geometry.block_size,
            PACK=geometry.pack,
            LEGACY=cache_layout == "legacy",
            **encoding_of(float8),
            HAS_KEY_SCALE=by_tensor[0],
            HAS_VALUE_SCALE=by_tensor[1],
            num_warps=1,
        )


def copy_blocks(
    key_caches: Sequence[torch.Tensor], value_caches: Sequence[torch.Tensor], block_mapping: torch.Tensor
) -> None:
    """Copy blocks inside every cache: `block_mapping` is int64 [n, 2], source and destination of each copy.

    A block that is a source and a destination is read before it is written. Any layout, whose blocks come first.
    """
    if len(key_caches) != len(value_caches):
        raise ValueError(
            f"value_caches holds {len(value_caches)} caches; {len(key_caches)}, as key_caches, are accepted"
        )
    for cache in (*key_caches, *value_caches):
        _check_mapping(block_mapping, cache, cache)
    for cache in (*key_caches, *value_caches):
        source, destination = block_mapping.to(cache.device, torch.int64).unbind(1)
        raw = _bytes(cache)
        raw[destination] = raw[source]


def swap_blocks(source: torch.Tensor, destination: torch.Tensor, block_mapping: torch.Tensor) -> None:
    """Copy blocks from one cache to another, which may be on another device; `block_mapping` as in `copy_blocks`."""
    is_tensor("source", source)
    is_tensor("destination", destination)
    _check_mapping(block_mapping, source, destination)
    if source.shape[1:] != destination.shape[1:] or source.dtype != destination.dtype:
        raise ValueError(
            f"destination has blocks {list(destination.shape[1:])} of {destination.dtype}; {list(source.shape[1:])} of "
            f"{source.dtype}, as source, are accepted"
        )
    taken = _bytes(source)[block_mapping[:, 0].to(source.device, torch.int64)]
    _bytes(destination)[block_mapping[:, 1].to(destination.device, torch.int64)] = taken.to(destination.device)


def _check_mapping(block_mapping: torch.Tensor, source: torch.Tensor, destination: torch.Tensor) -> None:
    is_tensor("block_mapping", block_mapping)
    if block_mapping.dim() != 2 or block_mapping.shape[1] != 2:
        raise ValueError(
            f"block_mapping has shape {list(block_mapping.shape)}; [n, 2], source and destination, is accepted"
        )
    if block_mapping.dtype not in _SLOTS:
        raise TypeError(f"block_mapping is {block_mapping.dtype}; int64 is accepted, and int32")
    if block_mapping.device.type != "cpu":
        return  # looking would wait for the device
    for column, cache in enumerate((source, destination)):
        for block in block_mapping[:, column].tolist():
            if not 0 <= block < cache.shape[0]:
                raise ValueError(
                    f"block_mapping holds {block}; 0 to {cache.shape[0] - 1}, blocks of the cache, are accepted"
                )


def convert_layout(
    key_cache: torch.Tensor, value_cache: torch.Tensor, source: str, target: str
) -> tuple[torch.Tensor, torch.Tensor]:
    """The same keys and values in another layout ("legacy", "NHD" or "HND"), as new contiguous caches.

    Exact: elements move, and none changes.
    """
    is_tensor("key_cache", key_cache)
    is_tensor("value_cache", value_cache)
    if key_cache.dtype != value_cache.dtype:
        raise TypeError(f"value_cache is {value_cache.dtype} and key_cache {key_cache.dtype}; they must be the same")
    geometry_of(key_cache, value_cache, source)
    if target not in LAYOUTS:
        raise ValueError(f"target is {target!r}; {', '.join(map(repr, LAYOUTS))} are accepted")
    return (
        _from_rows(_to_rows(key_cache, source, is_key=True), target, is_key=True),
        _from_rows(_to_rows(value_cache, source, is_key=False), target, is_key=False),
    )


def _to_rows(cache: torch.Tensor, layout: str, *, is_key: bool) -> torch.Tensor:
    """A view or copy as [num_blocks, block_size, num_kv_heads, head_size]."""
    if layout == "NHD":
        return cache
    if layout == "HND":
        return cache.transpose(1, 2)
    return cache.permute(0, 3, 1, 2, 4).flatten(3) if is_key else cache.permute(0, 3, 1, 2)


def _from_rows(rows: torch.Tensor, layout: str, *, is_key: bool) -> torch.Tensor:
    if layout == "NHD":
        moved = rows
    elif layout == "HND":
        moved = rows.transpose(1, 2)
    elif is_key:
        pack = 16 // rows.element_size()
        if rows.shape[3] % pack:
            raise ValueError(
                f"key_cache has head_size {rows.shape[3]}; a multiple of {pack} is accepted for the legacy layout of "
                f"{rows.dtype}"
            )
        moved = rows.reshape(*rows.shape[:3], rows.shape[3] // pack, pack).permute(0, 2, 3, 1, 4)
    else:
        moved = rows.permute(0, 2, 3, 1)
    return moved.clone(memory_format=torch.contiguous_format)


def _bytes(cache: torch.Tensor) -> torch.Tensor:
    """Indexing knows no float8."""
    return cache.view(torch.uint8) if cache.element_size() == 1 else cache
