"""`grep -w` for the names, the upper bound of what text alone can find."""

from __future__ import annotations

import subprocess
from pathlib import Path

from detectors import table

NAME = "grep -w"
PROGRAM = "grep"


def hits(program: str, suite: Path) -> set[tuple[str, int]]:
    """The lines that hold a name, or a deleted source."""
    pattern = "|".join((*table.ATTENTION, table.DELETED_SOURCES))
    command = [program, "-rnwaE", pattern, "."]
    done = subprocess.run(command, cwd=suite, capture_output=True, check=False)
    found = set()
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        path, number, _ = line.split(":", 2)
        found.add((path.removeprefix("./"), int(number)))
    return found
