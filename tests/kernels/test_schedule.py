"""How the row of tiles is shared out."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl

from paged_attention_kernels.device.schedule import share_of_each


@triton.jit  # type: ignore[untyped-decorator]
def _shares(found, seq_lens, num_seqs, programs, KV_HEADS: tl.constexpr, TILE: tl.constexpr, MIN_TILES: tl.constexpr):  # type: ignore[no-untyped-def]  # noqa: N803
    total, share, least = share_of_each(
        programs, num_seqs, 1 << 20, num_seqs, seq_lens, seq_lens, KV_HEADS, 1, 0, TILE, False, MIN_TILES, 4
    )
    tl.store(found, total)
    tl.store(found + 1, share)
    tl.store(found + 2, least)


def shares(lengths: list[int], programs: int, min_tiles: int = 1) -> list[int]:
    """Length of the row, share of a program, and what an item has in the row at least; 2 KV heads, tiles of 32."""
    found = torch.zeros(3, dtype=torch.int32)
    _shares[(1,)](found, torch.tensor(lengths, dtype=torch.int32), len(lengths), programs, 2, 32, min_tiles)
    return [int(each) for each in found]


@pytest.mark.parametrize(
    ("lengths", "programs", "expected"),
    [
        # As many items as programs: one each.
        ([320] * 4, 8, [80, 10, 10]),
        # Half as many: halves.
        ([320] * 4, 16, [80, 5, 10]),
        # Thirds of 10 tiles are 4, 4 and 2, so the row has 12 for each.
        ([320] * 4, 24, [96, 4, 12]),
        # Twice as many: two whole ones each.
        ([320] * 8, 8, [160, 20, 10]),
        # Nearly as many, and lengths that differ by less than a tile.
        ([320, 319, 300, 289, 320, 320, 320], 15, [140, 10, 10]),
        # A shorter one has the length of the longest.
        ([320, 320, 320, 288], 8, [80, 10, 10]),
    ],
)
def test_items_that_differ_little_are_cut_alike(lengths: list[int], programs: int, expected: list[int]) -> None:
    assert shares(lengths, programs) == expected


@pytest.mark.parametrize(
    ("lengths", "programs", "expected"),
    [
        # Too few for whole items to keep all programs busy.
        ([320] * 5, 16, [100, 7, 0]),
        # One long one among short ones.
        ([3200, 32, 32, 32], 8, [206, 26, 0]),
        # Three for two programs.
        ([320, 320, 320], 4, [60, 15, 0]),
    ],
)
def test_others_are_cut_into_equal_shares_of_the_row(lengths: list[int], programs: int, expected: list[int]) -> None:
    assert shares(lengths, programs) == expected


def test_no_part_is_shorter_than_what_pays() -> None:
    assert shares([320], 1000, min_tiles=4) == [24, 4, 12]
