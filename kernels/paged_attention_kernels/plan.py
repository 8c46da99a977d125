"""How a call is cut for the device: the tile, the programs, and where parts are merged."""

from __future__ import annotations

from typing import NamedTuple

# A matrix unit takes 16 rows at least, and columns and depth of 16 or more.
LEAST_ROWS = 16
# Query tokens of one sequence that share a tile of keys; more only spend registers.
MOST_QUERY_TILE = 8
_SCAN = 1024
_FEW_PARTS = 8


class Plan(NamedTuple):
    """`tile` tokens a step, of which `stages` are under way; `programs` share the row of tiles.

    `rows` of a tile are `query_tile` query tokens by the heads of a group, padded.
    `merge_here`: the program that stores an item's last part merges them; else a second launch does.
    """

    tile: int
    stages: int
    warps: int
    programs: int
    min_tiles: int
    scan: int
    query_tile: int
    rows: int
    head_padded: int
    merge_here: bool


def plan_for(  # noqa: PLR0913  # keywords only
    *,
    num_seqs: int,
    num_tokens: int,
    num_kv_heads: int,
    group: int,
    head_size: int,
    block_size: int,
    element_size: int,
    processors: int,
    max_seq_len: int,
) -> Plan:
    """The plan for sizes that the host knows; it never looks at lengths, so it fits every replay of a CUDA graph."""
    head_padded = max(_power_of_two(head_size), 16)
    query_tile = min(_power_of_two(-(-num_tokens // max(num_seqs, 1))), MOST_QUERY_TILE)
    rows = max(_power_of_two(group * query_tile), LEAST_ROWS)
    tile, stages = _tile(head_padded, block_size, element_size)
    programs = processors * _programs_per_processor(head_padded * tile * element_size)
    items = max(num_seqs * num_kv_heads, 1)
    parts = min(programs / items, -(-max_seq_len // (2 * tile)))
    return Plan(
        tile=tile,
        stages=stages,
        warps=2 if rows == LEAST_ROWS else 4,
        programs=programs,
        min_tiles=max(64 // tile, 1),
        scan=min(_power_of_two(max(num_seqs, 1)), _SCAN),
        query_tile=query_tile,
        rows=rows,
        head_padded=head_padded,
        merge_here=parts <= _FEW_PARTS,
    )


def _tile(head_padded: int, block_size: int, element_size: int) -> tuple[int, int]:
    """Tokens a step and stages.

    The table of load load a page takes a stage of its own, so five stages are two tiles under way.
    """
    row_bytes = head_padded * element_size
    if row_bytes > 512:
        return 16, 3
    if row_bytes > 256:
        return (32, 3) if block_size >= 32 else (16, 5)
    if row_bytes > 128:
        return 32, 5
    return 64, 3


def _programs_per_processor(tile_bytes: int) -> int:
    return 4 if tile_bytes <= 16384 else 2


def _power_of_two(number: int) -> int:
    return 1 << max(number - 1, 0).bit_length()
