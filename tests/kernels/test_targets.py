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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "architecture", "warp_size", "largest"),
    [
        ("cuda", "75", "32", 64 * KIB),
        ("cuda", "80", "32", 163 * KIB),
        ("cuda", "90", "32", 227 * KIB),
        ("hip", "gfx942", "64", 64 * KIB),
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
    shared = json.loads(done.stdout)
    assert {name.split(": ")[1] for name in shared} == {"decode", "merge", "write_tokens"}
    assert {call: size for call, size in shared.items() if size > largest} == {}
