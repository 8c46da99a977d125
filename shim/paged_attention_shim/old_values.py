"""What old arguments meant, as arguments of the surviving call."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from paged_attention_shim.old_signatures import DEFAULTS, PLACE, Reading

if TYPE_CHECKING:
    import torch

# vLLM 0.4.1 and 0.4.2, where "fp8" was e5m2 without a scale.
_E5M2_WITHOUT_SCALE = frozenset({"G5", "G6"})
_UNSCALED = frozenset({"auto", "float16", "bfloat16"})
_DENSE = (0, 0, 0, 64, 0)
_HEADS, _SCALE, _BLOCK_SIZE, _LONGEST, _KIND, _STRIDE = map(
    PLACE.__getitem__,
    ("num_kv_heads", "scale", "block_size", "max_seq_len", "kv_cache_dtype", "blocksparse_vert_stride"),
)
# What a plain call ends with: no scales, nothing sparse.
_ENDING = (None, None, *_DENSE)
# Stands behind the arguments, so that `Plain.pick` finds all that was not given.
FILLING = (*DEFAULTS, *_ENDING)
_mappings: Any = None


class Plain(NamedTuple):
    """How a plain call's arguments are brought into order: the places of all of them, and of those that are looked at.

    Places count the positional arguments, the values of the keywords, then `FILLING`. `one` and `other` are the places
    of two arguments that must be of the types `of_one` and `of_other`, see `plain`.
    """

    pick: itemgetter[Any]
    heads: int
    scale: int
    block_size: int
    longest: int
    kind: int
    stride: int
    one: int
    of_one: type
    other: int
    of_other: type

    def values(self, given: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """What `settled` gives; None for a call that is not plain."""
        pick, heads, scale, block_size, longest, kind, stride, one, of_one, other, of_other = self
        given += FILLING
        if (
            type(given[one]) is of_one
            and type(given[other]) is of_other
            and type(given[heads]) is int
            and type(given[scale]) is float
            and type(given[block_size]) is int
            and type(given[longest]) is int
            and given[kind] == "auto"
            and given[stride] <= 1
        ):
            values: tuple[Any, ...] = pick(given)
            return values
        return None


def plain(reading: Reading, arguments: tuple[Any, ...], deciding: tuple[int, ...] = ()) -> Plain:
    """How to bring such arguments into order by a reading, where they make a plain call.

    `deciding` are the places, two at the most, of the arguments by whose types this reading was told from others.
    """
    count = len(arguments)
    ending = range(count + len(DEFAULTS), count + len(FILLING))
    heads, scale, *rest = (reading.places[place] for place in (_HEADS, _SCALE, _BLOCK_SIZE, _LONGEST, _KIND, _STRIDE))
    block_size, longest, kind, stride = rest
    one, other = (*deciding, heads, scale)[:2]
    given = arguments + FILLING
    pick: itemgetter[Any] = itemgetter(*reading.places[: _KIND + 1], *ending)
    of_one, of_other = type(given[one]), type(given[other])
    return Plain(pick, heads, scale, block_size, longest, kind, stride, one, of_one, other, of_other)


def settled(values: tuple[Any, ...], labels: frozenset[str]) -> tuple[Any, ...]:
    """The surviving call's positional arguments for those of a call of the generations `labels`.

    Heads may be None, a number or a mapping of heads, numbers may be tensors of one element, and what the old kernels
    did not read (scales of an "auto" cache, the rest of block sparsity without a stride) is left out.
    Raises ValueError for a head mapping that is no number of KV heads, and for an "fp8" of two meanings.
    """
    if _is_plain(values):
        return (*values[: _KIND + 1], *_ENDING)
    (out, query, key_cache, value_cache, heads, scale, tables, lengths, block_size, longest, slopes, kind, key_scale,
     value_scale, *sparse) = values  # fmt: skip
    if type(heads) is not int:
        heads = _number_of_heads(heads, query, key_cache)
    if block_size is None:
        block_size = value_cache.shape[3]
    if kind == "fp8" and labels & _E5M2_WITHOUT_SCALE:
        kind, key_scale, value_scale = _what_fp8_was(labels, key_cache, key_scale, value_scale)
    if kind in _UNSCALED:
        key_scale = value_scale = None
    else:
        key_scale, value_scale = _first_element(key_scale), _first_element(value_scale)
    if sparse[2] <= 1:
        sparse = list(_DENSE)
    return (
        out, query, key_cache, value_cache, heads, _number(scale), tables, lengths, block_size, _number(longest),
        slopes, kind, key_scale, value_scale, *sparse,
    )  # fmt: skip


def _is_plain(values: tuple[Any, ...]) -> bool:
    """Whether all is as most code passes it: numbers where numbers are wanted, an "auto" cache, and nothing sparse."""
    return (
        values[_KIND] == "auto"
        and type(values[_HEADS]) is int
        and type(values[_SCALE]) is float
        and type(values[_BLOCK_SIZE]) is int
        and type(values[_LONGEST]) is int
        and values[_STRIDE] <= 1
    )


def _number(value: Any) -> Any:
    """A number that may have come as a tensor of one element, as the old operators took it."""
    import torch

    return value.item() if isinstance(value, torch.Tensor) else value


def _first_element(scale: Any) -> Any:
    """A scale as the kernels read it: one number, whatever stands behind it."""
    import torch

    if isinstance(scale, torch.Tensor) and scale.numel() > 1:
        return scale.reshape(-1)[:1]
    return scale


def _what_fp8_was(
    labels: frozenset[str], key_cache: torch.Tensor, key_scale: Any, value_scale: Any
) -> tuple[str, Any, Any]:
    import torch

    unscaled_e5m2 = "fp8_e5m2", None, None
    if labels <= _E5M2_WITHOUT_SCALE or key_cache.dtype == torch.float8_e5m2:
        return unscaled_e5m2
    if key_cache.dtype in (torch.float8_e4m3fn, torch.float8_e4m3fnuz):
        return "fp8_e4m3", key_scale, value_scale
    raise ValueError(
        'kv_cache_dtype is "fp8", which was e5m2 without a scale in vLLM 0.4.1 and 0.4.2 and e4m3 from 0.4.3 on, and '
        'this argument list fits both: pass "fp8_e5m2" or "fp8_e4m3", or say which release the code was written for '
        'with install(from_version="0.4.3") or PAGED_ATTENTION_SHIM=forward,from=0.4.3'
    )


def _number_of_heads(heads: Any, query: torch.Tensor, key_cache: torch.Tensor) -> Any:
    """The number of KV heads for None (the oldest releases), a number, or a tensor that maps heads to KV heads."""
    import torch

    if heads is None:
        return key_cache.shape[1]
    if not isinstance(heads, torch.Tensor):
        return heads
    if heads.dim() == 0:
        return heads.item()
    count = key_cache.shape[1]
    if not _maps_neighbours(heads, query.shape[1], count):
        raise ValueError(
            f"head_mapping maps {query.shape[1]} query heads in another order than neighbours sharing one of the "
            f"{count} KV heads, which is what the surviving call computes: reorder the query's heads"
        )
    return count


def _maps_neighbours(mapping: torch.Tensor, num_heads: int, count: int) -> bool:
    """Whether each KV head belongs to neighbouring query heads; looking waits for the device, once for a tensor."""
    global _mappings  # noqa: PLW0603  # made when torch is there
    import torch

    if _mappings is None:
        from torch.utils.weak import WeakIdKeyDictionary

        _mappings = WeakIdKeyDictionary()
    key = mapping._version, num_heads, count  # noqa: SLF001  # how torch counts writes to a tensor
    seen = _mappings.get(mapping)
    if seen is not None and seen[0] == key:
        return bool(seen[1])
    if mapping.is_cuda and torch.cuda.is_current_stream_capturing():
        raise ValueError(
            "head_mapping is a tensor that was not seen before this CUDA graph is captured, and looking into it waits "
            "for the device: call once before capturing"
        )
    expected = torch.arange(num_heads, dtype=mapping.dtype, device=mapping.device) // max(num_heads // count, 1)
    same = bool(torch.equal(mapping, expected))
    _mappings[mapping] = key, same
    return same
