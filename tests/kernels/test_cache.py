"""Writes into a cache, copies of blocks, and conversions, against plain indexing."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from paged import in_layout
from paged_attention_kernels import (
    convert_layout,
    copy_blocks,
    reshape_and_cache,
    reshape_and_cache_flash,
    swap_blocks,
)

LAYOUTS = ("legacy", "NHD", "HND")
FLOAT8 = {
    torch.float8_e4m3fn: "fp8",
    torch.float8_e5m2: "fp8_e5m2",
    torch.float8_e4m3fnuz: "fp8_e4m3",
    torch.float8_e5m2fnuz: "fp8_e5m2",
}


@pytest.fixture(params=["torch", "triton"])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def write(layout: str, *arguments: Any, **more: Any) -> None:
    if layout == "legacy":
        reshape_and_cache(*arguments, **more)
    else:
        reshape_and_cache_flash(*arguments, cache_layout=layout, **more)


def bits(tensor: torch.Tensor) -> torch.Tensor:
    """Equality that sees NaN, too."""
    return tensor.contiguous().view(torch.uint8)


def check(  # noqa: PLR0913  # keywords only
    layout: str,
    backend: str,
    *,
    slots: list[int],
    num_kv_heads: int = 2,
    head_size: int = 32,
    block_size: int = 8,
    dtype: torch.dtype = torch.float32,
    stored: torch.dtype | None = None,
    scale: float = 1.0,
    slot_type: torch.dtype = torch.int64,
) -> None:
    """Write random tokens, and compare every element of the caches with rows written one by one."""
    stored = stored or dtype
    key, value = (torch.randn(len(slots) + 1, num_kv_heads, head_size).to(dtype) for _ in range(2))
    num_blocks = max([0, *slots]) // block_size + 2
    rows = [torch.randn(num_blocks, block_size, num_kv_heads, head_size).to(stored) for _ in range(2)]
    caches = [in_layout(each.clone(), layout, is_key=not number) for number, each in enumerate(rows)]
    more = {"kv_cache_dtype": FLOAT8[stored], "k_scale": scale, "v_scale": scale} if stored in FLOAT8 else {}
    write(layout, key, value, *caches, torch.tensor(slots, dtype=slot_type), **more, backend=backend)
    for number, tokens in enumerate((key, value)):
        wanted = rows[number].clone()
        for token, slot in enumerate(slots):
            if slot >= 0:
                row = tokens[token]
                if stored in FLOAT8:
                    largest = torch.finfo(stored).max
                    row = (row.float() / scale).clamp(-largest, largest)
                as_bytes = wanted.view(torch.uint8) if stored in FLOAT8 else wanted
                new = row.to(stored)
                as_bytes[slot // block_size, slot % block_size] = new.view(torch.uint8) if stored in FLOAT8 else new
        wanted = in_layout(wanted, layout, is_key=not number)
        assert torch.equal(bits(caches[number]), bits(wanted))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("slot_type", [torch.int32, torch.int64])
def test_tokens_land_in_their_slots(layout: str, dtype: torch.dtype, slot_type: torch.dtype, backend: str) -> None:
    check(layout, backend, slots=[3, -1, 17, 0, -1, 8], dtype=dtype, slot_type=slot_type)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("stored", FLOAT8)
@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_float8_caches(layout: str, dtype: torch.dtype, stored: torch.dtype, scale: float, backend: str) -> None:
    check(layout, backend, slots=[3, 17, -1, 0], dtype=dtype, stored=stored, scale=scale)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_more_heads_than_the_surviving_operator_writes(layout: str, backend: str) -> None:
    check(layout, backend, slots=[1, 9], num_kv_heads=40, head_size=128, dtype=torch.float16)


@pytest.mark.parametrize("head_size", [8, 80, 120, 200, 256])
def test_head_sizes(head_size: int, backend: str) -> None:
    for layout in LAYOUTS:
        check(layout, backend, slots=[1, 9], head_size=head_size, dtype=torch.float16)


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_any_write(data: st.DataObject) -> None:
    slots = data.draw(st.lists(st.integers(0, 60), unique=True, max_size=8))
    slots = [slot if data.draw(st.booleans()) else -1 for slot in slots]
    for backend in ("torch", "triton"):
        check(
            data.draw(st.sampled_from(LAYOUTS)),
            backend,
            slots=slots,
            num_kv_heads=data.draw(st.integers(1, 5)),
            head_size=8 * data.draw(st.integers(1, 8)),
            block_size=data.draw(st.sampled_from([8, 16, 32])),
        )


def test_strided_tokens_and_caches(backend: str) -> None:
    both = torch.randn(4, 2, 3, 64)  # keys and values of a fused projection
    key, value = both[:, 0, :, :32], both[:, 1, :, 16:48]
    together = torch.zeros(3, 2, 8, 3, 32)
    caches = together[:, 0], together[:, 1]
    reshape_and_cache_flash(key, value, *caches, torch.tensor([0, 9, 23, 4]), backend=backend)
    assert torch.equal(together[1, 0, 1], key[1])
    assert torch.equal(together[2, 1, 7], value[2])
    turned = key.permute(2, 0, 1).contiguous().permute(1, 2, 0)
    reshape_and_cache_flash(turned, turned, *caches, torch.tensor([5, 6, 7, 8]), backend=backend)
    assert torch.equal(together[0, 1, 6], key[1])


def test_scales_come_in_any_form(backend: str) -> None:
    for scale in (0.5, torch.tensor(0.5), torch.tensor([0.5], dtype=torch.float64)):
        key_cache, value_cache = (
            torch.zeros(1, 1, 1, 8, 16, dtype=torch.uint8),
            torch.zeros(1, 1, 16, 8, dtype=torch.uint8),
        )
        tokens = torch.full((1, 1, 16), 2.0)
        reshape_and_cache(
            tokens, tokens, key_cache, value_cache, torch.tensor([3]), "fp8", scale, scale, backend=backend
        )
        assert (key_cache.view(torch.float8_e4m3fn).float()[0, 0, 0, 3] == 4.0).all()
        assert (value_cache.view(torch.float8_e4m3fn).float()[0, 0, :, 3] == 4.0).all()


@pytest.mark.parametrize("stored", FLOAT8)
def test_float8_rounds_to_nearest_even(stored: torch.dtype, backend: str) -> None:
    """Every number of the type, every midpoint of two, numbers beside those, and what is larger than all."""
    every = torch.arange(256, dtype=torch.uint8).view(stored).float()
    exact = every[every.isfinite()].sort().values
    between = (exact[1:] + exact[:-1]) / 2
    numbers = torch.cat([exact, between, between * (1 + 1e-6), between * (1 - 1e-6), torch.tensor([1e30, -1e30, -0.0])])
    numbers = torch.nn.functional.pad(numbers, (0, -len(numbers) % 16)).view(-1, 1, 16)
    key_cache = torch.zeros(len(numbers) // 8 + 1, 1, 1, 8, 16, dtype=torch.uint8).view(stored)
    value_cache = torch.zeros(len(numbers) // 8 + 1, 1, 16, 8, dtype=torch.uint8).view(stored)
    slots = torch.arange(len(numbers))
    reshape_and_cache(numbers, numbers, key_cache, value_cache, slots, FLOAT8[stored], backend=backend)
    largest = torch.finfo(stored).max
    wanted = numbers.clamp(-largest, largest).to(stored).view(torch.uint8).flatten()
    written = key_cache.view(torch.uint8).view(-1, 16)[: len(numbers)].flatten()
    assert torch.equal(written, wanted)


def good() -> dict[str, Any]:
    return {
        "key": torch.zeros(4, 2, 32),
        "value": torch.zeros(4, 2, 32),
        "key_cache": torch.zeros(3, 2, 8, 8, 4),
        "value_cache": torch.zeros(3, 2, 32, 8),
        "slot_mapping": torch.zeros(4, dtype=torch.int64),
    }


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"key": torch.zeros(4, 3, 32)}, r"key has shape \[4, 3, 32\]; \[num_tokens, 2, 32\] goes with key_cache"),
        ({"key": torch.zeros(4, 64)}, r"key has shape \[4, 64\]"),
        ({"value": torch.zeros(3, 2, 32)}, r"value has shape \[3, 2, 32\]; \[4, 2, 32\], as key"),
        ({"value": torch.zeros(4, 2, 32).half()}, "value is torch.float16 and key torch.float32"),
        ({"key_cache": torch.zeros(3, 2, 32, 8)}, r"key_cache has shape \[3, 2, 32, 8\]; \[num_blocks, num_kv_heads"),
        (
            {"key_cache": torch.zeros(3, 2, 4, 8, 8)},
            r"head_size / x, block_size, x\].*here 4",
        ),
        (
            {"value_cache": torch.zeros(3, 2, 8, 32)},
            r"\[3, 2, 32, 8\] goes with this key_cache",
        ),
        ({"value_cache": torch.zeros(3, 2, 32, 8).half()}, "value_cache is torch.float16 and key_cache torch.float32"),
        ({"slot_mapping": torch.zeros(5, dtype=torch.int64)}, r"slot_mapping has shape \[5\]; up to \[4\]"),
        ({"slot_mapping": torch.zeros(4)}, "slot_mapping is torch.float32; int32 and int64 are accepted"),
        ({"slot_mapping": torch.zeros(4, dtype=torch.int64, device="meta")}, "slot_mapping is on meta and key on cpu"),
        ({"key_cache": torch.zeros(3, 2, 8, 8, 4, device="meta")}, "key_cache is on meta and key on cpu"),
        ({"slot_mapping": torch.tensor([0, 24])}, "slot_mapping holds 24; slots below 24, those of key_cache"),
        ({"slot_mapping": [0]}, "slot_mapping is list; a tensor is accepted"),
        ({"value": None}, "value is NoneType; a tensor is accepted"),
        ({"key": torch.zeros(4, 2, 32).requires_grad_()}, "key requires grad, and a write has no gradient"),
        ({"kv_cache_dtype": "int8"}, "kv_cache_dtype is 'int8'; 'auto'"),
        ({"kv_cache_dtype": "fp8"}, "key_cache is torch.float32 with kv_cache_dtype 'fp8'; torch.uint8"),
        ({"kv_cache_dtype": "bfloat16"}, "key_cache is torch.float32 with kv_cache_dtype 'bfloat16', and key is"),
        ({"k_scale": torch.ones(2)}, "k_scale has 2 elements"),
        ({"v_scale": "1"}, "v_scale is str; a number or a tensor of one element is accepted"),
        ({"backend": "cuda"}, "backend is 'cuda'; None, 'torch' and 'triton' are accepted"),
    ],
)
def test_wrong_arguments(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        reshape_and_cache(**(good() | wrong))
    assert not good()["key_cache"].any()


def test_a_slot_past_the_cache_is_not_written_by_the_kernel() -> None:
    roomy = torch.zeros(4, 2, 8, 8, 4), torch.zeros(4, 2, 32, 8)
    caches = roomy[0][:3], roomy[1][:3]  # what lies behind them is not theirs
    tokens = torch.ones(2, 2, 32)
    reshape_and_cache(tokens, tokens, *caches, torch.tensor([5, 24]), backend="triton")
    assert caches[0][0].any()
    assert not roomy[0][3].any()
    assert not roomy[1][3].any()


def test_a_wrong_layout() -> None:
    cache = torch.zeros(3, 8, 2, 32)
    tokens, slots = torch.zeros(4, 2, 32), torch.zeros(4, dtype=torch.int64)
    with pytest.raises(ValueError, match="cache_layout is 'HDN'; 'legacy', 'NHD', 'HND' are accepted"):
        reshape_and_cache_flash(tokens, tokens, cache, cache, slots, cache_layout="HDN")
    wide = torch.zeros(3, 8, 2, 64)[..., ::2]
    with pytest.raises(ValueError, match="stride 2 in its last dimension"):
        reshape_and_cache_flash(tokens, tokens, wide, cache, slots)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float8_e4m3fn])
def test_copied_blocks(dtype: torch.dtype) -> None:
    caches = [torch.randn(6, 2, 4).to(dtype) for _ in range(4)]
    before = [cache.float().clone() for cache in caches]
    copy_blocks(caches[:2], caches[2:], torch.tensor([[0, 3], [3, 5]]))
    for cache, old in zip(caches, before, strict=True):
        wanted = old.clone()
        wanted[3], wanted[5] = old[0], old[3]
        assert torch.equal(cache.float(), wanted)


def test_swapped_blocks() -> None:
    source, destination = torch.randn(4, 2, 8), torch.zeros(6, 2, 8)
    swap_blocks(source, destination, torch.tensor([[1, 5], [3, 0]]))
    assert torch.equal(destination[5], source[1])
    assert torch.equal(destination[0], source[3])
    assert not destination[1:5].any()
    with pytest.raises(ValueError, match=r"destination has blocks \[3\]"):
        swap_blocks(source, torch.zeros(6, 3), torch.tensor([[1, 5]]))
    for mapping, message in ((torch.zeros(3, dtype=torch.int64), r"\[n, 2\]"), (torch.zeros(3, 2), "torch.float32")):
        with pytest.raises((ValueError, TypeError), match=f"block_mapping .*{message}"):
            copy_blocks([source], [source], mapping)


@pytest.mark.parametrize("source", LAYOUTS)
@pytest.mark.parametrize("target", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.uint8, torch.float8_e5m2])
def test_conversions(source: str, target: str, dtype: torch.dtype) -> None:
    rows = [
        torch.randint(0, 256, (5, 8, 3, 32 * torch.empty(0, dtype=dtype).element_size())).to(torch.uint8)
        for _ in range(2)
    ]
    rows = [each.view(dtype) for each in rows]
    given = [in_layout(each, source, is_key=not number) for number, each in enumerate(rows)]
    converted = convert_layout(given[0], given[1], source, target)
    for number, each in enumerate(rows):
        assert torch.equal(bits(converted[number]), bits(in_layout(each, target, is_key=not number)))
        assert converted[number].is_contiguous()
        assert converted[number].data_ptr() != given[number].data_ptr()


def test_blocks_that_are_not_there() -> None:
    caches = [torch.zeros(4, 2, 8) for _ in range(2)]
    for block in (-1, 4):
        with pytest.raises(ValueError, match=f"block_mapping holds {block}; 0 to 3, blocks of the cache"):
            copy_blocks(caches[:1], caches[1:], torch.tensor([[0, block]]))
        with pytest.raises(ValueError, match=f"block_mapping holds {block}; 0 to 3"):
            swap_blocks(caches[0], caches[1], torch.tensor([[block, 0]]))
    with pytest.raises(ValueError, match="value_caches holds 0 caches; 1, as key_caches"):
        copy_blocks(caches[:1], [], torch.tensor([[0, 1]]))


def test_conversions_that_cannot_be() -> None:
    with pytest.raises(TypeError, match=r"value_cache is torch\.float16 and key_cache"):
        convert_layout(torch.zeros(2, 8, 1, 32), torch.zeros(2, 8, 1, 32).half(), "NHD", "HND")
    rows = torch.zeros(2, 8, 1, 24, dtype=torch.uint8)
    with pytest.raises(ValueError, match="head_size 24; a multiple of 16 is accepted for the legacy layout"):
        convert_layout(rows, rows, "NHD", "legacy")
    with pytest.raises(ValueError, match="target is 'nhd'"):
        convert_layout(rows, rows, "NHD", "nhd")
