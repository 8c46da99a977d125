"""What `paged_attention_v2` left in its scratch, against a computation in float64 from the plain keys and values."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from paged import TOLERANCES, Paged, distance, paged
from paged_attention_kernels import fill_partitions, paged_attention

FLOAT32_MAX = 3.4028234663852886e38
NAN = float("nan")


class Scratch(NamedTuple):
    exp_sums: torch.Tensor
    max_logits: torch.Tensor
    tmp_out: torch.Tensor


def scratch(batch: Paged, partitions: int) -> Scratch:
    """Buffers full of NaN."""
    num_seqs, num_heads, head_size = batch.query.shape
    shape = (num_seqs, num_heads, partitions)
    tmp_out = torch.full((*shape, head_size), NAN, dtype=batch.query.dtype)
    return Scratch(torch.full(shape, NAN), torch.full(shape, NAN), tmp_out)


def arguments(batch: Paged, **more: Any) -> dict[str, Any]:
    given = batch.arguments(**more)
    del given["out"], given["cache_layout"]
    return given


def expected(
    batch: Paged,
    partitions: int,
    *,
    alibi_slopes: list[float] | None = None,
    k_scale: float | None = None,
    v_scale: float | None = None,
    sparse: tuple[int, int, int, int, int] | None = None,
) -> Scratch:
    """One partition of one head after the other; `sparse` as in `paged.expected`, scales of a float8 cache alone."""
    num_seqs, num_heads, head_size = batch.query.shape
    per_kv_head = num_heads // batch.num_kv_heads
    sums = np.full((num_seqs, num_heads, partitions), np.nan)
    greatest = sums.copy()
    out = np.full((num_seqs, num_heads, partitions, head_size), np.nan)
    for sequence in range(num_seqs):
        keys = rounded(batch.keys[sequence], k_scale, batch.query.dtype)
        values = rounded(batch.values[sequence], v_scale, batch.query.dtype)
        length = len(keys)
        for head in range(num_heads):
            kv_head = head // per_kv_head
            for partition in range(min(math.ceil(length / 512), partitions)):
                tokens = range(512 * partition, min(512 * (partition + 1), length))
                kept = [sparse is None or keeps(sparse, batch, head, kv_head, token, length) for token in tokens]
                logits = np.full(len(tokens), -FLOAT32_MAX)
                for index, token in enumerate(tokens):
                    if kept[index]:
                        logits[index] = batch.scale * (
                            batch.query[sequence, head].double().numpy() @ keys[token, kv_head]
                        )
                        if alibi_slopes is not None:
                            logits[index] += alibi_slopes[head] * (token - length + 1)
                place = sequence, head, partition
                greatest[place] = logits.max()
                exponentials = np.exp(logits - logits.max())
                sums[place] = exponentials.sum()
                weights = exponentials / (sums[place] + 1e-6) * kept
                out[place] = weights @ np.where(np.array(kept)[:, None], values[list(tokens), kv_head], 0.0)
    return Scratch(torch.tensor(sums), torch.tensor(greatest), torch.tensor(out))


def rounded(tokens: torch.Tensor, scale: float | None, dtype: torch.dtype) -> Any:
    """A float8 becomes a float32, is scaled, and is rounded to the query's type."""
    return (tokens if scale is None else (tokens.float() * scale).to(dtype)).double().numpy()


def keeps(
    sparse: tuple[int, int, int, int, int], batch: Paged, head: int, kv_head: int, token: int, length: int
) -> bool:
    tp_rank, local_blocks, vert_stride, block_size, step = sparse
    if step >= 0:
        offset = (tp_rank * batch.query.shape[1] + head) * step + 1
    else:
        offset = (tp_rank * batch.num_kv_heads + kv_head) * -step + 1
    block = token // batch.block_size * batch.block_size // block_size
    return (block + offset) % vert_stride == 0 or block > (length - 1) // block_size - local_blocks


def is_right(batch: Paged, given: dict[str, Any] | None = None, **wanted: Any) -> Scratch:
    partitions = math.ceil(max(batch.seq_lens.tolist()) / 512)
    got = scratch(batch, partitions)
    fill_partitions(*got, **arguments(batch, **(given or {})))
    right = expected(batch, partitions, **wanted)
    for name in Scratch._fields:
        mine, its = getattr(got, name), getattr(right, name)
        assert torch.equal(mine.isnan(), its.isnan()), name
        tolerance = TOLERANCES[batch.query.dtype] if name == "tmp_out" else 1e-6
        assert distance(mine.nan_to_num(), its.nan_to_num()) <= tolerance, name
    return got


RAGGED = [1300, 0, 512, 513, 1, 1024, 511]


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("block_size", [8, 16, 32, 256])
def test_ragged_lengths(dtype: torch.dtype, block_size: int) -> None:
    is_right(paged(RAGGED, dtype=dtype, block_size=block_size))


@pytest.mark.parametrize(("num_heads", "num_kv_heads"), [(1, 1), (3, 3), (6, 2), (7, 1)])
def test_head_groups(num_heads: int, num_kv_heads: int) -> None:
    is_right(paged([700, 40], num_heads=num_heads, num_kv_heads=num_kv_heads, head_size=40))


def test_alibi_is_relative_to_the_last_token_of_the_sequence() -> None:
    slopes = [0.02, 0.0, -0.01, 0.3]
    got = is_right(paged(RAGGED), {"alibi_slopes": torch.tensor(slopes)}, alibi_slopes=slopes)
    assert (got.max_logits[0, 3, 0] < got.max_logits[0, 3, 2] - 200).all()


@pytest.mark.parametrize("as_bytes", [False, True])
@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize(("stored", "name"), [(torch.float8_e4m3fn, "fp8"), (torch.float8_e5m2, "fp8_e5m2")])
def test_float8_is_rounded_to_the_querys_type_once_scaled(
    stored: torch.dtype, name: str, dtype: torch.dtype, as_bytes: bool
) -> None:
    batch = paged([600, 20], stored=stored, dtype=dtype)
    given = {"kv_cache_dtype": name, "k_scale": 0.7, "v_scale": torch.tensor([[1.3]])}
    if as_bytes:
        given |= {"key_cache": batch.key_cache.view(torch.uint8), "value_cache": batch.value_cache.view(torch.uint8)}
    is_right(batch, given, k_scale=0.7, v_scale=1.3)


@pytest.mark.parametrize(
    "sparse",
    [(0, 1, 2, 16, 0), (0, 1, 3, 32, 1), (1, 2, 8, 64, 2), (3, 1, 3, 16, -1), (2, 1, 40, 64, -3), (0, 0, 50, 16, 1)],
)
def test_block_sparse(sparse: tuple[int, int, int, int, int]) -> None:
    is_right(paged([1300, 0, 512, 40]), sparsely(sparse), sparse=sparse)


def sparsely(sparse: tuple[int, int, int, int, int]) -> dict[str, Any]:
    names = ("tp_rank", "local_blocks", "vert_stride", "block_size", "head_sliding_step")
    return {
        name if name == "tp_rank" else f"blocksparse_{name}": value for name, value in zip(names, sparse, strict=True)
    }


def test_a_partition_that_is_dropped_whole() -> None:
    batch = paged([1100])
    got = is_right(batch, sparsely((0, 1, 100, 16, 0)), sparse=(0, 1, 100, 16, 0))
    assert (got.max_logits[0, :, :2] == -FLOAT32_MAX).all()
    assert (got.exp_sums[0, :, :2] == 512.0).all()
    assert (got.tmp_out[0, :, :2] == 0.0).all()


def test_dropped_blocks_are_not_read() -> None:
    batch = paged([1100])
    dropped = batch.block_tables[0, :60].long()
    batch.key_cache[dropped] = NAN
    batch.value_cache[dropped] = NAN
    is_right(batch, sparsely((0, 1, 100, 16, 0)), sparse=(0, 1, 100, 16, 0))


def test_a_vertical_stride_of_one_is_dense() -> None:
    is_right(paged([600]), {"blocksparse_vert_stride": 1, "blocksparse_local_blocks": 1})


def test_a_few_sequences_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paged_attention_kernels.partitions.MOST_ELEMENTS", 512 * 2 * 32 * 3 + 1)
    is_right(paged(RAGGED))
    monkeypatch.setattr("paged_attention_kernels.partitions.MOST_ELEMENTS", 1)
    is_right(paged(RAGGED))


@pytest.mark.parametrize("max_seq_len", [1301, 1536])
def test_pitch_comes_from_max_seq_len(max_seq_len: int) -> None:
    """Buffers with four partitions, of which three are written, one sequence and head close behind the other."""
    batch = paged([1300, 30])
    got, right = scratch(batch, 4), expected(batch, 3)
    fill_partitions(*got, **arguments(batch, max_seq_len=max_seq_len))
    for mine, its in zip(got, right, strict=True):
        packed = mine.flatten()[: its.numel()].view(its.shape)
        assert torch.equal(packed.isnan(), its.isnan())
        assert distance(packed.nan_to_num(), its.nan_to_num()) <= 1e-6
        assert mine.flatten()[its.numel() :].isnan().all()


def test_partitions_past_every_sequence_stay() -> None:
    batch = paged([600, 30])
    got = scratch(batch, 5)
    fill_partitions(*got, **arguments(batch, max_seq_len=2500))
    assert got.exp_sums[:, :, 2:].isnan().all()
    assert got.tmp_out[:, :, 2:].isnan().all()
    assert distance(got.exp_sums[:, :, :2].nan_to_num(), expected(batch, 2).exp_sums.nan_to_num()) <= 1e-6


def test_partitions_past_max_seq_len_are_not_written() -> None:
    batch = paged([1300])
    got = scratch(batch, 2)
    fill_partitions(*got, **arguments(batch, max_seq_len=1024))
    assert distance(got.max_logits, expected(batch, 2).max_logits) <= 1e-6


def test_a_length_past_the_tables_is_read_as_what_they_have_room_for() -> None:
    batch = paged([640])
    slopes = {"alibi_slopes": torch.tensor([0.02, 0.0, -0.01, 0.3])}
    whole, longer = scratch(batch, 2), scratch(batch, 2)
    tables = batch.block_tables[:, :40]
    fill_partitions(*whole, **arguments(batch, block_tables=tables, **slopes))
    fill_partitions(*longer, **arguments(batch, block_tables=tables, seq_lens=torch.tensor([900]), **slopes))
    for mine, its in zip(longer, whole, strict=True):
        assert torch.equal(mine, its)


def test_strides_of_buffers_are_not_read_and_flat_memory_is_taken() -> None:
    batch, right = paged([600, 30]), expected(paged([600, 30]), 2)
    wide = torch.full((2, 4, 5), NAN)
    max_logits, tmp_out = torch.full((16,), NAN), torch.full((16 * 32,), NAN)
    fill_partitions(wide[:, :, 1:3], max_logits, tmp_out, **arguments(batch))
    assert distance(wide.flatten()[1:17].nan_to_num(), right.exp_sums.flatten().nan_to_num()) <= 1e-6
    assert distance(tmp_out.nan_to_num(), right.tmp_out.flatten().nan_to_num()) <= 1e-6
    assert wide.flatten()[17:].isnan().all()


@pytest.mark.parametrize("dtype", TOLERANCES)
def test_merged_partitions_are_the_output(dtype: torch.dtype) -> None:
    batch = paged([1300, 600, 30], dtype=dtype)
    slopes = torch.tensor([0.02, 0.0, -0.01, 0.3])
    given = sparsely((0, 2, 4, 16, 1)) | {"alibi_slopes": slopes}
    got = scratch(batch, 3)
    fill_partitions(*got, **arguments(batch, **given))
    whole = paged_attention(**batch.arguments(**given))
    for sequence, partitions in enumerate((3, 2, 1)):
        sums, logits, parts = (each[sequence, :, :partitions].double() for each in got)
        rescaled = sums * torch.exp(logits - logits.amax(dim=1, keepdim=True))
        share = rescaled / (rescaled.sum(dim=1, keepdim=True) + 1e-6)
        merged = (parts * share[..., None]).sum(dim=1)
        assert distance(merged, whole[sequence]) <= 2 * TOLERANCES[dtype]


def test_nothing_to_do() -> None:
    none = paged([], num_kv_heads=1)
    fill_partitions(*scratch(none, 1), **arguments(none))
    batch = paged([0, 0])
    got = scratch(batch, 1)
    fill_partitions(*got, **arguments(batch, max_seq_len=512))
    caches = {"key_cache": batch.key_cache[:0], "value_cache": batch.value_cache[:0]}
    fill_partitions(*got, **arguments(batch, max_seq_len=512, **caches))
    fill_partitions(*got, **arguments(batch, max_seq_len=512, block_tables=batch.block_tables[:, :0]))
    fill_partitions(*got, **arguments(batch, max_seq_len=0))
    assert all(each.isnan().all() for each in got)


HALF = paged([600, 30], dtype=torch.float16)
SUMS, LOGITS, PARTS = scratch(HALF, 2)
META = torch.device("meta")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((PARTS, SUMS, LOGITS), r"exp_sums is torch.float16; torch.float32 \[num_seqs, num_heads, partitions\], here"),
        ((SUMS, PARTS, LOGITS), "max_logits is torch.float16; torch.float32 "),
        ((SUMS, LOGITS, PARTS.float()), r"tmp_out is torch.float32; torch.float16 .*head_size\], here \[2, 4, 2, 32\]"),
        ((SUMS.half(), LOGITS, PARTS), "exp_sums is torch.float16"),
        ((PARTS.float(), LOGITS, PARTS), r"exp_sums has shape \[2, 4, 2, 32\]"),
        ((SUMS, LOGITS, PARTS[:, :, :, 0]), r"tmp_out has shape \[2, 4, 2\] and room for 16 elements"),
        ((SUMS, LOGITS[:, :, :1].contiguous(), PARTS), r"max_logits has shape \[2, 4, 1\] .* 16 elements or more"),
        ((SUMS[:1], LOGITS, PARTS), r"exp_sums has shape \[1, 4, 2\] and room for 8 elements; .*512 tokens"),
        ((SUMS, LOGITS, PARTS[:, :1]), r"tmp_out has shape \[2, 1, 2, 32\]"),
        ((torch.zeros(1).expand(2, 4, 2), LOGITS, PARTS), "exp_sums has shape .* room for 1 elements"),
        ((SUMS.to(META), LOGITS, PARTS), "exp_sums is on meta and query on cpu"),
        ((SUMS, LOGITS.to(META), PARTS), "max_logits is on meta"),
        ((SUMS, LOGITS, PARTS.to(META)), "tmp_out is on meta"),
        ((None, LOGITS, PARTS), "exp_sums is NoneType; a tensor is accepted"),
        ((SUMS, LOGITS, [PARTS]), "tmp_out is list"),
    ],
)
def test_wrong_buffers(given: tuple[Any, Any, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        fill_partitions(*given, **arguments(HALF))
    assert SUMS.isnan().all()


def test_other_arguments_are_checked_as_in_paged_attention() -> None:
    with pytest.raises(ValueError, match="num_kv_heads is 4 and key_cache"):
        fill_partitions(SUMS, LOGITS, PARTS, **arguments(HALF, num_kv_heads=4))
    with pytest.raises(TypeError, match="seq_lens is list; a tensor is accepted"):
        fill_partitions(SUMS, LOGITS, PARTS, **arguments(HALF, seq_lens=[600, 30]))


def test_nothing_is_read_back() -> None:
    """A shape or a branch that depends on what a tensor holds would fail on the meta device."""
    batch = paged([600, 30])
    given: dict[str, Any] = {
        name: value.to(META) if isinstance(value, torch.Tensor) else value
        for name, value in arguments(batch, alibi_slopes=torch.ones(4), **sparsely((0, 1, 3, 16, 1))).items()
    }
    fill_partitions(*Scratch(*(each.to(META) for each in scratch(batch, 2))), **given)
