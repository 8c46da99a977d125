"""A place in a text file, what it is, and how places become findings."""

from __future__ import annotations

import codecs
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from paged_attention_migrate.findings import ERROR, INFO, WARNING, Finding, Occurrence, by_place
from paged_attention_migrate.source import line_starts

LEFT_ALONE = "left alone"

_RANK = {ERROR: 0, WARNING: 1, INFO: 2}
_LONGEST_SHOWN = 2000


class Registered(NamedTuple):
    """A line of C++ that registers an operator; `namespace` is as `registrations` describes it."""

    path: str
    line: int
    name: str
    namespace: str


class Facts(NamedTuple):
    """What a single file cannot say about the tree that it stands in.

    `exists_in_tree` answers whether a file whose path ends in the given one is there;
    `defined` are the names that C++ of the tree defines, `registered` the operators that it registers.
    """

    exists_in_tree: Callable[[str], bool] = frozenset[str]().__contains__
    is_vllm: bool = False
    defined: frozenset[str] = frozenset()
    registered: tuple[Registered, ...] = ()


NOTHING_KNOWN = Facts()


class Place(NamedTuple):
    """Offsets into a text; `severity` may be `LEFT_ALONE`, and then `message` is the reason."""

    start: int
    end: int
    code: str
    severity: str
    name: str
    message: str


class TextFile:
    """The characters of a file in whatever encoding, and where its lines begin."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        body = data.removeprefix(codecs.BOM_UTF8)
        try:
            self.text = body.decode("utf-8")
        except UnicodeDecodeError:
            self.text = body.decode("latin-1")
        self.line_starts = line_starts(self.text)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        row = bisect_right(self.line_starts, offset) - 1
        return row + 1, offset - self.line_starts[row] + 1

    def line(self, number: int) -> str:
        """The text of a line without its newline; "" when it is too long to show."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] if number < len(self.line_starts) else len(self.text)
        return "" if end - start > _LONGEST_SHOWN else self.text[start:end].rstrip("\r\n")


def as_findings(file: TextFile, places: Iterable[Place]) -> list[Finding]:
    """One finding for a name on a line: the gravest, and of those the first."""
    kept: dict[tuple[int, str], Finding] = {}
    for place in places:
        if place.severity == LEFT_ALONE:
            continue
        finding = _finding(file, place)
        key = finding.line, finding.name
        if key not in kept or _gravity(finding) < _gravity(kept[key]):
            kept[key] = finding
    return sorted(kept.values(), key=by_place)


def as_occurrences(file: TextFile, places: Iterable[Place]) -> list[Occurrence]:
    """The places that are no finding, with the reason."""
    found = []
    for place in sorted(places):
        if place.severity == LEFT_ALONE:
            line, column = file.position(place.start)
            found.append(Occurrence(file.path, line, column, place.name, place.message))
    return found


Scan = Callable[[TextFile, Facts], Iterator[Place]]


def _gravity(finding: Finding) -> tuple[int, int]:
    return _RANK[finding.severity], finding.column


def _finding(file: TextFile, place: Place) -> Finding:
    line, column = file.position(place.start)
    end_line, end_column = file.position(place.end)
    return Finding(
        file.path,
        line,
        column,
        end_line,
        end_column,
        place.code,
        place.severity,
        place.name,
        None,
        place.message,
        source_line=file.line(line),
    )
