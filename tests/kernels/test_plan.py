"""How calls are cut."""

from __future__ import annotations

from typing import Any

import pytest

from paged_attention_kernels.plan import MOST_QUERY_TILE, plan_for

USUAL = {
    "num_seqs": 64,
    "num_tokens": 64,
    "num_kv_heads": 8,
    "group": 4,
    "head_size": 128,
    "block_size": 16,
    "element_size": 2,
    "processors": 132,
    "max_seq_len": 8192,
}


def plan(**changed: Any) -> Any:
    return plan_for(**(USUAL | changed))


@pytest.mark.parametrize("head_size", [8, 32, 64, 80, 96, 112, 120, 128, 192, 256])
@pytest.mark.parametrize("element_size", [1, 2, 4])
@pytest.mark.parametrize("block_size", [8, 16, 32, 64, 128, 256])
def test_a_tile_is_whole_blocks_or_a_block_is_whole_tiles(head_size: int, element_size: int, block_size: int) -> None:
    cut = plan(head_size=head_size, element_size=element_size, block_size=block_size)
    assert max(cut.tile, block_size) % min(cut.tile, block_size) == 0
    assert cut.tile >= 16
    assert cut.head_padded >= head_size
    assert cut.head_padded & (cut.head_padded - 1) == 0


@pytest.mark.parametrize("group", [1, 3, 4, 7, 8, 16, 17, 64])
@pytest.mark.parametrize("query_len", [1, 2, 3, 8, 100])
def test_rows_hold_a_group_of_each_query_token(group: int, query_len: int) -> None:
    cut = plan(group=group, num_tokens=64 * query_len)
    assert cut.rows >= max(group * cut.query_tile, 16)
    assert cut.query_tile <= MOST_QUERY_TILE


def test_lengths_do_not_matter_but_the_longest_possible_one_does() -> None:
    assert plan(max_seq_len=1 << 20).programs == plan(max_seq_len=10).programs
    assert plan(num_seqs=1, num_tokens=1, max_seq_len=1 << 17).merge_here is False
    assert plan(num_seqs=1, num_tokens=1, max_seq_len=100).merge_here is True
    assert plan().merge_here is True


def test_an_empty_batch() -> None:
    assert plan(num_seqs=0, num_tokens=0).query_tile == 1
