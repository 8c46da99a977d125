"""How well tools find the removed names: ruff, semgrep, ast-grep, a LibCST rule and this project's check, on one suite.

    python benchmarks/detection.py [--tools FOLDER] [--show]

The suite and its marks are described in tests/migrate/conformance/README.md.
Every tool gets the best rules that we could write, in benchmarks/detectors/; one that is not installed is left out.
FOLDER is the bin folder of an environment that holds them: `pip install ruff semgrep ast-grep-cli`.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from detectors import ast_grep, grep, libcst_rule, ours, ruff, semgrep

SUITE = Path(__file__).parent.parent / "tests" / "migrate" / "conformance"
GROUPS = ("binding", "call", "reference", "elsewhere")
TOOLS = (ours, ruff, semgrep, libcst_rule, ast_grep, grep)
_MARK = re.compile(r"\b(expect|may): PAM\d{3}")

Place = tuple[str, int]


class Marks(NamedTuple):
    """The lines that must be reported, those that may be, and every case of the suite."""

    expected: frozenset[Place]
    allowed: frozenset[Place]
    cases: frozenset[str]


def main() -> None:
    """Run every tool that is there and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, help="the bin folder of an environment that holds the tools")
    parser.add_argument("--show", action="store_true", help="list what each tool missed, and what it reported wrongly")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite = Path(folder).resolve() / "suite"
        shutil.copytree(SUITE, suite)
        (suite / "README.md").unlink()
        marked = marks(suite)
        rows = [header(marked), ["---"] * 9]
        for tool in TOOLS:
            program = located(tool, given.tools)
            if program is None:
                print(f"{tool.NAME} is not installed and was left out", file=sys.stderr)
                continue
            reported = tool.hits(program, suite)
            rows.append(row(tool.NAME, reported, marked))
            if given.show:
                show(tool.NAME, reported, marked)
    print("\n".join(f"| {' | '.join(each)} |" for each in rows))


def located(tool: ModuleType, tools: Path | None) -> str | None:
    """The program that a tool runs: in the given folder, then on PATH; this Python where it names none."""
    if not tool.PROGRAM:
        return sys.executable
    program: str = tool.PROGRAM
    inside = shutil.which(program, path=str(tools.resolve())) if tools else None
    return inside or shutil.which(program)


def marks(suite: Path) -> Marks:
    """Read the marks of all files."""
    places: dict[str, set[Place]] = {"expect": set(), "may": set()}
    cases = set()
    for path in sorted(path for path in suite.rglob("*") if path.is_file()):
        name = path.relative_to(suite).as_posix()
        cases.add(case_of(name))
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            for kind in _MARK.findall(line):
                places[kind].add((name, number))
    return Marks(frozenset(places["expect"]), frozenset(places["may"]), frozenset(cases))


def case_of(path: str) -> str:
    """`binding/re_export` for a file of that folder."""
    return "/".join(path.split("/")[:2])


def cases(places: Iterable[Place]) -> set[str]:
    """The cases that hold any of the places."""
    return {case_of(path) for path, _ in places}


def wrong(reported: Iterable[Place], marked: Marks) -> set[Place]:
    """What is reported and has no mark."""
    return set(reported) - marked.expected - marked.allowed


def header(marked: Marks) -> list[str]:
    """The columns, with the number of cases and lines that each counts."""
    wanted = cases(marked.expected)
    per_group = [f"{group} ({sum(case.startswith(group) for case in wanted)})" for group in GROUPS]
    alike = len(marked.cases - wanted)
    columns = [f"found ({len(wanted)})", f"lines ({len(marked.expected)})"]
    return ["tool", *columns, *per_group, "false lines", f"look-alikes reported ({alike})"]


def row(name: str, reported: set[Place], marked: Marks) -> list[str]:
    """What one tool found."""
    hit = reported & marked.expected
    found = cases(hit)
    per_group = [sum(case.startswith(group) for case in found) for group in GROUPS]
    false = wrong(reported, marked)
    alike = cases(false) - cases(marked.expected)
    return [name, *(str(number) for number in (len(found), len(hit), *per_group, len(false), len(alike)))]


def show(name: str, reported: set[Place], marked: Marks) -> None:
    """List what a tool missed, and what it reported wrongly."""
    for kind, places in (("missed", marked.expected - reported), ("wrong", wrong(reported, marked))):
        for path, line in sorted(places):
            print(f"{name}: {kind} {path}:{line}", file=sys.stderr)


if __name__ == "__main__":
    main()
