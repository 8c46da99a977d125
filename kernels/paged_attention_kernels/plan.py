"""How a call is cut for the device: the tile, the programs, and where parts are merged."""

from __future__ import annotations

from typing import NamedTuple

# A matrix unit takes 16 rows at least, and columns and depth of 16 or more.
LEAST_ROWS = 16
# Query tokens of one sequence that share a tile of keys; more only spend registers.
MOST_QUERY_TILE = 8
_SCAN = 1024
_FEW_PARTS = 8
# Lengths may be uneven: one sequence this long among short ones has parts enough to keep the last program busy alone.
_MERGED_HERE = 16384
_MERGED_AT_ONCE = 8192


class Architecture(NamedTuple):
    """How work is cut on one: a row of a tile up to so many bytes, tokens of a tile, stages; and warps."""

    tiles: tuple[tuple[int, int, int], ...]
    warps: int


# The entry of the block table that says where a page lies takes a stage of its own, so five stages are two tiles under
# way.
_NVIDIA = Architecture(tiles=((64, 128, 3), (128, 64, 3), (256, 32, 5), (512, 16, 5), (1024, 16, 3)), warps=2)
# Unmeasured: what compiles without spills and leaves room for two programs in 64 KiB of shared memory.
_CDNA = Architecture(tiles=((256, 64, 2), (512, 32, 2), (1024, 16, 2)), warps=4)
# With a second stage gfx950 copies to shared memory, 4 bytes of the values at a time.
_CDNA4 = Architecture(tiles=((256, 64, 1), (512, 32, 1), (1024, 16, 1)), warps=4)
_RDNA = Architecture(tiles=((256, 32, 2), (512, 16, 2), (1024, 16, 1)), warps=8)
ARCHITECTURES = {"nvidia": _NVIDIA, "cdna": _CDNA, "cdna4": _CDNA4, "rdna": _RDNA}


class Plan(NamedTuple):
    """`tile` tokens a step, of which `stages` are under way; `programs` share the row of tiles.

    `rows` of a tile are `query_tile` query tokens by the heads of a group, padded.
    `merge_here`: the program that stores an item's last part merges them; else a second launch does, `parts` at a time.
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
    parts: int


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
    architecture: str = "nvidia",
) -> Plan:
    """The plan for sizes that the host knows; it never looks at lengths, so it fits every replay of a CUDA graph."""
    head_padded = max(_power_of_two(head_size), 16)
    query_tile = min(_power_of_two(-(-num_tokens // max(num_seqs, 1))), MOST_QUERY_TILE)
    rows = max(_power_of_two(group * query_tile), LEAST_ROWS)
    cuts = ARCHITECTURES[architecture]
    row_bytes = head_padded * element_size
    tile, stages = next(cut for most, *cut in cuts.tiles if row_bytes <= most)
    if row_bytes == 512 and block_size >= 32 and architecture == "nvidia":
        tile, stages = 32, 3
    items = max(num_seqs * num_kv_heads, 1)
    programs = processors * _programs_per_processor(head_padded * tile * element_size, items <= processors)
    parts = min(programs / items, -(-max_seq_len // (2 * tile)))
    return Plan(
        tile=tile,
        stages=stages,
        warps=cuts.warps if rows <= 2 * LEAST_ROWS else max(cuts.warps, 4),
        programs=programs,
        min_tiles=max(64 // tile, 1),
        scan=min(_power_of_two(max(num_seqs, 1)), _SCAN),
        query_tile=query_tile,
        rows=rows,
        head_padded=head_padded,
        merge_here=parts <= _FEW_PARTS and max_seq_len <= _MERGED_HERE,
        parts=min(max(_power_of_two(int(parts)), 4), _MERGED_AT_ONCE // head_padded),
    )


def _programs_per_processor(tile_bytes: int, few: bool) -> int:
    return 4 if tile_bytes <= 16384 and not few else 2


def _power_of_two(number: int) -> int:
    return 1 << max(number - 1, 0).bit_length()
