"""ruff's TID251 with every removed name as a banned API."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from detectors import table

NAME = "ruff TID251"
PROGRAM = "ruff"


def hits(program: str, suite: Path) -> set[tuple[str, int]]:
    """The lines that ruff reports."""
    settings = suite.parent / "ruff.toml"
    banned = [f'"{path}".msg = "is gone"' for path in table.paths()]
    lines = ["[lint]", 'select = ["TID251"]', "[lint.flake8-tidy-imports.banned-api]", *banned]
    settings.write_text("\n".join(lines), encoding="utf-8")
    command = [
        program,
        "check",
        "--config",
        str(settings),
        "--no-cache",
        "--output-format",
        "json",
        "--ignore-noqa",
        ".",
    ]
    done = subprocess.run(command, cwd=suite, capture_output=True, text=True, check=False)
    found = set()
    for each in json.loads(done.stdout):
        path = Path(each["filename"]).resolve().relative_to(suite.resolve())
        row = each["location"]["row"]
        found.add((path.as_posix(), _line_in_notebook(suite / path, each["cell"], row) if each["cell"] else row))
    return found


def _line_in_notebook(path: Path, cell: int, row: int) -> int:
    """The line of the JSON file that holds a line of a cell."""
    text = path.read_text(encoding="utf-8")
    source = json.loads(text)["cells"][cell - 1]["source"]
    wanted = json.dumps(source[row - 1])
    return next(number for number, line in enumerate(text.splitlines(), 1) if wanted in line)
