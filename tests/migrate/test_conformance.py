"""The conformance suite: every line that it marks is reported, and no other.

The suite and its marks are described in conformance/README.md; other tools run on it in benchmarks/detection.py.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from paged_attention_migrate import project

SUITE = Path(__file__).parent / "conformance"
UNITS = sorted(unit for group in SUITE.iterdir() if group.is_dir() for unit in group.iterdir())
OWNERS = (  # they hold sources or register the operators, which says something of every other unit
    "elsewhere/registration",
    "lookalike/own_registration",
    "lookalike/vendored_sources",
)
_MARK = re.compile(r"\b(expect|may): (PAM\d{3}(?:\|PAM\d{3})*)")


class Marks(NamedTuple):
    """Codes by path and line: those of which one must come, and those that may come."""

    expected: dict[tuple[str, int], set[str]]
    allowed: dict[tuple[str, int], set[str]]


def name_of(unit: Path) -> str:
    return f"{unit.parent.name}/{unit.name}"


def files_of(unit: Path) -> list[Path]:
    return [path for path in sorted(unit.rglob("*")) if path.is_file()] if unit.is_dir() else [unit]


def marks(unit: Path) -> Marks:
    found = Marks({}, {})
    for path in files_of(unit):
        where = path.relative_to(unit).as_posix() if unit.is_dir() else path.name
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            for kind, codes in _MARK.findall(line):
                (found.expected if kind == "expect" else found.allowed)[where, number] = set(codes.split("|"))
    return found


def place(unit: Path, directory: Path) -> None:
    """Copy a unit, so that it is the whole repository."""
    if unit.is_dir():
        shutil.copytree(unit, directory, dirs_exist_ok=True)
    else:
        shutil.copy(unit, directory)


def reported() -> dict[tuple[str, int], set[str]]:
    """The codes above info level by path and line, in the working directory."""
    found: dict[tuple[str, int], set[str]] = {}
    for finding in project.check(project.Options()).findings:
        if finding.severity != "info":
            found.setdefault((finding.path, finding.line), set()).add(finding.code)
    return found


@pytest.mark.parametrize("unit", UNITS, ids=name_of)
def test_unit(unit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    expected, allowed = marks(unit)
    place(unit, tmp_path)
    found = reported()
    missed = {where: codes for where, codes in expected.items() if not codes & found.get(where, set())}
    too_many = {
        where: codes - expected.get(where, set()) - allowed.get(where, set())
        for where, codes in found.items()
        if codes - expected.get(where, set()) - allowed.get(where, set())
    }
    assert (missed, too_many) == ({}, {})


@pytest.mark.parametrize("unit", UNITS, ids=name_of)
@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
def test_a_second_rewrite_changes_nothing(
    unit: Path, unsafe: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place(unit, tmp_path)
    options = project.Options(unsafe=unsafe)
    changes = project.rewrite(options).changes
    for change in changes:
        (tmp_path / change.path).write_bytes(change.after)
    assert project.rewrite(options).changes == ()
    if unit.parent.name == "lookalike":
        assert changes == ()


def test_the_suite_as_one_git_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes may differ, since one unit can say what another is built with; the lines that are reported may not."""
    suite = tmp_path / "suite"
    shutil.copytree(SUITE, suite, ignore=shutil.ignore_patterns("README.md"))
    for owner in OWNERS:
        shutil.rmtree(suite / owner)
    subprocess.run(["git", "init", "--quiet", suite], check=True)
    monkeypatch.chdir(suite)
    found = set(reported())
    expected: set[tuple[str, int]] = set()
    marked: set[str] = set()
    for unit in (unit for unit in UNITS if name_of(unit) not in OWNERS):
        of_unit, name = marks(unit), name_of(unit)
        for path, line in (*of_unit.expected, *of_unit.allowed):
            where = f"{name}/{path}" if unit.is_dir() else name
            marked.add(where)
            if (path, line) in of_unit.expected:
                expected.add((where, line))
    unmarked = {path for path, _ in found} - marked
    assert (expected - found, unmarked) == (set(), set())


def test_look_alikes_expect_nothing() -> None:
    expecting = {name_of(unit) for unit in UNITS if marks(unit).expected}
    assert expecting == {name_of(unit) for unit in UNITS if unit.parent.name != "lookalike"}


def test_the_suite_is_large_enough() -> None:
    look_alikes = [unit for unit in UNITS if unit.parent.name == "lookalike"]
    assert len(UNITS) >= 150
    assert len(look_alikes) >= 50
