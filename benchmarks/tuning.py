"""Tries other plans than the one that plan.py makes, cell by cell, to see which constants are best on a card.

    python benchmarks/tuning.py [--cells NAME ...] [--jobs N] [--json FILE]

Every plan of a cell is timed as benchmarks/attention.py times it; N processes compile them first. `+` is the plan that
plan.py makes. A plan's name: tokens of a tile / stages / warps / where parts are merged, programs for each processor,
least tokens of a part.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import torch

from attention import Cell, bytes_of, cells, made, microseconds
from attention_check import call
from paged_attention_kernels import decode, prepared
from paged_attention_kernels.plan import LEAST_ROWS

_CELLS = (
    "b1_1k", "b1_4k", "b1_128k", "b8_4k", "b64_8k", "b128_4k", "b256_1k", "b256_uneven", "skew_b64", "mqa_b8_4k",
    "mqa_b64_8k", "fp8_b8_4k", "fp8_b64_8k", "d32_b64", "d64_b64_8k", "d80_b64", "d256_b64_4k",
)  # fmt: skip
_PROGRAMS = (1, 2, 3, 4, 5, 6)
_TILES = ((16, 5), (32, 5), (64, 3), (128, 3))
_LEAST_TOKENS = (64, 128, 256)


def plans(plan: Any, processors: int, *, few: bool) -> list[Any]:
    """Plans near one; short parts are tried where there are few items."""
    found = [plan]
    for tile, stages in _TILES:
        if not plan.tile // 2 <= tile <= 2 * plan.tile:
            continue
        for warps in {2, plan.warps, 2 if plan.rows == LEAST_ROWS else 4}:
            for merge_here in (False, True):
                for least in _LEAST_TOKENS if few else _LEAST_TOKENS[:1]:
                    for programs in _PROGRAMS[:4] if few else _PROGRAMS[1:]:
                        other = plan._replace(
                            tile=tile, stages=stages, warps=warps, merge_here=merge_here,
                            programs=programs * processors, min_tiles=max(least // tile, 1),
                        )  # fmt: skip
                        if other != plan:
                            found.append(other)
    return found


def tried(cell: Cell) -> dict[str, float]:
    """The time of every plan, by its name; those that do not fit the card are left out."""
    given, more, tables = made(cell)
    out = torch.full_like(given.query, float("nan"))
    usual = decode.plan_for
    processors = torch.cuda.get_device_properties(0).multi_processor_count
    seen: list[Any] = []

    def remember(**sizes: Any) -> Any:
        seen.append(usual(**sizes))
        return seen[-1]

    vars(decode)["plan_for"] = remember
    expected = call(given, **more).float()
    plan = seen[0]
    found: dict[str, float] = {}
    for other in plans(plan, processors, few=len(cell.lengths) * cell.shape.get("num_kv_heads", 8) <= processors):
        vars(decode)["plan_for"] = lambda other=other, **_: other
        prepared._known.clear()  # noqa: SLF001  # a signature knows its plan
        name = f"{other.tile}/{other.stages}/{other.warps}/{'here' if other.merge_here else 'after'}"
        name += f" {other.programs // processors} {other.min_tiles * other.tile}{'+' if other == plan else ''}"
        try:
            got = call(given, **more).float()
            sets = [given._replace(block_tables=each) for each in tables]
            time = microseconds([lambda each=each: call(each, out=out, **more) for each in sets], replays=5)  # type: ignore[misc]
        except Exception as error:  # noqa: BLE001  # too much shared memory, say
            print(f"{cell.name} {name}: {type(error).__name__}", flush=True)
            continue
        if (got - expected).norm() / expected.norm() > 5e-3:
            print(f"{cell.name} {name}: wrong", flush=True)
        found[name] = time
    vars(decode)["plan_for"] = usual
    return found


def main() -> None:
    """Time all plans and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", nargs="+", metavar="NAME", default=list(_CELLS))
    parser.add_argument("--jobs", type=int, default=0, metavar="N")
    parser.add_argument("--json", type=Path, metavar="FILE")
    asked = parser.parse_args()
    wanted = [each for each in cells() if each.name in asked.cells]
    if asked.jobs:
        shares = [[each.name for each in wanted[job :: asked.jobs]] for job in range(asked.jobs)]
        compiling = [
            subprocess.Popen([sys.executable, __file__, "--cells", *share], stdout=subprocess.DEVNULL)
            for share in shares
            if share
        ]
        for each in compiling:
            each.wait()
    result = {}
    for cell in wanted:
        found = result[cell.name] = tried(cell)
        best = sorted(found, key=found.__getitem__)
        usual = next((name for name in best if name.endswith("+")), "")
        print(f"{cell.name:12} {bytes_of(cell) / 1e6:5.0f} MB | now {found.get(usual, 0.0):8.1f} {usual:14} | ", end="")
        print(", ".join(f"{found[name]:.1f} {name}" for name in best[:8]), flush=True)
        torch.cuda.empty_cache()
        if asked.json:
            asked.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
