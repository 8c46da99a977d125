"""What a check reports: one record for a check and a rewrite alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

ERROR = "error"
WARNING = "warning"
INFO = "info"

SAFE = "safe"
UNSAFE = "unsafe"


class Replacement(NamedTuple):
    """Text that takes the place of a stretch of a file, positions as in a finding."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Finding(NamedTuple):
    """One place in one file, with its verdict.

    Lines and columns count from 1, columns in characters; `end_column` is exclusive.
    `fix` is `"safe"`, `"unsafe"` or None (a person must do it); `reasons` say why it is not safe.
    `fixed` is True once a rewrite has made the edit; `replacements` are that edit, if it was asked for.
    `calls` says how often the place was called in a run, if the report of one was asked for and has it.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    severity: str
    name: str
    fix: str | None
    message: str
    reasons: tuple[str, ...] = ()
    source_line: str = ""
    fixed: bool = False
    replacements: tuple[Replacement, ...] = ()
    calls: int | None = None


def called(finding: Finding) -> tuple[str, ...]:
    """What a run says of the place, if anything."""
    if finding.calls is None:
        return ()
    return (f"called {finding.calls:,} time{'' if finding.calls == 1 else 's'} in the run",)


OwnersOf = Callable[[str], tuple[str, ...]]


class Choice(NamedTuple):
    """Places of a file, each line and column, that are rewritten together or not at all, and the file with them alone.

    `after` is None where that cannot be proved by itself.
    """

    path: str
    places: tuple[tuple[int, int], ...]
    after: bytes | None


class Occurrence(NamedTuple):
    """A removed name in the text that is no finding, and why it was left alone."""

    path: str
    line: int
    column: int
    text: str
    reason: str


def by_place(finding: Finding) -> tuple[str, int, int, str, str]:
    """Sort key: path, line, column, code, message."""
    return finding.path, finding.line, finding.column, finding.code, finding.message
