"""How work is shared out on the device, from the lengths alone, so that no grid depends on them.

An item is a tile of query tokens of one sequence and one KV head, and its work the tiles of keys that it reads.
All items stand in one long row of tiles, by sequence, then by query tile, then by KV head.
Every program takes the same number of tiles of that row, wherever they fall;
so a batch of one long sequence among short ones keeps every program busy, and so does a batch of equal ones.
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
    KV_HEADS: tl.constexpr,
    QUERY_TILE: tl.constexpr,
    WINDOW: tl.constexpr,
    TILE: tl.constexpr,
    HAS_QUERY_START: tl.constexpr,
):
    """Tiles that a sequence (or each of a vector of sequences) adds to the row."""
    length, query_len, _ = lengths_of(
        sequence, num_seqs, max_tokens, num_queries, seq_lens, query_start, HAS_QUERY_START
    )
    _, tiles = tiles_of(length, query_len, WINDOW, TILE)
    return tl.cdiv(query_len, QUERY_TILE) * tiles * KV_HEADS


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
    """Length of the row, and the tiles that every program takes."""
    total = 0
    for base in range(0, num_seqs, SCAN):
        work = work_of(
            base + tl.arange(0, SCAN),
            num_seqs,
            max_tokens,
            num_queries,
            seq_lens,
            query_start,
            KV_HEADS,
            QUERY_TILE,
            WINDOW,
            TILE,
            HAS_QUERY_START,
        )
        total += tl.sum(work, 0)
    return total, tl.maximum(tl.cdiv(total, programs), MIN_TILES)


@triton.jit
def sequence_at(
    place,
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
