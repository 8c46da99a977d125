"""What the syntax tree leaves out of a module: comments, keywords, and which lines begin inside a string."""

from __future__ import annotations

import io
import tokenize
from bisect import bisect_left
from typing import NamedTuple

from paged_attention_migrate.source import line_starts

_STRING_STARTS = frozenset(
    getattr(tokenize, name) for name in ("FSTRING_START", "TSTRING_START") if hasattr(tokenize, name)
)
_STRING_ENDS = frozenset(getattr(tokenize, name) for name in ("FSTRING_END", "TSTRING_END") if hasattr(tokenize, name))
_MARKS = frozenset({":", "if", "else"})


class Comment(NamedTuple):
    """One comment; `alone` when nothing but white space stands before it on its line (from 1)."""

    start: int
    end: int
    line: int
    column: int
    text: str
    alone: bool


class Tokens:
    """What one pass of `tokenize` says about a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = line_starts(text)
        self.comments: list[Comment] = []
        self.lines_in_strings: set[int] = set()
        self._marks: list[tuple[int, str]] = []
        self._read()

    def _read(self) -> None:
        depth = 0
        for token in tokenize.generate_tokens(io.StringIO(self._with_plain_newlines()).readline):
            row, column = token.start
            if token.type == tokenize.COMMENT:
                start = self.starts[row - 1] + column
                alone = self.text[self.starts[row - 1] : start].isspace() or column == 0
                self.comments.append(Comment(start, start + len(token.string), row, column, token.string, alone))
            elif token.type in _STRING_STARTS:
                if depth == 0:
                    opened = row
                depth += 1
            elif token.type in _STRING_ENDS:
                depth -= 1
                if depth == 0:
                    self.lines_in_strings.update(range(opened + 1, token.end[0] + 1))
            elif token.type == tokenize.STRING:
                self.lines_in_strings.update(range(row + 1, token.end[0] + 1))
            elif token.string in _MARKS:
                self._marks.append((self.starts[row - 1] + column, token.string))

    def _with_plain_newlines(self) -> str:
        ends = [*self.starts[1:], len(self.text)]
        lines = [self.text[start:end] for start, end in zip(self.starts, ends, strict=True)]
        return "".join(line.rstrip("\r\n") + "\n" if line.endswith(("\r", "\n")) else line for line in lines)

    def next_mark(self, mark: str, offset: int) -> int:
        """Offset of the first token `mark` (a colon, `if` or `else`) at or behind `offset`."""
        position = bisect_left(self._marks, (offset, ""))
        while self._marks[position][1] != mark:
            position += 1
        return self._marks[position][0]
