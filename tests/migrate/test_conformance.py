"""The conformance suite: every line that it marks is reported, and no other.

The suite and its marks are described in conformance/README.md; other tools run on it in benchmarks/detection.py.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from paged_attention_migrate import project

SUITE = Path(__file__).parent / "conformance"
UNITS = sorted(unit for group in SUITE.iterdir() if group.is_dir() for unit in group.iterdir())
FAULTS = {
    "binding/helper_module_on_self.py": "a module that moved has the code of one that is gone",
    "binding/loaded_modules.py": "sys.modules is not followed",
    "binding/re_export_chain": "a chain ends at a module that names a removed function itself",
    "binding/wrapped_in_a_function": "what another module's function gives is not followed",
    "lookalike/kernels_hub_named_ops.py": "a foreign object on self is unknown",
}
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


def reported(unit: Path, directory: Path) -> dict[tuple[str, int], set[str]]:
    """The codes above info level by path and line, with the unit as the whole repository."""
    if unit.is_dir():
        shutil.copytree(unit, directory, dirs_exist_ok=True)
    else:
        shutil.copy(unit, directory)
    found: dict[tuple[str, int], set[str]] = {}
    for finding in project.check(project.Options()).findings:
        if finding.severity != "info":
            found.setdefault((finding.path, finding.line), set()).add(finding.code)
    return found


@pytest.mark.parametrize(
    "unit",
    [
        pytest.param(unit, id=name, marks=[pytest.mark.xfail(reason=FAULTS[name])] if name in FAULTS else [])
        for unit, name in zip(UNITS, map(name_of, UNITS), strict=True)
    ],
)
def test_unit(unit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    expected, allowed = marks(unit)
    found = reported(unit, tmp_path)
    missed = {place: codes for place, codes in expected.items() if not codes & found.get(place, set())}
    too_many = {
        place: codes - expected.get(place, set()) - allowed.get(place, set())
        for place, codes in found.items()
        if codes - expected.get(place, set()) - allowed.get(place, set())
    }
    assert (missed, too_many) == ({}, {})


def test_look_alikes_expect_nothing() -> None:
    expecting = {name_of(unit) for unit in UNITS if marks(unit).expected}
    assert expecting == {name_of(unit) for unit in UNITS if unit.parent.name != "lookalike"}


def test_the_suite_is_large_enough() -> None:
    look_alikes = [unit for unit in UNITS if unit.parent.name == "lookalike"]
    assert len(UNITS) >= 150
    assert len(look_alikes) >= 50
