"""How work is shared out on the device, from the lengths alone, so that no grid depends on them.

An item is a tile of query tokens of one sequence and one KV head, and its work the tiles of keys that it reads.
All items stand in one long row of tiles, by sequence, then by query tile, then by KV head.
Every program takes the same number of tiles of that row, wherever they fall;
so a batch of one long sequence among short ones keeps every program busy.
Where a program's tiles cross from one item to the next it drains its loads and starts anew, and both of its parts must
be merged. So items that differ little are cut alike instead: each has the length of the longest in the row, and a
program takes a whole part of one item, or some whole items.
"""

import triton
import triton.language as tl


@triton.jit
def lengths_of(
    sequence,
    num_seqs,
    max_tokens,
    num_queries,
    seq_lens,
    query_start,
    HAS_QUERY_START: tl.constexpr,
):
    """Tokens in the cache, query tokens and first query token of a sequence, or of a vector of sequences."""
    inside = sequence < num_seqs
    length = tl.load(seq_lens + sequence, mask=inside, other=0)
    length = tl.minimum(tl.maximum(length, 0), max_tokens)  # a wrong length must not lead out of the block table
    if HAS_QUERY_START:
        first_query = tl.load(query_start + sequence, mask=inside, other=0)
        first_query = tl.minimum(tl.maximum(first_query, 0), num_queries)
        end = tl.load(query_start + sequence + 1, mask=inside, other=0)
        query_len = tl.maximum(tl.minimum(end, num_queries) - first_query, 0)
    else:
        first_query = sequence
        query_len = inside.to(tl.int32)
    return length, query_len, first_query


@triton.jit
def tiles_of(length, query_len, WINDOW: tl.constexpr, TILE: tl.constexpr):
    """First tile of keys of a sequence that its query tokens see, and how many there are from it on; at least one."""
    first_tile = length * 0
    if WINDOW > 0:
        first_tile = tl.maximum(length - query_len + 1 - WINDOW, 0) // TILE
    return first_tile, tl.maximum(tl.cdiv(length, TILE) - first_tile, 1)


@triton.jit
def work_of(
    sequence,
    num_seqs,
    max_tokens,
    num_queries,
    seq_lens,
    query_start,
    least,
    KV_HEADS: tl.constexpr,
    QUERY_TILE: tl.constexpr,
    WINDOW: tl.constexpr,
    TILE: tl.constexpr,
    HAS_QUERY_START: tl.constexpr,
):
    """Tiles that a sequence (or each of a vector of sequences) adds to the row, `least` for each item at least."""
    length, query_len, _ = lengths_of(
        sequence, num_seqs, max_tokens, num_queries, seq_lens, query_start, HAS_QUERY_START
    )
    _, tiles = tiles_of(length, query_len, WINDOW, TILE)
    return tl.cdiv(query_len, QUERY_TILE) * tl.maximum(tiles, least) * KV_HEADS


@triton.jit
def share_of_each(
    programs,
    num_seqs,
    max_tokens,
    num_queries,
    seq_lens,
    query_start,
    KV_HEADS: tl.constexpr,
    QUERY_TILE: tl.constexpr,
    WINDOW: tl.constexpr,
    TILE: tl.constexpr,
    HAS_QUERY_START: tl.constexpr,
    MIN_TILES: tl.constexpr,
    SCAN: tl.constexpr,
):
    """Length of the row, the tiles that every program takes, and the tiles that each item has in the row at least."""
    total = 0
    items = 0
    longest = 1
    for base in range(0, num_seqs, SCAN):
        length, query_len, _ = lengths_of(
            base + tl.arange(0, SCAN), num_seqs, max_tokens, num_queries, seq_lens, query_start, HAS_QUERY_START
        )
        _, tiles = tiles_of(length, query_len, WINDOW, TILE)
        query_tiles = tl.cdiv(query_len, QUERY_TILE)
        total += tl.sum(query_tiles * tiles, 0) * KV_HEADS
        items += tl.sum(query_tiles, 0) * KV_HEADS
        longest = tl.maximum(longest, tl.max(tl.where(query_tiles > 0, tiles, 1), 0))
    share = tl.maximum(tl.cdiv(total, programs), MIN_TILES)
    # Cut alike: every item into as many parts as there are programs for it, or some whole items for each program.
    parts = tl.maximum(programs // tl.maximum(items, 1), 1)
    alike = tl.maximum(tl.cdiv(longest, parts), MIN_TILES)
    least = tl.cdiv(longest, alike) * alike
    if items > programs:
        alike = tl.cdiv(items, programs) * longest
        least = longest
    if alike * 8 <= share * 9:
        share = alike
        total = items * least
    else:
        least = 0
    return total, share, least


@triton.jit
def sequence_at(
    place,
    num_seqs,
    max_tokens,
    num_queries,
    seq_lens,
    query_start,
    least,
    KV_HEADS: tl.constexpr,
    QUERY_TILE: tl.constexpr,
    WINDOW: tl.constexpr,
    TILE: tl.constexpr,
    HAS_QUERY_START: tl.constexpr,
    SCAN: tl.constexpr,
):
    """The sequence whose tiles hold a place of the row, and the place at which they begin."""
    sequence = 0
    begins = 0
    running = 0
    for base in range(0, num_seqs, SCAN):
        index = base + tl.arange(0, SCAN)
        work = work_of(
            index,
            num_seqs,
            max_tokens,
            num_queries,
            seq_lens,
            query_start,
            least,
            KV_HEADS,
            QUERY_TILE,
            WINDOW,
            TILE,
            HAS_QUERY_START,
        )
        ends = running + tl.cumsum(work, 0)
        passed = (ends <= place) & (index < num_seqs)
        sequence += tl.sum(passed.to(tl.int32), 0)
        begins += tl.sum(tl.where(passed, work, 0), 0)
        running += tl.sum(work, 0)
    return sequence, begins
