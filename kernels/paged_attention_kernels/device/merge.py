"""Partial softmax results of one item become one, and a result is written."""

import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_wait

from paged_attention_kernels.device.schedule import lengths_of, share_of_each, tiles_of, work_of

LN_2 = tl.constexpr(0.6931471805599453)


@triton.jit
def finish(
    greatest,
    row_sum,
    weighted,
    out_at,
    lse_at,
    inside,
    valid,
    sink_at,
    value_factor,
    HAS_LSE: tl.constexpr,
    HAS_SINKS: tl.constexpr,
    LARGEST: tl.constexpr,
):
    """Divide by the sum of weights, and store rows of the output and of the log-sum-exp.

    A row that sees nothing gives zeros and -inf. A float8 output saturates at LARGEST.
    """
    if HAS_SINKS:
        sink = tl.load(sink_at, mask=valid, other=0.0).to(tl.float32) / LN_2
        shift = tl.maximum(greatest, sink)
        decay = tl.exp2(greatest - shift)
        row_sum = row_sum * decay + tl.exp2(sink - shift)
        weighted = weighted * decay[:, None]
        greatest = shift
    some = row_sum > 0.0
    divisor = tl.where(some, row_sum, 1.0)
    result = weighted * (value_factor / divisor)[:, None]
    if LARGEST > 0.0:
        result = tl.minimum(tl.maximum(result, -LARGEST), LARGEST)
    tl.store(out_at, result.to(out_at.dtype.element_ty), mask=inside)
    if HAS_LSE:
        tl.store(lse_at, tl.where(some, (greatest + tl.log2(divisor)) * LN_2, float("-inf")), mask=valid)


@triton.jit
def merge_parts(
    parts,
    parts_greatest,
    parts_sum,
    first_slot,
    first_program,
    count,
    row,
    kept,
    dimension,
    rows_kept: tl.constexpr,
    ROWS: tl.constexpr,
    HEAD: tl.constexpr,
    HEAD_PADDED: tl.constexpr,
):
    """The running softmax over all parts of an item, always in the same order."""
    greatest = tl.full([ROWS], float("-inf"), tl.float32)
    row_sum = tl.zeros([ROWS], tl.float32)
    weighted = tl.zeros([ROWS, HEAD_PADDED], tl.float32)
    inside = kept[:, None] & (dimension < HEAD)[None, :]
    for index in tl.range(0, count, num_stages=4):
        slot = tl.where(index == 0, first_slot, 2 * (first_program + index))
        at = slot * rows_kept + row
        # Other programs wrote them: past the first-level cache, which may be stale.
        part_greatest = tl.load(parts_greatest + at, mask=kept, other=float("-inf"), cache_modifier=".cg")
        part_sum = tl.load(parts_sum + at, mask=kept, other=0.0, cache_modifier=".cg")
        part_at = parts + at.to(tl.int64)[:, None] * HEAD + dimension[None, :]
        part = tl.load(part_at, mask=inside, other=0.0, cache_modifier=".cg")
        new = tl.maximum(greatest, part_greatest)
        shift = tl.where(new == float("-inf"), 0.0, new)
        decay = tl.exp2(greatest - shift)
        part_decay = tl.exp2(part_greatest - shift)
        row_sum = row_sum * decay + part_sum * part_decay
        weighted = weighted * decay[:, None] + part * part_decay[:, None]
        greatest = new
    return greatest, row_sum, weighted


# Slices of these begin anywhere, and nothing is gained by loading 16 bytes of them at once.
@triton.jit(
    do_not_specialize=["num_seqs", "max_tokens", "num_queries", "programs"],
    do_not_specialize_on_alignment=["seq_lens", "query_start", "lse", "sinks", "value_scale", "output_scale"],
)
def merge(
    # out [tokens, heads, HEAD], lse [tokens, heads]
    out,
    lse,
    seq_lens,
    query_start,
    sinks,
    value_scale,
    output_scale,
    parts,
    parts_greatest,
    parts_sum,
    num_seqs,
    max_tokens,
    num_queries,
    programs,
    value_factor,
    out_token_stride,
    out_head_stride,
    lse_token_stride,
    lse_head_stride,
    KV_HEADS: tl.constexpr,
    GROUP: tl.constexpr,
    QUERY_TILE: tl.constexpr,
    HEAD: tl.constexpr,
    HEAD_PADDED: tl.constexpr,
    TILE: tl.constexpr,
    MIN_TILES: tl.constexpr,
    SCAN: tl.constexpr,
    PARTS: tl.constexpr,
    OVERLAPPED: tl.constexpr,
    WINDOW: tl.constexpr,
    HAS_QUERY_START: tl.constexpr,
    HAS_LSE: tl.constexpr,
    HAS_SINKS: tl.constexpr,
    HAS_VALUE_SCALE: tl.constexpr,
    HAS_OUTPUT_SCALE: tl.constexpr,
    LARGEST: tl.constexpr,
):
    """Merge the parts of one query token and one head, PARTS at a time; grid (tokens, heads)."""
    token = tl.program_id(0)
    head = tl.program_id(1)
    _, share, least = share_of_each(
        programs, num_seqs, max_tokens, num_queries, seq_lens, query_start,
        KV_HEADS, QUERY_TILE, WINDOW, TILE, HAS_QUERY_START, MIN_TILES, SCAN,
    )  # fmt: skip
    sequence = token
    if HAS_QUERY_START:
        sequence = 0
        for base in range(0, num_seqs, SCAN):
            index = base + tl.arange(0, SCAN)
            passed = tl.load(query_start + index + 1, mask=index < num_seqs, other=2147483647) <= token
            sequence += tl.sum(passed.to(tl.int32), 0)
        if sequence >= num_seqs:  # a token of no sequence
            if OVERLAPPED:
                gdc_wait()
            return
    # The work of all sequences before this one.
    begins = 0
    for base in range(0, sequence, SCAN):
        index = base + tl.arange(0, SCAN)
        work = work_of(
            index,
            sequence,
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
        begins += tl.sum(work, 0)
    length, query_len, first_query = lengths_of(
        sequence, num_seqs, max_tokens, num_queries, seq_lens, query_start, HAS_QUERY_START
    )
    _, tiles = tiles_of(length, query_len, WINDOW, TILE)
    tiles = tl.maximum(tiles, least)
    kv_head = head // GROUP
    query_index = token - first_query
    item_begins = begins + ((query_index // QUERY_TILE) * KV_HEADS + kv_head) * tiles
    first_program = item_begins // share
    count = (item_begins + tiles - 1) // share - first_program + 1
    if OVERLAPPED:
        gdc_wait()
    if count == 1:
        return
    first_slot = 2 * first_program + (item_begins > first_program * share).to(tl.int32)
    row = (query_index % QUERY_TILE) * GROUP + head % GROUP
    rows_kept: tl.constexpr = GROUP * QUERY_TILE
    dimension = tl.arange(0, HEAD_PADDED)
    greatest = tl.full([1], float("-inf"), tl.float32)
    row_sum = tl.zeros([1], tl.float32)
    weighted = tl.zeros([1, HEAD_PADDED], tl.float32)
    for base in range(0, count, PARTS):
        index = base + tl.arange(0, PARTS)
        there = index < count
        slot = tl.where(index == 0, first_slot, 2 * (first_program + index))
        at = slot * rows_kept + row
        part_greatest = tl.load(parts_greatest + at, mask=there, other=float("-inf"))
        part_sum = tl.load(parts_sum + at, mask=there, other=0.0)
        part_at = parts + at.to(tl.int64)[:, None] * HEAD + dimension[None, :]
        part = tl.load(part_at, mask=there[:, None] & (dimension < HEAD)[None, :], other=0.0)
        new = tl.maximum(greatest, tl.max(part_greatest, 0))
        shift = tl.where(new == float("-inf"), 0.0, new)
        decay = tl.exp2(greatest - shift)
        part_decay = tl.exp2(part_greatest - shift)
        row_sum = row_sum * decay + tl.sum(part_sum * part_decay, 0)
        weighted = weighted * decay[:, None] + tl.sum(part * part_decay[:, None], 0)[None, :]
        greatest = new
    if HAS_VALUE_SCALE:
        value_factor *= tl.load(value_scale)
    if HAS_OUTPUT_SCALE:
        value_factor /= tl.load(output_scale)
    one = tl.zeros([1], tl.int64)
    token_row = token.to(tl.int64) + one
    out_at = out + token_row[:, None] * out_token_stride + head * out_head_stride + dimension[None, :]
    lse_at = lse + token_row * lse_token_stride + head * lse_head_stride
    finish(
        greatest, row_sum, weighted, out_at, lse_at, (dimension < HEAD)[None, :], one == 0, sinks + (head + one),
        value_factor, HAS_LSE, HAS_SINKS, LARGEST,
    )  # fmt: skip
