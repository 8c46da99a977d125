"""This project's own check, every case as a repository of its own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

NAME = "paged-attention-migrate"
PROGRAM = ""


def hits(program: str, suite: Path) -> set[tuple[str, int]]:
    """The lines that check reports."""
    found = set()
    for unit in sorted(unit for group in suite.iterdir() if group.is_dir() for unit in group.iterdir()):
        where, paths = (unit, ".") if unit.is_dir() else (unit.parent, unit.name)
        command = [program, "-m", "paged_attention_migrate", "check", "--output-format", "json", paths]
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
        for each in json.loads(done.stdout)["findings"]:
            found.add(((where / each["path"]).relative_to(suite).as_posix(), each["line"]))
    return found
