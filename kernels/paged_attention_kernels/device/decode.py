"""The decode kernel: attention of a few query tokens of every sequence over its cached keys and values.

A tile of scores [ROWS, TILE] has the query heads of one KV head as rows (of QUERY_TILE query tokens each),
padded to what a matrix unit takes; so keys and values are read once for all of them.
Scores are kept as logarithms to base 2, with the softmax scale folded in.
"""

import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_launch_dependents

from paged_attention_kernels.device.merge import finish, merge_parts
from paged_attention_kernels.device.schedule import lengths_of, sequence_at, share_of_each, tiles_of
from paged_attention_kernels.device.tiles import as_compute_type, load_tile

LOG2_E = tl.constexpr(1.4426950408889634)


@triton.jit
def softcapped(score, softcap):
    """The score, bent so that it stays between -softcap and softcap: softcap * tanh(score / softcap)."""
    power = tl.exp2(score * (2.0 * LOG2_E / softcap))
    return softcap - 2.0 * softcap / (power + 1.0)


@triton.jit
def attend_tile(
    # the running softmax of each row: greatest score, sums by column, weighted values
    greatest,
    weight_sum,
    weighted,
    # this tile
    first,
    query,
    multiplier,
    row_begin,
    row_end,
    sees_from,
    sees_to,
    slope,
    softcap,
    sparse_offset,
    sparse_local,
    sparse_stride,
    sparse_block,
    # where keys and values lie
    last_page,
    num_blocks,
    row_of_table,
    key_base,
    value_base,
    key_block_stride,
    value_block_stride,
    key_token_stride,
    value_token_stride,
    LAYOUT: tl.constexpr,
    FORMAT: tl.constexpr,
    COMPUTE: tl.constexpr,
    HEAD: tl.constexpr,
    HEAD_PADDED: tl.constexpr,
    BLOCK: tl.constexpr,
    PACK: tl.constexpr,
    TILE: tl.constexpr,
    ALIGNED: tl.constexpr,
    MASKED: tl.constexpr,
    HAS_SOFTCAP: tl.constexpr,
    HAS_ALIBI: tl.constexpr,
    SPARSE: tl.constexpr,
):
    """Add TILE tokens from token `first` on to the running softmax."""
    key, value = load_tile(
        first,
        last_page,
        num_blocks,
        row_of_table,
        key_base,
        value_base,
        key_block_stride,
        value_block_stride,
        key_token_stride,
        value_token_stride,
        LAYOUT,
        HEAD,
        HEAD_PADDED,
        BLOCK,
        PACK,
        TILE,
        ALIGNED,
    )
    key = as_compute_type(key, FORMAT, COMPUTE)
    value = as_compute_type(value, FORMAT, COMPUTE)
    score = tl.dot(query, key, input_precision="ieee") * multiplier[:, None]
    if HAS_SOFTCAP:
        score = softcapped(score, softcap) * LOG2_E
    token = first + tl.arange(0, TILE)
    if HAS_ALIBI:
        score += slope[:, None] * (token[None, :] - (row_end - 1)[:, None]).to(tl.float32)
    if MASKED or SPARSE:
        seen = (token[None, :] >= row_begin[:, None]) & (token[None, :] < row_end[:, None])
        if SPARSE:
            key_block = (token // BLOCK * BLOCK) // sparse_block
            query_block = (row_end - 1) // sparse_block
            strided = (key_block[None, :] + sparse_offset[:, None]) % sparse_stride == 0
            seen &= strided | (key_block[None, :] > (query_block - sparse_local)[:, None])
        score = tl.where(seen, score, float("-inf"))
        # A slot that was never written may hold NaN, and NaN times a weight of zero is NaN.
        value = tl.where(((token >= sees_from) & (token < sees_to))[:, None], value, 0.0)
    new = tl.maximum(greatest, tl.max(score, 1))
    shift = new
    if MASKED or SPARSE:
        shift = tl.where(new == float("-inf"), 0.0, new)
    weight = tl.exp2(score - shift[:, None])
    decay = tl.exp2(greatest - shift)
    # Sums stay by column until the end: one exchange between warps less in every tile.
    weight_sum = weight_sum * decay[:, None] + weight
    weighted = weighted * decay[:, None] + tl.dot(weight.to(COMPUTE), value, input_precision="ieee")
    return new, weight_sum, weighted


# Slices of these begin anywhere, and nothing is gained by loading 16 bytes of them at once.
@triton.jit(
    do_not_specialize=["num_seqs", "max_tokens", "num_queries", "num_blocks"],
    do_not_specialize_on_alignment=[
        "seq_lens",
        "query_start",
        "block_tables",
        "lse",
        "alibi_slopes",
        "sinks",
        "key_scale",
        "value_scale",
        "output_scale",
    ],
)
def decode(
    # out [tokens, heads, HEAD], lse [tokens, heads], query [tokens, heads, HEAD]
    out,
    lse,
    query,
    # key_cache, value_cache: blocks of BLOCK tokens, in one of the layouts
    key_cache,
    value_cache,
    # block_tables [seqs, pages], seq_lens [seqs], query_start [seqs + 1]
    block_tables,
    seq_lens,
    query_start,
    # [heads] each
    alibi_slopes,
    sinks,
    # one float32 each
    key_scale,
    value_scale,
    output_scale,
    # parts [2 * programs, GROUP * QUERY_TILE, HEAD], their greatest scores and sums [2 * programs, GROUP * QUERY_TILE],
    # and how many of an item's parts are there [2 * programs]
    parts,
    parts_greatest,
    parts_sum,
    arrived,
    # numbers
    num_seqs,
    max_tokens,
    num_queries,
    num_blocks,
    softmax_scale,
    key_factor,
    value_factor,
    softcap,
    tp_rank,
    sparse_local,
    sparse_stride,
    sparse_block,
    sparse_step,
    # strides in elements
    out_token_stride,
    out_head_stride,
    lse_token_stride,
    lse_head_stride,
    query_token_stride,
    query_head_stride,
    table_stride,
    key_block_stride,
    key_head_stride,
    key_token_stride,
    value_block_stride,
    value_head_stride,
    value_token_stride,
    # what is compiled in
    KV_HEADS: tl.constexpr,
    GROUP: tl.constexpr,
    QUERY_TILE: tl.constexpr,
    ROWS: tl.constexpr,
    HEAD: tl.constexpr,
    HEAD_PADDED: tl.constexpr,
    BLOCK: tl.constexpr,
    PACK: tl.constexpr,
    TILE: tl.constexpr,
    STAGES: tl.constexpr,
    MIN_TILES: tl.constexpr,
    SCAN: tl.constexpr,
    LAYOUT: tl.constexpr,
    FORMAT: tl.constexpr,
    COMPUTE: tl.constexpr,
    ALIGNED: tl.constexpr,
    WINDOW: tl.constexpr,
    MERGE_HERE: tl.constexpr,
    OVERLAPPED: tl.constexpr,
    HAS_QUERY_START: tl.constexpr,
    HAS_LSE: tl.constexpr,
    HAS_ALIBI: tl.constexpr,
    HAS_SOFTCAP: tl.constexpr,
    HAS_SINKS: tl.constexpr,
    HAS_KEY_SCALE: tl.constexpr,
    HAS_VALUE_SCALE: tl.constexpr,
    HAS_OUTPUT_SCALE: tl.constexpr,
    LARGEST: tl.constexpr,
    SPARSE: tl.constexpr,
    RESCALE_QUERY: tl.constexpr,
):
    """Attention of this program's share of the row of tiles (see schedule.py)."""
    if OVERLAPPED:
        gdc_launch_dependents()  # the merging programs may get ready; they wait for all parts
    program = tl.program_id(0)
    programs = tl.num_programs(0)
    total, share, least = share_of_each(
        programs,
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
        MIN_TILES,
        SCAN,
    )
    begin = program * share
    if begin >= total:
        return
    finish_at = tl.minimum(begin + share, total)
    sequence, begins = sequence_at(
        begin,
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
        SCAN,
    )

    multiplier = softmax_scale * key_factor
    if HAS_KEY_SCALE:
        multiplier *= tl.load(key_scale)
    if not HAS_SOFTCAP:
        multiplier *= LOG2_E
    if HAS_VALUE_SCALE:
        value_factor *= tl.load(value_scale)
    if HAS_OUTPUT_SCALE:
        value_factor /= tl.load(output_scale)

    row = tl.arange(0, ROWS)
    head_of_group = row % GROUP
    dimension = tl.arange(0, HEAD_PADDED)

    at = begin
    while at < finish_at:
        length, query_len, first_query = lengths_of(
            sequence, num_seqs, max_tokens, num_queries, seq_lens, query_start, HAS_QUERY_START
        )
        first_tile, tiles = tiles_of(length, query_len, WINDOW, TILE)
        tiles = tl.maximum(tiles, least)
        work = tl.cdiv(query_len, QUERY_TILE) * tiles * KV_HEADS
        item = (at - begins) // tiles
        item_begins = begins + item * tiles
        taken = tl.minimum(item_begins + tiles, finish_at) - at
        if work == 0:  # a sequence without query tokens
            taken = 0
        else:
            kv_head = item % KV_HEADS
            query_index = (item // KV_HEADS) * QUERY_TILE + row // GROUP
            valid = (row < GROUP * QUERY_TILE) & (query_index < query_len)
            row_end = length - query_len + query_index + 1
            row_begin = row_end * 0
            if WINDOW > 0:
                row_begin = tl.maximum(row_end - WINDOW, 0)
            token_row = (first_query + query_index).to(tl.int64)
            head = kv_head * GROUP + head_of_group

            query_at = query + token_row[:, None] * query_token_stride + head[:, None] * query_head_stride
            inside = valid[:, None] & (dimension < HEAD)[None, :]
            query_tile = tl.load(query_at + dimension[None, :], mask=inside, other=0.0)
            row_multiplier = tl.zeros([ROWS], tl.float32) + multiplier
            if RESCALE_QUERY:
                # bfloat16 reaches further than float16, in which float8 keys are multiplied.
                largest = tl.max(tl.abs(query_tile.to(tl.float32)), 1)
                largest = tl.where(largest > 0.0, largest, 1.0)
                query_tile = query_tile.to(tl.float32) / largest[:, None]
                row_multiplier *= largest
            query_tile = query_tile.to(COMPUTE)

            slope = tl.zeros([ROWS], tl.float32)
            if HAS_ALIBI:
                slope = tl.load(alibi_slopes + head) * LOG2_E
            sparse_offset = row * 0
            if SPARSE:
                if sparse_step >= 0:
                    sparse_offset = (tp_rank * (KV_HEADS * GROUP) + head) * sparse_step + 1
                else:
                    sparse_offset = (tp_rank * KV_HEADS + kv_head) * (-sparse_step) + 1 + row * 0

            # [start, stop) is this program's part of the item; all rows see all of [plain, plain_to).
            start = (first_tile + at - item_begins) * TILE
            stop = tl.minimum(start + taken * TILE, length)
            first_row_end = length - query_len + (item // KV_HEADS) * QUERY_TILE + 1
            last_row_end = tl.minimum(first_row_end + QUERY_TILE - 1, length)
            sees_from = 0
            plain = start
            if WINDOW > 0:
                sees_from = tl.maximum(first_row_end - WINDOW, 0)
                plain = tl.cdiv(tl.maximum(last_row_end - WINDOW, 0), TILE) * TILE
                plain = tl.minimum(tl.maximum(plain, start), tl.cdiv(stop, TILE) * TILE)
            plain_to = tl.maximum(tl.minimum(first_row_end // TILE * TILE, stop // TILE * TILE), plain)

            row_of_table = block_tables + sequence.to(tl.int64) * table_stride
            key_base = key_cache + kv_head.to(tl.int64) * key_head_stride
            value_base = value_cache + kv_head.to(tl.int64) * value_head_stride
            last_page = tl.maximum(length - 1, 0) // BLOCK

            greatest = tl.full([ROWS], float("-inf"), tl.float32)
            weight_sum = tl.zeros([ROWS, TILE], tl.float32)
            weighted = tl.zeros([ROWS, HEAD_PADDED], tl.float32)
            # What all rows see needs no mask; what comes before it (with a window) and after it does.
            for stretch in tl.static_range(0 if WINDOW > 0 else 1, 3):
                if stretch == 0:
                    low, high = start, plain
                elif stretch == 1:
                    low, high = plain, plain_to
                else:
                    low, high = plain_to, stop
                for first in tl.range(low, high, TILE, num_stages=STAGES if stretch == 1 else 1):
                    greatest, weight_sum, weighted = attend_tile(
                        greatest, weight_sum, weighted, first, query_tile, row_multiplier, row_begin, row_end,
                        sees_from, last_row_end, slope, softcap, sparse_offset, sparse_local,
                        sparse_stride, sparse_block,
                        last_page, num_blocks, row_of_table, key_base, value_base,
                        key_block_stride, value_block_stride, key_token_stride, value_token_stride,
                        LAYOUT, FORMAT, COMPUTE, HEAD, HEAD_PADDED, BLOCK, PACK, TILE, ALIGNED,
                        stretch != 1, HAS_SOFTCAP, HAS_ALIBI, SPARSE,
                    )  # fmt: skip

            row_sum = tl.sum(weight_sum, 1)
            out_at = out + token_row[:, None] * out_token_stride + head[:, None] * out_head_stride
            out_at += dimension[None, :]
            lse_at = lse + token_row * lse_token_stride + head * lse_head_stride
            if taken == tiles:
                finish(
                    greatest, row_sum, weighted, out_at, lse_at, inside, valid, sinks + head, value_factor,
                    HAS_LSE, HAS_SINKS, LARGEST,
                )  # fmt: skip
            else:
                rows_kept: tl.constexpr = GROUP * QUERY_TILE
                slot = 2 * program + (at > begin).to(tl.int32)
                kept = row < rows_kept
                part_at = parts + (slot * rows_kept + row).to(tl.int64)[:, None] * HEAD + dimension[None, :]
                tl.store(part_at, weighted, mask=kept[:, None] & (dimension < HEAD)[None, :])
                tl.store(parts_greatest + slot * rows_kept + row, greatest, mask=kept)
                tl.store(parts_sum + slot * rows_kept + row, row_sum, mask=kept)
                if MERGE_HERE:
                    # Whoever stores an item's last part merges them all.
                    tl.debug_barrier()
                    first_program = item_begins // share
                    first_slot = 2 * first_program + (item_begins > first_program * share).to(tl.int32)
                    count = (item_begins + tiles - 1) // share - first_program + 1
                    before = tl.atomic_add(arrived + first_slot, 1, sem="acq_rel", scope="gpu")
                    if before == count - 1:
                        tl.store(arrived + first_slot, 0)
                        greatest, row_sum, weighted = merge_parts(
                            parts, parts_greatest, parts_sum, first_slot, first_program, count, row, kept, dimension,
                            rows_kept, ROWS, HEAD, HEAD_PADDED,
                        )  # fmt: skip
                        finish(
                            greatest, row_sum, weighted, out_at, lse_at, inside, valid, sinks + head, value_factor,
                            HAS_LSE, HAS_SINKS, LARGEST,
                        )  # fmt: skip
        at += taken
        if at - begins >= work:
            begins += work
            sequence += 1
