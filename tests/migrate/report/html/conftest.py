"""Runs to make pages of."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paged_attention_migrate.findings import Finding
from paged_attention_migrate.project import FileChange, Result
from paged_attention_migrate.report.html import Section
from paged_attention_migrate.report.summary import Counts

BEFORE = b"from vllm import _custom_ops as ops\n\nops.paged_attention_v1(out, q)\nlast = 1\n"
AFTER = b"from paged_attention_shim import paged_attention\n\npaged_attention(out, q)\nlast = 1\n"


def _found(path: str, line: int = 1, code: str = "PAM102", **other: object) -> Finding:
    given = {"severity": "error", "fix": None, "message": "`x` is gone", "source_line": "    ops.f(x)", **other}
    start = 5
    return Finding(path, line, start, line, start + 5, code, name="x", **given)  # type: ignore[arg-type]


def _section(*findings: Finding, title: str = ".", written: bool = False, **result: object) -> Section:
    whole = Result(findings, **result)  # type: ignore[arg-type]
    return Section(title, whole, Counts(findings), written)


@pytest.fixture(scope="session")
def found() -> Callable[..., Finding]:
    """Makes a finding of a path, a line, a code and whatever else matters."""
    return _found


@pytest.fixture(scope="session")
def section() -> Callable[..., Section]:
    """Makes a section of findings and of what else a run has."""
    return _section


@pytest.fixture(scope="session")
def many() -> Section:
    """Two thousand findings in two hundred files."""
    return _section(*(_found(f"d{number % 40}/f{number % 200}.py", number) for number in range(1, 2001)))


@pytest.fixture(scope="session")
def mixed() -> Section:
    """Two folders, three codes, every state, one change."""
    return _section(
        _found("a/calls.py", 3, fixed=True, fix="safe", message="a call of ours"),
        _found("a/calls.py", 9, fix="safe"),
        _found("a/deep/guard.py", 2, "PAM105", fix="unsafe", reasons=("nobody knows `why`",)),
        _found("b/names.py", 4, "PAM105", source_line="needle = 'paged_attention_v1'"),
        _found("b/notes.md", 5, "PAM306", severity="info"),
        changes=(FileChange("a/calls.py", BEFORE, AFTER, ("removed `tmp`",)),),
        files_scanned=12,
    )
