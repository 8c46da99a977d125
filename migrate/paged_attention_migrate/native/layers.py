"""A source text in layers: comments, strings, and the code that is left, each at its own offsets."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

COMMENT = "comment"
STRING = "string"
CODE = "code"

_INK = re.compile(r"[^\r\n]")
# More than the longest list of sources; without a bound, a table of a million strings would take hours.
_REACH = 20_000
_CALLEE = re.compile(r"([A-Za-z_]\w*)\s*\Z")


class Segment(NamedTuple):
    """A comment or a string; `inner` and `inner_end` leave its delimiters out."""

    kind: str
    start: int
    end: int
    inner: int
    inner_end: int


class Layers:
    """Made with a pattern whose groups `comment`, `string` and, inside a string, `body` match what is not code."""

    def __init__(self, text: str, tokens: re.Pattern[str]) -> None:
        self.text = text
        self.segments = list(_segments(text, tokens))
        self._starts = [segment.start for segment in self.segments]
        self.code = self._masked()

    def at(self, offset: int) -> Segment | None:
        """The comment or string that holds an offset."""
        index = bisect_right(self._starts, offset) - 1
        if index >= 0 and offset < self.segments[index].end:
            return self.segments[index]
        return None

    def kind(self, offset: int) -> str:
        """`comment`, `string` or `code`."""
        segment = self.at(offset)
        return segment.kind if segment else CODE

    def content(self, segment: Segment) -> str:
        """The text between a string's delimiters."""
        return self.text[segment.inner : segment.inner_end]

    def _masked(self) -> str:
        parts: list[str] = []
        last = 0
        for segment in self.segments:
            keep = (segment.inner, segment.inner_end) if segment.kind == STRING else (segment.start, segment.end)
            parts += (self.text[last : keep[0]], _INK.sub(" ", self.text[keep[0] : keep[1]]))
            last = keep[1]
        return "".join((*parts, self.text[last:]))


def _segments(text: str, tokens: re.Pattern[str]) -> Iterator[Segment]:
    for match in tokens.finditer(text):
        if match["comment"] is not None:
            yield Segment(COMMENT, match.start(), match.end(), match.start(), match.end())
        elif match["string"] is not None:
            yield Segment(STRING, match.start(), match.end(), *_inner(match))


def _inner(match: re.Match[str]) -> tuple[int, int]:
    for group, index in match.re.groupindex.items():
        if group.startswith("body") and match[index] is not None:
            return match.span(index)
    return match.span()


def closing(code: str, opened: int) -> int:
    """Offset of the bracket that closes the one at `opened`; the end of the text when none does."""
    pair = {"(": "()", "{": "{}", "[": "[]"}[code[opened]]
    depth = 0
    for match in re.compile(f"[{re.escape(pair)}]").finditer(code, opened):
        depth += 1 if match[0] == pair[0] else -1
        if depth == 0:
            return match.start()
    return len(code)


def enclosing_calls(code: str, offset: int) -> Iterator[tuple[str, int]]:
    """The calls whose parentheses hold an offset, innermost first: the word before, and where `(` stands."""
    depth = 0
    for at in range(offset - 1, max(-1, offset - _REACH), -1):
        character = code[at]
        if character in ")]}":
            depth += 1
        elif character in "([{":
            if depth:
                depth -= 1
            elif character == "(":
                callee = _CALLEE.search(code, max(0, at - 200), at)
                yield (callee[1] if callee else ""), at
            elif character == "{" and code[:at].rstrip()[-1:] not in {"(", ","}:
                return
        elif character == ";" and depth == 0:
            return
