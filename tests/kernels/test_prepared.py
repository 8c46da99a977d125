"""Calls of one signature are checked once, and a signature is all that the checks look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch

from paged import Paged, distance, expected, paged
from paged_attention_kernels import decode, paged_attention, prepared

FLOAT8 = torch.float8_e4m3fn


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    prepared._known.clear()
    yield
    prepared._known.clear()


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Grows by one for every call that is checked."""
    seen: list[Any] = []
    real = vars(decode)["checked"]

    def counted(*arguments: Any) -> Any:
        seen.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(decode, "checked", counted)
    return seen


def attend(batch: Paged, **more: Any) -> torch.Tensor:
    return paged_attention(**batch.arguments(**more), backend="triton")


@pytest.mark.parametrize(
    ("sizes", "more"),
    [
        ({}, {}),
        ({"num_heads": 6, "num_kv_heads": 2, "head_size": 80, "block_size": 8}, {}),
        ({"layout": "NHD"}, {"softcap": 3.0, "sliding_window": 40}),
        ({}, {"alibi_slopes": torch.tensor([0.1, 0.2, 0.0, -0.1]), "sinks": torch.tensor([0.5, -1.0, 0.0, 2.0])}),
    ],
    ids=["plain", "odd sizes", "rows", "extras"],
)
def test_the_second_call_is_not_checked_and_is_as_right(
    checks: list[Any], sizes: dict[str, Any], more: dict[str, Any]
) -> None:
    """Other contents, lengths and tables; more than one part of a sequence, so that the second kernel runs, too."""
    for seed, lengths in enumerate(([300, 33, 1], [290, 0, 40], [300, 300, 300])):
        batch = paged(lengths, seed=seed, **sizes)
        tables = torch.zeros(3, 48, dtype=torch.int32)
        tables[:, : batch.block_tables.shape[1]] = batch.block_tables
        used = batch.key_cache.shape[0]
        blocks = torch.full((128, *batch.key_cache.shape[1:]), float("nan"))
        values = torch.full((128, *batch.value_cache.shape[1:]), float("nan"))
        blocks[:used], values[:used] = batch.key_cache, batch.value_cache
        same = batch._replace(block_tables=tables, key_cache=blocks, value_cache=values)
        out = attend(same, max_seq_len=300, **more)
        assert distance(out, expected(batch, **more)[0]) <= 1e-6
    assert len(checks) == 1


def test_float8_with_scales_in_tensors(checks: list[Any]) -> None:
    batch = paged([70, 5], stored=FLOAT8)
    for factor in (0.5, 0.25):
        scales: dict[str, Any] = {"k_scale": factor, "v_scale": 1.5}
        out = attend(batch, kv_cache_dtype="fp8", **scales)
        assert distance(out, expected(batch, **scales)[0]) <= 1e-6
    assert len(checks) == 2  # a number is part of the signature
    assert len(prepared._known) == 2
    in_bytes = {"key_cache": batch.key_cache.view(torch.uint8), "value_cache": batch.value_cache.view(torch.uint8)}
    for _ in range(2):
        out = attend(batch, kv_cache_dtype="fp8", k_scale=0.5, v_scale=1.5, **in_bytes)
        assert distance(out, expected(batch, k_scale=0.5, v_scale=1.5)[0]) <= 1e-6
    assert len(checks) == 3


def test_several_query_tokens_and_log_sum_exps(checks: list[Any]) -> None:
    batch = paged([90, 33], num_tokens=5)
    for starts in ([0, 2, 5], [0, 4, 5], [0, 0, 5]):
        lse = torch.full((5, 4), float("nan"))
        out = attend(batch, query_start_loc=torch.tensor(starts, dtype=torch.int32), lse=lse)
        wanted, wanted_lse = expected(batch, query_start_loc=starts)
        assert distance(out, wanted) <= 1e-6
        assert distance(lse, wanted_lse) <= 1e-6
    assert len(checks) == 1


def test_a_new_output_each_time(checks: list[Any]) -> None:
    batch = paged([37, 5])
    first, second = attend(batch, out=None), attend(batch, out=None)
    assert first.data_ptr() != second.data_ptr()
    for out in (first, second):
        assert distance(out, expected(batch)[0]) <= 1e-6
    assert len(checks) == 1


def test_lengths_within_a_power_of_two_are_cut_alike(checks: list[Any]) -> None:
    batch = paged([37, 5])
    for most in (33, 37, 64):
        assert distance(attend(batch, max_seq_len=most), expected(batch)[0]) <= 1e-6
    attend(batch, max_seq_len=65)
    assert len(checks) == 2


# What is wrong stays wrong, whatever was right before.


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("num_kv_heads", 4, "num_kv_heads is 4"),
        ("block_size", 32, "block_size is 32"),
        ("max_seq_len", -37, "max_seq_len is -37"),
        ("max_seq_len", 37.0, "max_seq_len is 37.0"),
        ("scale", float("nan"), "scale is nan"),
        ("scale", None, "scale is None"),
        ("kv_cache_dtype", "fp8", "key_cache is torch.float32"),
        ("cache_layout", "NHD", "key_cache has shape"),
        ("softcap", -1.0, "softcap is -1.0"),
        ("sliding_window", 0, "sliding_window is 0"),
        ("tp_rank", -1, "tp_rank is -1"),
        ("seq_lens", torch.tensor([37, 5], dtype=torch.int16), "seq_lens is torch.int16"),
        ("seq_lens", torch.tensor([37, 5, 1], dtype=torch.int32), "seq_lens has 3 entries"),
        ("seq_lens", [37, 5], "seq_lens is list"),
        ("block_tables", None, "block_tables is NoneType"),
        ("query", torch.zeros(2, 4, 64), "query has head_size 64"),
        ("out", torch.zeros(2, 4, 64)[..., ::2], "out has stride 2"),
        ("out", torch.zeros(2, 4, 32, dtype=torch.float16), "out is torch.float16"),
        ("alibi_slopes", torch.zeros(3), "alibi_slopes has shape"),
        ("lse", torch.zeros(2, 4, dtype=torch.float64), "lse is torch.float64"),
        ("k_scale", torch.ones(2), "k_scale has 2 elements"),
        ("k_scale", "1.0", "k_scale is str"),
        ("k_scale", [1.0], "k_scale is list"),
        ("query_start_loc", torch.tensor([0, 1], dtype=torch.int32), "seq_lens has 2 entries; 1 are accepted"),
        ("output_scale", torch.ones(2), "output_scale has 2 elements"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_argument_after_a_right_call(name: str, value: Any, message: str) -> None:
    batch = paged([37, 5])
    attend(batch)
    with pytest.raises((TypeError, ValueError), match=message):
        attend(batch, **{name: value})
    assert distance(attend(batch), expected(batch)[0]) <= 1e-6


def test_a_gradient_after_a_call_without() -> None:
    batch = paged([37, 5])
    attend(batch)
    with pytest.raises(ValueError, match="requires grad"):
        attend(batch, query=batch.query.clone().requires_grad_())
    with torch.no_grad():
        attend(batch, query=batch.query.clone().requires_grad_())


def test_contents_are_checked_on_request_whatever_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = paged([37, 5])
    attend(batch)
    monkeypatch.setenv("PAGED_ATTENTION_CHECK", "1")
    with pytest.raises(ValueError, match=r"seq_lens\[0\] is 1000"):
        attend(batch, seq_lens=torch.tensor([1000, 5], dtype=torch.int32))


# What is never kept.


@pytest.mark.parametrize(
    "more",
    [
        {"seq_lens": torch.tensor([37, 5])},
        {"query_start_loc": torch.tensor([0, 1, 2])},
        {"alibi_slopes": torch.zeros(4, dtype=torch.float64)},
        {"k_scale": torch.tensor(1.0), "kv_cache_dtype": "fp8"},
        {"backend": "torch"},
    ],
    ids=lambda more: next(iter(more)),
)
def test_a_call_that_needs_a_copy_is_made_anew(more: dict[str, Any]) -> None:
    batch = paged([37, 5], stored=FLOAT8 if "kv_cache_dtype" in more else None)
    arguments = {"backend": "triton", **batch.arguments(**more)}
    for _ in range(2):
        arguments["out"] = torch.full_like(batch.query, float("nan"))
        assert distance(paged_attention(**arguments), expected(batch)[0]) <= 1e-6
    assert not prepared._known


def test_a_call_with_a_tensor_that_begins_elsewhere_is_not_kept() -> None:
    """What is compiled for one that begins at a multiple of 16 bytes loads 16 bytes at once."""
    batch = paged([37, 5])
    room = torch.empty(batch.query.numel() + 1)
    query = room[1:].view(batch.query.shape).copy_(batch.query)
    assert not prepared.are_aligned(batch.query, query)
    assert prepared.are_aligned(batch.query, batch.key_cache)
    assert distance(attend(batch, query=query), expected(batch)[0]) <= 1e-6
    assert not prepared._known


def test_few_signatures_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "_MOST", 3)
    batch = paged([37, 5])
    for scale in (0.1, 0.2, 0.3, 0.4, 0.5):
        attend(batch, scale=scale)
        assert len(prepared._known) <= 3
