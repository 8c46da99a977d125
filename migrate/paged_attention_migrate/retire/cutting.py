"""Takes pieces out of a text so that no trace is left: whole lines where nothing else stands on them, and the gap.

Works on characters, so a C++ file is read as latin-1, in which they are its bytes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from paged_attention_migrate.source import line_starts

_OPENS = ("{", "(", "[", ":")
_CONDITIONS = ("#if", "#el")
_CLOSES = ("}", ")", "]", "#e")
_WHITE = " \t"


class Cut(NamedTuple):
    """A piece that goes, and in words what it is.

    `item` says that it is one of a list, whose comma goes with it.
    """

    start: int
    end: int
    what: str = ""
    item: bool = False


class Overlapping(Exception):
    """Two pieces overlap."""


def without(text: str, cuts: Iterable[Cut]) -> str:
    """The text without the pieces."""
    lines = _Lines(text)
    pieces = sorted({_grown(text, cut) for cut in cuts})
    merged: list[tuple[int, int]] = []
    for start, end in pieces:
        if merged and not text[merged[-1][1] : start].strip(_WHITE):
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    gone: set[int] = set()
    inline: list[tuple[int, int]] = []
    for start, end in merged:
        first, last = lines.at(start), lines.at(max(end - 1, start))
        alone = not text[lines.start(first) : start].strip(_WHITE) and not text[end : lines.end(last)].strip()
        if alone:
            gone.update(range(first, last + 1))
        else:
            inline.append((start, end))
    gone |= _blanks_between(lines, gone)
    gone |= _superfluous_blanks(lines, gone)
    spans = [(lines.start(row), lines.end(row)) for row in sorted(gone)]
    spans += [(start, _with_space(text, start, end)) for start, end in inline]
    return _spliced(text, sorted(spans))


def comments_above(text: str, start: int, is_comment: re.Pattern[str]) -> int:
    """Where the comment lines directly above a piece begin; its own line's beginning if there are none."""
    lines = _Lines(text)
    row = lines.at(start)
    while row > 0 and is_comment.match(lines.text_of(row - 1)):
        row -= 1
    return lines.start(row)


class _Lines:
    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = line_starts(text)

    def at(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1

    def start(self, row: int) -> int:
        return self.starts[row]

    def end(self, row: int) -> int:
        return self.starts[row + 1] if row + 1 < len(self.starts) else len(self.text)

    def text_of(self, row: int) -> str:
        return self.text[self.start(row) : self.end(row)]

    def is_blank(self, row: int) -> bool:
        return not self.text_of(row).strip()

    def count(self) -> int:
        return len(self.starts) - (self.starts[-1] == len(self.text))


def _grown(text: str, cut: Cut) -> tuple[int, int]:
    """The piece with its comma: the one behind it, or before it where it is the last of its list."""
    if not cut.item:
        return cut.start, cut.end
    behind = re.compile(r"\s*,").match(text, cut.end)
    if behind:
        own_line = not text[text.rfind("\n", 0, cut.start) + 1 : cut.start].strip()
        comment = re.compile(r"[ \t]*#[^\r\n]*").match(text, behind.end()) if own_line else None
        return cut.start, comment.end() if comment else behind.end()
    before = re.compile(r",\s*\Z").search(text[: cut.start])
    return (before.start(), cut.end) if before else (cut.start, cut.end)


def _with_space(text: str, start: int, end: int) -> int:
    """Takes the spaces behind a piece that others of its line follow."""
    following = end
    while following < len(text) and text[following] in _WHITE:
        following += 1
    before = text[start - 1 : start]
    return following if before in {"", "(", "[", "{", " ", "\n"} else end


def _blanks_between(lines: _Lines, gone: set[int]) -> set[int]:
    """The gaps between two pieces that go."""
    rows = sorted(gone)
    between: set[int] = set()
    for row, following in pairwise(rows):
        gap = range(row + 1, following)
        if all(lines.is_blank(each) for each in gap):
            between.update(gap)
    return between


def _superfluous_blanks(lines: _Lines, gone: set[int]) -> set[int]:
    """Of the gaps above and below what went, the smaller; both at the edge of a block or of the file."""
    extra: set[int] = set()
    for run in _runs(sorted(gone)):
        above = _blanks(lines, run[0] - 1, -1, gone)
        below = _blanks(lines, run[-1] + 1, 1, gone)
        top = (above[-1] if above else run[0]) - 1
        bottom = (below[-1] if below else run[-1]) + 1
        opens = top < 0 or _opens_block(lines.text_of(top))
        closes = bottom >= lines.count() or lines.text_of(bottom).lstrip().startswith(_CLOSES)
        if opens and closes:
            extra.update(above)
            extra.update(below)
        elif opens:
            extra.update(below)
        elif closes:
            extra.update(above)
        elif above and below:
            extra.update(below if len(above) >= len(below) else above)
    return extra


def _opens_block(line: str) -> bool:
    return line.rstrip().endswith(_OPENS) or line.lstrip().startswith(_CONDITIONS)


def _runs(rows: Sequence[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for row in rows:
        if found and found[-1][-1] == row - 1:
            found[-1].append(row)
        else:
            found.append([row])
    return found


def _blanks(lines: _Lines, row: int, step: int, gone: set[int]) -> list[int]:
    found = []
    while 0 <= row < lines.count() and row not in gone and lines.is_blank(row):
        found.append(row)
        row += step
    return found


def _spliced(text: str, spans: Sequence[tuple[int, int]]) -> str:
    pieces = []
    done = 0
    for start, end in spans:
        if start < done:
            raise Overlapping
        pieces.append(text[done:start])
        done = end
    pieces.append(text[done:])
    return "".join(pieces)
