"""Compile the kernels of a few calls for a GPU that need not be here.

    python targets.py BACKEND ARCHITECTURE WARP_SIZE

Prints one JSON object: for each kernel of each call the bytes of shared memory that it takes, and for AMD what its
assembly says: vector registers that were spilled, and how often each width of load stands there.
Run in a process of its own, for the interpreter that the tests use compiles nothing.
"""

from __future__ import annotations

import json
import os
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from paged import Paged, paged
from paged_attention_kernels import cache, decode
from paged_attention_kernels.backends import amd_architecture
from paged_attention_kernels.device import cache as device_cache
from paged_attention_kernels.device import decode as device_decode
from paged_attention_kernels.device import merge as device_merge

_TYPES = {
    torch.float16: "fp16",
    torch.bfloat16: "bf16",
    torch.float32: "fp32",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.uint8: "u8",
    torch.float8_e4m3fn: "fp8e4nv",
}


class Compiled:
    """In place of a kernel: compiles it for what it is launched with."""

    def __init__(self, kernel: Any, target: GPUTarget, seen: dict[str, dict[str, Any]]) -> None:
        self.kernel, self.target, self.seen = kernel, target, seen
        self.call = ""
        self.arg_names = kernel.arg_names

    def __getitem__(self, grid: tuple[int, ...]) -> Callable[..., None]:
        return self.launch

    def launch(self, **given: Any) -> None:
        options = {name: given.pop(name) for name in ("num_warps", "launch_pdl") if name in given}
        signature: dict[str, str] = {}
        constants: dict[str, Any] = {}
        attributes = {}
        for index, parameter in enumerate(self.kernel.params):
            value = given[parameter.name]
            if parameter.is_constexpr:
                signature[parameter.name], constants[parameter.name] = "constexpr", value
            elif isinstance(value, torch.Tensor):
                signature[parameter.name] = f"*{_TYPES[value.dtype]}"
                if not parameter.do_not_specialize_on_alignment:
                    attributes[index,] = [["tt.divisibility", 16]]
            elif isinstance(value, float):
                signature[parameter.name] = "fp32"
            elif value == 1 and not parameter.do_not_specialize:
                signature[parameter.name], constants[parameter.name] = "constexpr", value
            else:
                signature[parameter.name] = "i32"
                if value % 16 == 0 and not parameter.do_not_specialize:
                    attributes[index,] = [["tt.divisibility", 16]]
        source = ASTSource(self.kernel, signature, constexprs=constants, attrs=attributes)
        compiled = triton.compile(source, target=self.target, options=options)
        seen: dict[str, Any] = {"shared": compiled.metadata.shared}
        if self.target.backend == "hip":
            text = compiled.asm["amdgcn"]
            seen["spilled"] = sum(map(int, re.findall(r"\.vgpr_spill_count:\s+(\d+)", text)))
            seen["loads"] = Counter(re.findall(r"(?m)^\s+(?:global|buffer)_load_(\w+)", text))
        self.seen[f"{self.call}: {self.kernel.__name__}"] = seen


def calls() -> dict[str, tuple[Paged, dict[str, Any]]]:
    """A few calls that take different paths through the kernels."""
    half = torch.float16
    wide: dict[str, Any] = {"num_heads": 8, "num_kv_heads": 2}
    return {
        "float16": (paged([40], dtype=half, head_size=128, **wide), {}),
        "bfloat16": (paged([40], dtype=torch.bfloat16, head_size=128, **wide), {}),
        "float32": (paged([40], head_size=128, **wide), {}),
        "head 256": (paged([40], dtype=half, head_size=256, **wide), {}),
        "e5m2": (paged([40], dtype=torch.bfloat16, stored=torch.float8_e5m2, **wide), {"kv_cache_dtype": "fp8_e5m2"}),
        "head 80, large blocks": (paged([40], dtype=half, head_size=80, block_size=256, **wide), {}),
        "NHD": (paged([40], dtype=half, head_size=128, layout="NHD", **wide), {}),
        "float8": (
            paged([40], dtype=half, stored=torch.float8_e4m3fn, head_size=128, **wide),
            {"kv_cache_dtype": "fp8"},
        ),
        "all": (
            paged([40], dtype=half, num_tokens=5, **wide),
            {
                "query_start_loc": torch.tensor([0, 5]), "sliding_window": 20, "softcap": 5.0, "sinks": torch.ones(8),
                "alibi_slopes": torch.ones(8), "blocksparse_vert_stride": 2, "lse": torch.zeros(5, 8),
            },
        ),
    }  # fmt: skip


def main() -> None:
    """Compile every call."""
    warnings.simplefilter("ignore")  # of Triton's, about its own defaults
    backend, architecture, warp_size = sys.argv[1:]
    is_nvidia = backend == "cuda"
    target = GPUTarget(backend, int(architecture) if is_nvidia else architecture, int(warp_size))
    seen: dict[str, dict[str, Any]] = {}
    originals = (device_decode.decode, device_merge.merge, device_cache.write_tokens)
    kernels = [Compiled(kernel, target, seen) for kernel in originals]
    for module, kernel in zip((device_decode, device_merge, device_cache), kernels, strict=True):
        vars(module)[kernel.kernel.__name__] = kernel
    as_on_a_gpu(has_float8=is_nvidia and int(architecture) >= 89)
    vars(decode)["architecture_of"] = lambda _: "nvidia" if is_nvidia else amd_architecture(architecture)
    vars(decode)["overlaps"] = lambda _: is_nvidia and int(architecture) >= 90
    for name, (batch, more) in calls().items():
        for kernel in kernels:
            kernel.call = name
        # Longer than any sequence: parts are merged by a second launch, as with few sequences on a large GPU.
        longest = 100 if name == "float16" else 1 << 17
        decode.paged_attention(**batch.arguments(backend="triton", max_seq_len=longest, **more))
    tokens = torch.zeros(1, 2, 128, dtype=torch.float16)
    slots = torch.zeros(1, dtype=torch.int64)
    for name in ("float16", "float8"):
        batch, more = calls()[name]
        kernels[2].call = name
        kind = more.get("kv_cache_dtype", "auto")
        cache.reshape_and_cache(tokens, tokens, batch.key_cache, batch.value_cache, slots, kind, backend="triton")
    sys.stdout.write(json.dumps(seen))


def as_on_a_gpu(*, has_float8: bool) -> None:
    """Let the host plan for a GPU, though the tensors are on the CPU."""
    os.environ["TRITON_INTERPRET"] = "1"
    decode._PROCESSORS_OF_THE_INTERPRETER = 132
    vars(decode)["converts_in_hardware"] = lambda float8, _: has_float8 and float8 == torch.float8_e4m3fn
    usual = decode._compute_type

    def compute_type(query: torch.Tensor, in_float8: bool) -> Any:
        if query.dtype == torch.bfloat16:
            return tl.float16 if in_float8 else tl.bfloat16
        return usual(query, in_float8)

    vars(decode)["_compute_type"] = compute_type


if __name__ == "__main__":
    main()
