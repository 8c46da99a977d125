"""Writes of keys and values into the slots of a paged cache."""

import triton
import triton.language as tl


@triton.jit
def float8_bits(
    number,
    MANTISSA: tl.constexpr,
    BIAS: tl.constexpr,
    LARGEST: tl.constexpr,
    NAN: tl.constexpr,
    ONE_ZERO: tl.constexpr,
):
    """The byte of the float8 nearest to a float32, halfway cases to even, cut off at LARGEST.

    In integers, since a conversion of the hardware's own is not there before compute capability 8.9.
    """
    bits = number.to(tl.int32, bitcast=True)
    sign = (bits >> 24) & 0x80
    magnitude = tl.minimum(tl.abs(number), LARGEST)
    bits = magnitude.to(tl.int32, bitcast=True)
    dropped: tl.constexpr = 23 - MANTISSA
    rounded = (bits + ((1 << (dropped - 1)) - 1) + ((bits >> dropped) & 1)) >> dropped
    normal = rounded - ((127 - BIAS) << MANTISSA)
    # Below the least normal number steps are equal: adding 2**23 rounds to a whole number of them.
    steps = (magnitude * (2.0 ** (BIAS - 1 + MANTISSA)) + 8388608.0).to(tl.int32, bitcast=True) & 0x7FFFFF
    byte = tl.where(magnitude < 2.0 ** (1 - BIAS), steps, normal)
    if ONE_ZERO:
        sign = tl.where(byte == 0, 0, sign)
    byte = tl.where(number == number, byte | sign, NAN)  # noqa: PLR0124  # false for NaN alone
    return byte.to(tl.uint8)


@triton.jit
def store(
    value,
    at,
    inside,
    scale,
    MANTISSA: tl.constexpr,
    BIAS: tl.constexpr,
    LARGEST: tl.constexpr,
    NAN: tl.constexpr,
    ONE_ZERO: tl.constexpr,
):
    """Store a vector; a float8 cache (MANTISSA above 0) gets the bytes of the values over their scale."""
    if MANTISSA > 0:
        stored = float8_bits(tl.div_rn(value.to(tl.float32), scale), MANTISSA, BIAS, LARGEST, NAN, ONE_ZERO)
    else:
        stored = value
    tl.store(at, stored, mask=inside)


@triton.jit
def write_tokens(
    # key, value [num_tokens, KV_HEADS, HEAD]; slot_mapping [num_slots]
    key,
    value,
    key_cache,
    value_cache,
    slot_mapping,
    key_scale,
    value_scale,
    key_divisor,
    value_divisor,
    capacity,
    # strides in elements
    key_token_stride,
    key_head_stride,
    value_token_stride,
    value_head_stride,
    key_block_stride,
    key_cache_head_stride,
    key_slot_stride,
    value_block_stride,
    value_cache_head_stride,
    value_slot_stride,
    # what is compiled in
    HEAD: tl.constexpr,
    HEAD_PADDED: tl.constexpr,
    BLOCK: tl.constexpr,
    PACK: tl.constexpr,
    LEGACY: tl.constexpr,
    MANTISSA: tl.constexpr,
    BIAS: tl.constexpr,
    LARGEST: tl.constexpr,
    NAN: tl.constexpr,
    ONE_ZERO: tl.constexpr,
    HAS_KEY_SCALE: tl.constexpr,
    HAS_VALUE_SCALE: tl.constexpr,
):
    """One token and one KV head; grid (num_slots, KV heads)."""
    token = tl.program_id(0).to(tl.int64)
    head = tl.program_id(1).to(tl.int64)
    slot = tl.load(slot_mapping + token).to(tl.int64)
    if (slot < 0) | (slot >= capacity):  # a wrong slot must not lead out of the cache
        return
    if HAS_KEY_SCALE:
        key_divisor *= tl.load(key_scale)
    if HAS_VALUE_SCALE:
        value_divisor *= tl.load(value_scale)
    block = slot // BLOCK
    in_block = slot % BLOCK
    dimension = tl.arange(0, HEAD_PADDED)
    inside = dimension < HEAD
    a_key = tl.load(key + token * key_token_stride + head * key_head_stride + dimension, mask=inside)
    a_value = tl.load(value + token * value_token_stride + head * value_head_stride + dimension, mask=inside)
    key_at = key_cache + block * key_block_stride + head * key_cache_head_stride
    value_at = value_cache + block * value_block_stride + head * value_cache_head_stride
    if LEGACY:
        key_at += (dimension // PACK) * (BLOCK * PACK) + in_block * PACK + dimension % PACK
        value_at += dimension * BLOCK + in_block
    else:
        key_at += in_block * key_slot_stride + dimension
        value_at += in_block * value_slot_stride + dimension
    store(a_key, key_at, inside, key_divisor, MANTISSA, BIAS, LARGEST, NAN, ONE_ZERO)
    store(a_value, value_at, inside, value_divisor, MANTISSA, BIAS, LARGEST, NAN, ONE_ZERO)
