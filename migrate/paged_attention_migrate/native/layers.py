"""A source text in layers: comments, strings, and the code that is left, each at its own offsets."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import NamedTuple

COMMENT = "comment"
STRING = "string"
CODE = "code"

_INK = re.compile(r"[^\r\n]")
_BRACKET = re.compile(r"[(){}\[\]]")
_OPENS = frozenset("([{")
_OPENED_BY = {")": "(", "]": "[", "}": "{"}
_IN_LIST = re.compile(r"[(,]\s*\Z")
_REACH = 40
_DEEPEST = 8


class Segment(NamedTuple):
    """A comment or a string; `inner` and `inner_end` leave its delimiters out."""

    kind: str
    start: int
    end: int
    inner: int
    inner_end: int


class Layers:
    """Made with a pattern whose groups `comment`, `string` and, inside a string, `body` match what is not code.

    With a `language`, its grammar decides where these are, if it is installed and understands the text.
    """

    def __init__(self, text: str, tokens: re.Pattern[str], language: str | None = None) -> None:
        self.text = text
        found = _by_grammar(text, language, tokens) if language is not None else None
        self.segments = list(segments_in(text, tokens)) if found is None else found
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

    @cached_property
    def brackets(self) -> Brackets:
        """The brackets of the code."""
        return Brackets(self.code)

    def _masked(self) -> str:
        parts: list[str] = []
        last = 0
        for segment in self.segments:
            keep = (segment.inner, segment.inner_end) if segment.kind == STRING else (segment.start, segment.end)
            parts += (self.text[last : keep[0]], _INK.sub(" ", self.text[keep[0] : keep[1]]))
            last = keep[1]
        return "".join((*parts, self.text[last:]))


def segments_in(text: str, tokens: re.Pattern[str], start: int = 0, end: int | None = None) -> Iterator[Segment]:
    """The comments and strings that a pattern finds in a part of a text."""
    for match in tokens.finditer(text, start, len(text) if end is None else end):
        segment = segment_of(match)
        if segment is not None:
            yield segment


def segment_of(match: re.Match[str]) -> Segment | None:
    """The comment or string that a match of a pattern is."""
    if match["comment"] is not None:
        return Segment(COMMENT, match.start(), match.end(), match.start(), match.end())
    if match["string"] is not None:
        return Segment(STRING, match.start(), match.end(), *_inner(match))
    return None


def _by_grammar(text: str, language: str, tokens: re.Pattern[str]) -> list[Segment] | None:
    from paged_attention_migrate.native.grammar_layers import segments

    return segments(text, language, tokens)


def _inner(match: re.Match[str]) -> tuple[int, int]:
    for group, index in match.re.groupindex.items():
        if group.startswith("body") and match[index] is not None:
            return match.span(index)
    return match.span()


class Brackets:
    """The brackets of a code layer; one that is never closed closes at the end, one never opened is none."""

    def __init__(self, code: str) -> None:
        self.code = code
        self._closed: dict[int, int] = {}
        self._outer: dict[int, int] = {}
        self._events: list[int] = []
        self._open_after: list[int] = []
        stack: list[int] = []
        for match in _BRACKET.finditer(code):
            at = match.start()
            if match[0] in _OPENS:
                self._outer[at] = stack[-1] if stack else -1
                stack.append(at)
            elif stack and code[stack[-1]] == _OPENED_BY[match[0]]:
                self._closed[stack.pop()] = at
            self._events.append(at)
            self._open_after.append(stack[-1] if stack else -1)

    def closing(self, opened: int) -> int:
        """Offset of the bracket that closes the one at `opened`."""
        return self._closed.get(opened, len(self.code))

    def around(self, offset: int) -> Iterator[int]:
        """The brackets that are open at an offset, innermost first."""
        index = bisect_left(self._events, offset) - 1
        opened = self._open_after[index] if index >= 0 else -1
        while opened >= 0:
            yield opened
            opened = self._outer[opened]

    def calls(self, offset: int) -> Iterator[tuple[str, int]]:
        """The calls whose parentheses hold an offset, innermost first: the word before, and where `(` stands."""
        for opened in islice(self.around(offset), _DEEPEST):
            if self.code[opened] == "(":
                yield word_before(self.code, opened), opened
            elif self.code[opened] == "{" and not _IN_LIST.search(self.code, max(0, opened - _REACH), opened):
                return


def word_before(code: str, offset: int) -> str:
    """The identifier that ends before an offset, spaces apart; "" when there is none."""
    end = len(code[max(0, offset - _REACH) : offset].rstrip()) + max(0, offset - _REACH)
    start = end
    while start > 0 and (code[start - 1].isalnum() or code[start - 1] == "_"):
        start -= 1
    return code[start:end]
