"""What the elements of a cache are: the query's own type, or a float8 with a scale."""

from __future__ import annotations

import torch

NAMES = ("auto", "float16", "bfloat16", "fp8", "fp8_e4m3", "fp8_e5m2")
_FLOAT8 = {
    "fp8": (torch.float8_e4m3fn, torch.float8_e4m3fnuz),
    "fp8_e4m3": (torch.float8_e4m3fn, torch.float8_e4m3fnuz),
    "fp8_e5m2": (torch.float8_e5m2, torch.float8_e5m2fnuz),
}
# What the kernel makes of a float8's bits is its value times this (the difference of the exponents' biases).
BITS_ARE_VALUE_TIMES = {
    torch.float8_e4m3fn: 2.0**-8,
    torch.float8_e4m3fnuz: 2.0**-7,
    torch.float8_e5m2: 1.0,
    torch.float8_e5m2fnuz: 1.0,
}
_FIRST_WITH_E4M3 = (8, 9)


def float8_of(
    kv_cache_dtype: str, tokens: torch.Tensor, key_cache: torch.Tensor, value_cache: torch.Tensor, name: str
) -> torch.dtype | None:
    """The float8 that two caches hold, None for the type of `tokens`; raises ValueError or TypeError in a disagreement.

    `tokens`, which messages call `name`, has the type that a cache without float8 must have.

    A uint8 cache holds what vLLM writes there: float8_e4m3fn or float8_e5m2, on AMD's gfx94x their fnuz variants.
    """
    if kv_cache_dtype not in NAMES:
        raise ValueError(f"kv_cache_dtype is {kv_cache_dtype!r}; {', '.join(map(repr, NAMES))} are accepted")
    if key_cache.dtype != value_cache.dtype:
        raise TypeError(f"value_cache is {value_cache.dtype} and key_cache {key_cache.dtype}; they must be the same")
    if kv_cache_dtype not in _FLOAT8:
        named = {"float16": torch.float16, "bfloat16": torch.bfloat16}.get(kv_cache_dtype, tokens.dtype)
        if key_cache.dtype != tokens.dtype or named != tokens.dtype:
            raise TypeError(
                f"key_cache is {key_cache.dtype} with kv_cache_dtype {kv_cache_dtype!r}, and {name} is {tokens.dtype}; "
                "without an fp8 kv_cache_dtype all three must be the same"
            )
        return None
    usual, fnuz = _FLOAT8[kv_cache_dtype]
    if key_cache.dtype == torch.uint8:
        return fnuz if _stores_fnuz(tokens.device) else usual
    if key_cache.dtype not in (usual, fnuz):
        raise TypeError(
            f"key_cache is {key_cache.dtype} with kv_cache_dtype {kv_cache_dtype!r}; torch.uint8, {usual} and {fnuz} "
            "are accepted"
        )
    return key_cache.dtype


def largest_of(dtype: torch.dtype) -> float:
    """The greatest number of a float8, where results saturate; 0.0 for the types in which they do not."""
    return torch.finfo(dtype).max if dtype in BITS_ARE_VALUE_TIMES else 0.0


def converts_in_hardware(float8: torch.dtype, device: torch.device) -> bool:
    """Whether the GPU turns this float8 into float16 by itself; else its bits are shifted, which is as exact."""
    if device.type != "cuda" or torch.version.hip is not None:
        return False
    return float8 == torch.float8_e4m3fn and torch.cuda.get_device_capability(device) >= _FIRST_WITH_E4M3


def encoding_of(float8: torch.dtype | None) -> dict[str, float]:
    """What the kernel that writes needs to know of a float8: MANTISSA bits (0: none), BIAS, LARGEST, NAN, ONE_ZERO.

    The fnuz types have no negative zero: its byte is their NaN.
    """
    if float8 is None:
        return {"MANTISSA": 0, "BIAS": 0, "LARGEST": 0.0, "NAN": 0, "ONE_ZERO": False}
    mantissa, bias, nan = {
        torch.float8_e4m3fn: (3, 7, 0x7F),
        torch.float8_e4m3fnuz: (3, 8, 0x80),
        torch.float8_e5m2: (2, 15, 0x7F),
        torch.float8_e5m2fnuz: (2, 16, 0x80),
    }[float8]
    return {"MANTISSA": mantissa, "BIAS": bias, "LARGEST": largest_of(float8), "NAN": nan, "ONE_ZERO": nan == 0x80}


def _stores_fnuz(device: torch.device) -> bool:
    if device.type != "cuda" or torch.version.hip is None:
        return False
    return "gfx94" in torch.cuda.get_device_properties(device).gcnArchName
