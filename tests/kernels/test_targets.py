"""The kernels compile for GPUs that are not here, and fit into their shared memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "targets.py"
KIB = 1024
OF_WIDE_HEADS = {f"{call}: decode" for call in ("float16", "bfloat16", "float32", "head 256", "NHD", "float8")}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "architecture", "warp_size", "largest"),
    [
        ("cuda", "75", "32", 64 * KIB),
        ("cuda", "80", "32", 163 * KIB),
        ("cuda", "90", "32", 227 * KIB),
        ("hip", "gfx942", "64", 64 * KIB),
        ("hip", "gfx950", "64", 160 * KIB),
    ],
)
def test_every_call_compiles(backend: str, architecture: str, warp_size: str, largest: int) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TRITON_INTERPRET": "0"}
    done = subprocess.run(
        [sys.executable, str(SCRIPT), backend, architecture, warp_size],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    seen = json.loads(done.stdout)
    assert {name.split(": ")[1] for name in seen} == {"decode", "merge", "write_tokens"}
    assert {call: found["shared"] for call, found in seen.items() if found["shared"] > largest} == {}
    if backend == "hip":
        assert {call: found["spilled"] for call, found in seen.items() if found["spilled"]} == {}
        # The other calls have heads of 16 elements, which take less than 16 bytes from each of 256 threads.
        wide = {call: found["loads"] for call, found in seen.items() if call in OF_WIDE_HEADS}
        assert set(wide) == OF_WIDE_HEADS
        assert all(loads["dwordx4"] >= 8 for loads in wide.values())
        assert all(not {"ushort", "ubyte", "lds_dword", "dwordx2"} & set(loads) for loads in wide.values())
