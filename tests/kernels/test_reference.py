"""The reference, against torch's own attention and numbers worked by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from paged import Paged, distance, expected, paged
from paged_attention_kernels.reference import paged_attention


def run(batch: Paged, **more: Any) -> tuple[torch.Tensor, torch.Tensor]:
    return paged_attention(
        batch.query,
        batch.key_cache,
        batch.value_cache,
        batch.num_kv_heads,
        batch.scale,
        batch.block_tables,
        batch.seq_lens,
        batch.block_size,
        cache_layout=batch.layout,
        **more,
    )


@pytest.mark.parametrize("layout", ["legacy", "NHD", "HND"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_against_torchs_attention(layout: str, dtype: torch.dtype) -> None:
    batch = paged([37, 1, 64], layout=layout, dtype=dtype)
    out, _ = run(batch)
    for index, (key, value) in enumerate(zip(batch.keys, batch.values, strict=True)):
        wanted = torch.nn.functional.scaled_dot_product_attention(
            batch.query[index, :, None].float(),
            key.float().transpose(0, 1),
            value.float().transpose(0, 1),
            scale=batch.scale,
            enable_gqa=True,
        )
        assert distance(out[index], wanted[:, 0]) <= 2e-6


def test_causal_attention_of_a_whole_sequence() -> None:
    batch = paged([40], num_tokens=40)
    out, _ = run(batch, query_start_loc=torch.tensor([0, 40]))
    wanted = torch.nn.functional.scaled_dot_product_attention(
        batch.query.transpose(0, 1),
        batch.keys[0].transpose(0, 1),
        batch.values[0].transpose(0, 1),
        is_causal=True,
        scale=batch.scale,
        enable_gqa=True,
    )
    assert distance(out, wanted.transpose(0, 1)) <= 2e-6


def test_float64_and_every_feature_at_once() -> None:
    batch = paged([130, 0, 33], num_tokens=8)
    slopes, sinks = torch.tensor([0.1, 0.2, 0.0, -0.1]), torch.tensor([1.0, -1.0, 0.0, 3.0])
    given: dict[str, Any] = {"alibi_slopes": slopes, "sinks": sinks, "softcap": 3.0, "sliding_window": 50}
    starts = [0, 3, 4, 8]
    wanted, wanted_lse = expected(batch, query_start_loc=starts, **given)
    out, lse = run(batch, query_start_loc=torch.tensor(starts), dtype=torch.float64, **given)
    assert out.dtype == torch.float64
    assert distance(out, wanted) <= 1e-12
    assert distance(lse, wanted_lse) <= 1e-12


@pytest.mark.parametrize(
    ("stored", "name"),
    [(torch.float8_e4m3fn, "fp8"), (torch.float8_e4m3fn, "fp8_e4m3"), (torch.float8_e5m2, "fp8_e5m2")],
)
@pytest.mark.parametrize("as_bytes", [True, False])
def test_float8_caches(stored: torch.dtype, name: str, as_bytes: bool) -> None:
    batch = paged([20, 5], stored=stored)
    if as_bytes:
        batch = batch._replace(
            key_cache=batch.key_cache.view(torch.uint8), value_cache=batch.value_cache.view(torch.uint8)
        )
    out, _ = run(batch, kv_cache_dtype=name, k_scale=0.5, v_scale=2.0)
    assert distance(out, expected(batch, k_scale=0.5, v_scale=2.0)[0]) <= 1e-6


def one_key_a_token(values: list[float], scores: list[float]) -> dict[str, Any]:
    """One head of size 1 and a query of 1, so that keys are scores."""
    count = len(values)
    return {
        "query": torch.ones(1, 1, 1),
        "key_cache": torch.tensor(scores).view(count, 1, 1, 1),
        "value_cache": torch.tensor(values).view(count, 1, 1, 1),
        "num_kv_heads": 1,
        "scale": 1.0,
        "block_tables": torch.arange(count).view(1, count),
        "seq_lens": torch.tensor([count]),
        "block_size": 1,
        "cache_layout": "NHD",
    }


def test_numbers_worked_by_hand() -> None:
    # exp(log 3) : exp(0) = 3 : 1
    out, lse = paged_attention(**one_key_a_token([8.0, 4.0], [math.log(3.0), 0.0]))
    assert out.item() == pytest.approx((3 * 8 + 4) / 4)
    assert lse.item() == pytest.approx(math.log(4.0))
    # A sink of log 4 adds 4 to the denominator.
    out, lse = paged_attention(**one_key_a_token([8.0, 4.0], [math.log(3.0), 0.0]), sinks=torch.tensor([math.log(4.0)]))
    assert out.item() == pytest.approx((3 * 8 + 4) / 8)
    assert lse.item() == pytest.approx(math.log(8.0))
    # A slope of log 2: the key before the last counts half.
    slopes = torch.tensor([math.log(2.0)])
    out, _ = paged_attention(**one_key_a_token([6.0, 3.0], [0.0, 0.0]), alibi_slopes=slopes)
    assert out.item() == pytest.approx((6 / 2 + 3) / 1.5)
    # A window of two sees the last two.
    out, _ = paged_attention(**one_key_a_token([100.0, 6.0, 3.0], [5.0, 0.0, 0.0]), sliding_window=2)
    assert out.item() == pytest.approx(4.5)
    # softcap 1: tanh(log 3) = 0.8
    _, lse = paged_attention(**one_key_a_token([1.0], [math.log(3.0)]), softcap=1.0)
    assert lse.item() == pytest.approx(0.8)


def test_block_sparse_by_hand() -> None:
    """Eight tokens, sparse blocks of two, a stride of 3, one local block.

    With step 0 the offset is 1: of the key blocks 0 to 3, block 2 is kept (2 + 1 divides by 3), and the local one, 3.
    With step 1 and rank 1 of one head the offset is 2: block 1, and block 3.
    """
    given = one_key_a_token([1.0, 1.0, 10.0, 10.0, 100.0, 100.0, 1000.0, 1000.0], [0.0] * 8)
    sparse: dict[str, Any] = {"blocksparse_vert_stride": 3, "blocksparse_local_blocks": 1, "blocksparse_block_size": 2}
    out, _ = paged_attention(**given, **sparse)
    assert out.item() == pytest.approx(550.0)
    out, _ = paged_attention(**given, **sparse, blocksparse_head_sliding_step=1, tp_rank=1)
    assert out.item() == pytest.approx(505.0)
    # A negative step counts KV heads: rank 2 of one KV head and step -2 give an offset of 5, and block 1 again.
    out, _ = paged_attention(**given, **sparse, blocksparse_head_sliding_step=-2, tp_rank=2)
    assert out.item() == pytest.approx(505.0)


def test_what_sees_nothing_gives_zeros() -> None:
    batch = paged([0, 3])
    out, lse = run(batch)
    assert (out[0] == 0.0).all()
    assert (lse[0] == float("-inf")).all()
    _, lse = run(batch, sinks=torch.tensor([1.0, 2.0, 3.0, 4.0]))
    assert lse[0].tolist() == [1.0, 2.0, 3.0, 4.0]


def test_two_swapped_keys_are_seen() -> None:
    batch = paged([40])
    before, _ = run(batch)
    page = batch.block_tables[0, 0]
    slots = batch.key_cache[page].clone()
    slots[:, :, [2, 9]] = slots[:, :, [9, 2]]
    batch.key_cache[page] = slots
    after, _ = run(batch)
    assert distance(after, before) > 0.05
