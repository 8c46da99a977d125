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
E4M3FN_BITS = tl.constexpr(2)
E4M3FNUZ_BITS = tl.constexpr(3)
E5M2_BITS = tl.constexpr(4)
E5M2FNUZ_BITS = tl.constexpr(5)


@triton.jit
def blocks_at(row_of_table, page, last_page, num_blocks):
    """Blocks of pages; those past the last page are read as the last, and no entry leads out of the cache."""
    block = tl.load(row_of_table + tl.minimum(page, last_page))
    return tl.minimum(tl.maximum(block, 0), num_blocks - 1).to(tl.int64)


@triton.jit
def as_compute_type(tile, FORMAT: tl.constexpr, COMPUTE: tl.constexpr):
    """Cache elements in the type of the dot; float8 becomes float16 first, which holds every one of its values.

    The bits of e4m3fn shifted into a float16 are its value times 2**-8, those of e4m3fnuz its value times 2**-7:
    the host folds that factor into the scale. Those of e5m2 are its value, and those of e5m2fnuz twice its value,
    save for its greatest exponent, which is infinity in a float16.
    """
    if FORMAT == PLAIN:
        result = tile.to(COMPUTE)
    elif FORMAT == FLOAT8:
        result = tile.to(tl.float16).to(COMPUTE)
    else:
        byte = tile.to(tl.uint16)
        if FORMAT == E4M3FN_BITS or FORMAT == E4M3FNUZ_BITS:
            bits = ((byte & 0x80) << 8) | ((byte & 0x7F) << 7)
            if FORMAT == E4M3FN_BITS:
                bits = tl.where((byte & 0x7F) == 0x7F, 0x7E00, bits).to(tl.uint16)  # NaN
            half = bits.to(tl.float16, bitcast=True)
        elif FORMAT == E5M2_BITS:
            half = (byte << 8).to(tl.float16, bitcast=True)
        else:
            greatest = (byte & 0x7C) == 0x7C
            bits = ((byte << 8) - tl.where(greatest, 0x0400, 0)).to(tl.uint16)
            half = bits.to(tl.float16, bitcast=True)
            half = tl.where(greatest, half, half * 0.5)
        result = half.to(COMPUTE)
    return result


@triton.jit
def load_padded(at, there, HEAD: tl.constexpr, HEAD_PADDED: tl.constexpr):
    """Elements of a tile; only a head size that is no power of two needs the mask."""
    if HEAD == HEAD_PADDED:
        loaded = tl.load(at)
    else:
        loaded = tl.load(at, mask=there, other=0.0)
    return loaded


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
    if BLOCK <= TILE:
        block = blocks_at(row_of_table, first // BLOCK + tl.arange(0, TILE // BLOCK), last_page, num_blocks)
    else:
        block = blocks_at(row_of_table, first // BLOCK, last_page, num_blocks)
    if LAYOUT == LEGACY:
        if BLOCK <= TILE:
            # One (block, head) slab is HEAD * BLOCK contiguous elements in both caches: load it flat, then relabel it.
            # Pointers with one dimension a subscript reach 60 % of this one's speed at best.
            element = tl.arange(0, HEAD_PADDED * BLOCK)[None, :]
            there = element < HEAD * BLOCK
            key_at = key_base + (block * key_block_stride)[:, None] + element
            value_at = value_base + (block * value_block_stride)[:, None] + element
            key = load_padded(key_at, there, HEAD, HEAD_PADDED)
            value = load_padded(value_at, there, HEAD, HEAD_PADDED)
            key = tl.reshape(key, (TILE // BLOCK, HEAD_PADDED // PACK, BLOCK, PACK))
            key = tl.reshape(tl.permute(key, (1, 3, 0, 2)), (HEAD_PADDED, TILE))
            value = tl.reshape(value, (TILE // BLOCK, HEAD_PADDED, BLOCK))
            value = tl.reshape(tl.permute(value, (0, 2, 1)), (TILE, HEAD_PADDED))
        else:
            pack = tl.arange(0, HEAD_PADDED // PACK)[:, None]
            dimension = tl.arange(0, HEAD_PADDED)[:, None]
            key_at = key_base + block * key_block_stride + (first % BLOCK) * PACK
            key_at += pack * (BLOCK * PACK) + tl.arange(0, TILE * PACK)[None, :]
            value_at = value_base + block * value_block_stride + first % BLOCK
            value_at += dimension * BLOCK + tl.arange(0, TILE)[None, :]
            key = load_padded(key_at, pack < HEAD // PACK, HEAD, HEAD_PADDED)
            value = tl.trans(load_padded(value_at, dimension < HEAD, HEAD, HEAD_PADDED))
            key = tl.reshape(key, (HEAD_PADDED // PACK, TILE, PACK))
            key = tl.reshape(tl.permute(key, (0, 2, 1)), (HEAD_PADDED, TILE))
    else:
        dimension = tl.arange(0, HEAD_PADDED)[None, :]
        if BLOCK <= TILE:
            token = tl.arange(0, BLOCK)[None, :]
            key_row = tl.reshape((block * key_block_stride)[:, None] + token * key_token_stride, (TILE,))
            value_row = tl.reshape((block * value_block_stride)[:, None] + token * value_token_stride, (TILE,))
        else:
            token = first % BLOCK + tl.arange(0, TILE)
            key_row = block * key_block_stride + token * key_token_stride
            value_row = block * value_block_stride + token * value_token_stride
        # A reshape forgets what the rows are multiples of, and without it every load is one element.
        key_row = tl.multiple_of(key_row, ALIGNED)[:, None]
        value_row = tl.multiple_of(value_row, ALIGNED)[:, None]
        key = tl.trans(load_padded(key_base + key_row + dimension, dimension < HEAD, HEAD, HEAD_PADDED))
        value = load_padded(value_base + value_row + dimension, dimension < HEAD, HEAD, HEAD_PADDED)
    return key, value
