"""A source line as a terminal shows it, and where on the screen a span of its characters stands."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

_TAB = 4
_WIDTH = 120
_LEAD = 30
_CUT = "..."
_UNSAFE = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}


class Snippet(NamedTuple):
    """A line without tabs or control characters; the span as columns of the screen, from 0, `end` exclusive."""

    text: str
    start: int
    end: int


def snippet(line: str, start: int, end: int, encoding: str = "utf-8") -> Snippet:
    """Show `line` with the characters from `start` to `end` marked; a long line is cut around them."""
    shown: list[str] = []
    columns = [0]
    for character in line:
        text, width = _shown(character, columns[-1], encoding)
        shown.append(text)
        columns.append(columns[-1] + width)
    start = min(start, len(line))
    end = max(start, min(end, len(line.rstrip())))
    if columns[-1] <= _WIDTH:
        return _marked("".join(shown), columns[start], columns[end])
    first, last = _window(columns, start)
    head, tail = _CUT if first else "", _CUT if last < len(line) else ""
    moved = len(head) - columns[first]
    text = head + "".join(shown[first:last]) + tail
    return _marked(text, columns[start] + moved, columns[min(end, last)] + moved)


def _marked(text: str, start: int, end: int) -> Snippet:
    return Snippet(text.rstrip(), start, max(end, start + 1))


def _window(columns: list[int], start: int) -> tuple[int, int]:
    """The first and last character to show of a long line."""
    first = 0
    if columns[start] > _WIDTH - _LEAD:
        first = next(index for index, column in enumerate(columns) if column >= columns[start] - _LEAD)
    last = first
    while last + 1 < len(columns) and columns[last + 1] - columns[first] <= _WIDTH:
        last += 1
    return first, last


def _shown(character: str, column: int, encoding: str) -> tuple[str, int]:
    """What stands for one character, and how many columns it takes."""
    if character == "\t":
        width = _TAB - column % _TAB
        return " " * width, width
    if " " <= character <= "~":
        return character, 1
    if unicodedata.category(character) in _UNSAFE or not _encodes(character, encoding):
        # A terminal must not act on what a source file holds, and the caret must stand where it belongs.
        escape = character.encode("unicode_escape").decode("ascii")
        return escape, len(escape)
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me"}:
        return character, 0
    return character, 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def _encodes(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
