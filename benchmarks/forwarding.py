"""What forwarding adds to the host time of a call whose line is known.

    python benchmarks/forwarding.py [--device cuda]

Every round times every way of calling once, so that a slow moment of the machine meets them all; medians of the rounds
are printed, in microseconds. The call is small, and on a GPU nothing waits for it, so that the host's work is what is
measured. The operator is compared with the same operator registered without the shim.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch

from paged_attention_shim import install, paged_attention
from paged_attention_shim.forward import Options
from paged_attention_shim.homes import Homes
from paged_attention_shim.operators import removed_operators, schema


def main() -> None:
    """Time the ways of calling and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--calls", type=int, default=300)
    given = parser.parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)
    ways = _ways(torch.device(given.device))
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(given.rounds + 1):
        for name, call in ways.items():
            times[name].append(_microseconds(call, given.calls))
            if given.device != "cpu":
                torch.cuda.synchronize()
    medians = {name: statistics.median(found[1:]) for name, found in times.items()}  # the first round warms up
    for name, beside in (("wrapper v1", "direct"), ("wrapper v2", "direct"), ("operator", "plain operator")):
        added = medians[name] - medians[beside]
        print(
            f"{name:12} {medians[name]:7.1f} us, {beside} {medians[beside]:7.1f} us: "
            f"{added:5.1f} us or {added / medians[beside]:.1%} more"
        )


def _ways(device: torch.device) -> dict[str, Callable[[], Any]]:
    query = torch.randn(1, 8, 64, device=device, dtype=torch.float16)
    out, one = torch.empty_like(query), torch.ones(1, device=device)
    key_cache = torch.randn(4, 1, 8, 16, 8, device=device, dtype=torch.float16)
    value_cache = torch.randn(4, 1, 64, 16, device=device, dtype=torch.float16)
    tables = torch.arange(4, device=device, dtype=torch.int32).view(1, 4)
    lengths = torch.tensor([60], device=device, dtype=torch.int32)
    rest = (query, key_cache, value_cache, 1, 0.125, tables, lengths, 16, 64, None, "auto", one, one)
    in_full = (*rest, 0, 0, 0, 64, 0)
    vllm = ModuleType("vllm._custom_ops")
    install("forward")
    Homes("forward", Options()).furnish(vllm)
    v1, v2 = vllm.paged_attention_v1, vllm.paged_attention_v2
    operator, plain = torch.ops._C.paged_attention_v1, _plain()  # noqa: SLF001  # its public name
    return {
        "direct": lambda: paged_attention(out, *rest),
        "wrapper v1": lambda: v1(out, *rest),
        "wrapper v2": lambda: v2(out, one, one, one, *rest),
        "plain operator": lambda: plain(out, *in_full),
        "operator": lambda: operator(out, *in_full),
    }


def _plain() -> Callable[..., None]:
    """The same operator in another namespace, with nothing between it and the surviving call."""
    library = torch.library.Library("plain", "DEF")
    library.define(schema(*removed_operators()["paged_attention_v1"]))

    def attend(*arguments: Any) -> None:
        paged_attention(*arguments)

    for key in ("CPU", "CUDA"):
        library.impl("paged_attention_v1", attend, key)
    _KEPT.append(library)
    found: Callable[..., None] = torch.ops.plain.paged_attention_v1
    return found


_KEPT: list[Any] = []


def _microseconds(call: Callable[[], Any], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls * 1e6


if __name__ == "__main__":
    main()
