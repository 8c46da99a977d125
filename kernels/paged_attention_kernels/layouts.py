"""The three layouts of a paged cache, and what a pair of caches says about its sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import torch

LAYOUTS = ("legacy", "NHD", "HND")
BLOCK_SIZES = (8, 16, 32, 64, 128, 256)
_SHAPES = {
    "legacy": (
        "[num_blocks, num_kv_heads, head_size / x, block_size, x] with x = 16 / element size",
        "[num_blocks, num_kv_heads, head_size, block_size]",
    ),
    "NHD": ("[num_blocks, block_size, num_kv_heads, head_size]",) * 2,
    "HND": ("[num_blocks, num_kv_heads, block_size, head_size]",) * 2,
}


class Geometry(NamedTuple):
    """Sizes of a cache, and the strides in elements of its blocks, KV heads and tokens (legacy: no token stride)."""

    num_blocks: int
    num_kv_heads: int
    block_size: int
    head_size: int
    pack: int
    key_strides: tuple[int, int, int]
    value_strides: tuple[int, int, int]


def geometry_of(key_cache: torch.Tensor, value_cache: torch.Tensor, cache_layout: str) -> Geometry:
    """Sizes and strides of a pair of caches; raises ValueError where they are not of this layout."""
    if cache_layout not in LAYOUTS:
        raise ValueError(f"cache_layout is {cache_layout!r}; {', '.join(map(repr, LAYOUTS))} are accepted")
    key_shape, value_shape = _SHAPES[cache_layout]
    dimensions = 5 if cache_layout == "legacy" else 4
    if key_cache.dim() != dimensions:
        raise ValueError(f"key_cache has shape {_of(key_cache)}; {key_shape} is accepted for {cache_layout!r}")
    if value_cache.dim() != 4:
        raise ValueError(f"value_cache has shape {_of(value_cache)}; {value_shape} is accepted for {cache_layout!r}")
    if cache_layout == "legacy":
        return _legacy(key_cache, value_cache, key_shape, value_shape)
    if key_cache.shape != value_cache.shape:
        raise ValueError(
            f"value_cache has shape {_of(value_cache)} and key_cache {_of(key_cache)}; both must be {value_shape}"
        )
    for name, cache in (("key_cache", key_cache), ("value_cache", value_cache)):
        if cache.stride(3) != 1 and cache.shape[3] > 1:
            raise ValueError(
                f"{name} has stride {cache.stride(3)} in its last dimension; 1 is accepted: pass {name}.contiguous()"
            )
    token, head = (1, 2) if cache_layout == "NHD" else (2, 1)
    num_blocks, head_size = key_cache.shape[0], key_cache.shape[3]
    return Geometry(
        num_blocks,
        key_cache.shape[head],
        key_cache.shape[token],
        head_size,
        1,
        (key_cache.stride(0), key_cache.stride(head), key_cache.stride(token)),
        (value_cache.stride(0), value_cache.stride(head), value_cache.stride(token)),
    )


def _legacy(key_cache: torch.Tensor, value_cache: torch.Tensor, key_shape: str, value_shape: str) -> Geometry:
    pack = 16 // key_cache.element_size()
    num_blocks, num_kv_heads, packs, block_size, last = key_cache.shape
    if last != pack:
        raise ValueError(f"key_cache has shape {_of(key_cache)}; {key_shape}, here {pack}, is accepted")
    expected = (num_blocks, num_kv_heads, packs * pack, block_size)
    if tuple(value_cache.shape) != expected:
        raise ValueError(
            f"value_cache has shape {_of(value_cache)}; {list(expected)} goes with this key_cache: {value_shape}"
        )
    if not _packed(key_cache, (block_size * pack, pack, 1)):
        raise ValueError(_not_packed("key_cache", key_cache))
    if not _packed(value_cache, (block_size, 1)):
        raise ValueError(_not_packed("value_cache", value_cache))
    return Geometry(
        num_blocks,
        num_kv_heads,
        block_size,
        packs * pack,
        pack,
        (key_cache.stride(0), key_cache.stride(1), 0),
        (value_cache.stride(0), value_cache.stride(1), 0),
    )


def _packed(cache: torch.Tensor, strides: tuple[int, ...]) -> bool:
    inner = zip(cache.shape[2:], cache.stride()[2:], strides, strict=True)
    return all(stride == expected or size == 1 for size, stride, expected in inner)


def _not_packed(name: str, cache: torch.Tensor) -> str:
    return (
        f"{name} has strides {tuple(cache.stride())}; only blocks and heads may lie apart, what one head of a block "
        f"holds must be contiguous: pass {name}.contiguous()"
    )


def _of(tensor: torch.Tensor) -> list[int]:
    return list(tensor.shape)
