"""Loads of one tile of keys [HEAD_PADDED, TILE] and values [TILE, HEAD_PADDED] from each cache layout.

Tokens past the end of a sequence are loaded with the rest of their block, whatever they hold: a mask along the tokens
would turn 16-byte loads into single elements. Who uses the tile masks scores and values instead.
"""

import triton
import triton.language as tl

LEGACY = tl.constexpr(0)
ROWS = tl.constexpr(1)  # NHD and HND: a token's HEAD elements are contiguous

PLAIN = tl.constexpr(0)
FLOAT8 = tl.constexpr(1)  # the hardware converts
E4M3_BITS = tl.constexpr(2)
E5M2_BITS = tl.constexpr(3)


@triton.jit
def blocks_at(row_of_table, page, last_page, num_blocks):
    """Blocks of pages; those past the last page are read as the last, and no entry leads out of the cache."""
    block = tl.load(row_of_table + tl.minimum(page, last_page))
    return tl.minimum(tl.maximum(block, 0), num_blocks - 1).to(tl.int64)


@triton.jit
def as_compute_type(tile, FORMAT: tl.constexpr, COMPUTE: tl.constexpr):
    """Cache elements in the type of the dot; float8 becomes float16 first, which holds every one of its values.

    The bits of e4m3 shifted into a float16 are its value times 2**-8 (e4m3fnuz: 2**-7), and those of e5m2 its value;
    the host folds that factor into the scale.
    """
    if FORMAT == PLAIN:
        return tile.to(COMPUTE)
    if FORMAT == FLOAT8:
        return tile.to(tl.float16).to(COMPUTE)
    bits = tile.to(tl.uint16)
    if FORMAT == E4M3_BITS:
        bits = ((bits & 0x80) << 8) | ((bits & 0x7F) << 7)
    else:
        bits = bits << 8
    return bits.to(tl.float16, bitcast=True).to(COMPUTE)


@triton.jit
def load_tile(
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
    LAYOUT: tl.constexpr,
    HEAD: tl.constexpr,
    HEAD_PADDED: tl.constexpr,
    BLOCK: tl.constexpr,
    PACK: tl.constexpr,
    TILE: tl.constexpr,
    ALIGNED: tl.constexpr,
):
    """Keys [HEAD_PADDED, TILE] and values [TILE, HEAD_PADDED] of TILE tokens from token `first` on."""
    if LAYOUT == LEGACY:
        if BLOCK <= TILE:
            # One (block, head) slab is HEAD * BLOCK contiguous elements in both caches: load it flat, then relabel it.
            # Pointers with one dimension a subscript reach 60 % of this one's speed at best.
            PAGES: tl.constexpr = TILE // BLOCK
            block = blocks_at(row_of_table, first // BLOCK + tl.arange(0, PAGES), last_page, num_blocks)
            element = tl.arange(0, HEAD_PADDED * BLOCK)[None, :]
            key_at = key_base + (block * key_block_stride)[:, None] + element
            value_at = value_base + (block * value_block_stride)[:, None] + element
            if HEAD == HEAD_PADDED:
                key = tl.load(key_at)
                value = tl.load(value_at)
            else:
                key = tl.load(key_at, mask=element < HEAD * BLOCK, other=0)
                value = tl.load(value_at, mask=element < HEAD * BLOCK, other=0)
            key = tl.permute(tl.reshape(key, (PAGES, HEAD_PADDED // PACK, BLOCK, PACK)), (1, 3, 0, 2))
            value = tl.permute(tl.reshape(value, (PAGES, HEAD_PADDED, BLOCK)), (0, 2, 1))
            return tl.reshape(key, (HEAD_PADDED, TILE)), tl.reshape(value, (TILE, HEAD_PADDED))
        block = blocks_at(row_of_table, first // BLOCK, last_page, num_blocks)
        in_block = first % BLOCK
        packs = tl.arange(0, HEAD_PADDED // PACK)[:, None]
        dimension = tl.arange(0, HEAD_PADDED)[:, None]
        key_at = key_base + block * key_block_stride + in_block * PACK
        key_at += packs * (BLOCK * PACK) + tl.arange(0, TILE * PACK)[None, :]
        value_at = value_base + block * value_block_stride + in_block
        value_at += dimension * BLOCK + tl.arange(0, TILE)[None, :]
        if HEAD == HEAD_PADDED:
            key = tl.load(key_at)
            value = tl.load(value_at)
        else:
            key = tl.load(key_at, mask=packs < HEAD // PACK, other=0)
            value = tl.load(value_at, mask=dimension < HEAD, other=0)
        key = tl.permute(tl.reshape(key, (HEAD_PADDED // PACK, TILE, PACK)), (0, 2, 1))
        return tl.reshape(key, (HEAD_PADDED, TILE)), tl.trans(value)
    dimension = tl.arange(0, HEAD_PADDED)[None, :]
    if BLOCK <= TILE:
        pages: tl.constexpr = TILE // BLOCK
        token = tl.arange(0, BLOCK)
        block = blocks_at(row_of_table, first // BLOCK + tl.arange(0, pages), last_page, num_blocks)
        key_row = tl.reshape((block * key_block_stride)[:, None] + (token * key_token_stride)[None, :], (TILE,))
        value_row = tl.reshape((block * value_block_stride)[:, None] + (token * value_token_stride)[None, :], (TILE,))
    else:
        token = first % BLOCK + tl.arange(0, TILE)
        block = blocks_at(row_of_table, first // BLOCK, last_page, num_blocks)
        key_row = block * key_block_stride + token * key_token_stride
        value_row = block * value_block_stride + token * value_token_stride
    # A reshape forgets what the rows are multiples of, and without it every load is one element.
    key_row = tl.multiple_of(key_row, ALIGNED)
    value_row = tl.multiple_of(value_row, ALIGNED)
    if HEAD == HEAD_PADDED:
        key = tl.load(key_base + key_row[:, None] + dimension)
        value = tl.load(value_base + value_row[:, None] + dimension)
    else:
        key = tl.load(key_base + key_row[:, None] + dimension, mask=dimension < HEAD, other=0)
        value = tl.load(value_base + value_row[:, None] + dimension, mask=dimension < HEAD, other=0)
    return tl.trans(key), value
