"""Edits of a cell's source as edits of the JSON: only the text of the strings that change, in the file's own manner."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise

from paged_attention_migrate.edits import Edit, NotEditable
from paged_attention_migrate.notebooks.cells import ESCAPE, Cell, Piece, raw_length
from paged_attention_migrate.replacements import edits_between
from paged_attention_migrate.source import line_starts

_BETWEEN = re.compile(r'"[ \t\r\n]*,[ \t\r\n]*"')
_NEWLINES = frozenset({"\\n", "\\u000a", "\\u000A"})
_WHITE = " \t\r\n"


def source_edits(cell: Cell, after: str) -> list[Edit]:
    """The edits of the source that make its Python `after`; raises NotEditable where they meet what is masked."""
    found = []
    starts, source_starts = line_starts(cell.text), line_starts(cell.source)
    for edit in edits_between(cell.text, after):
        row = bisect_right(starts, edit.start) - 1
        last = bisect_right(starts, edit.end) - 1
        start = source_starts[row] + edit.start - starts[row]
        end = source_starts[last] + edit.end - starts[last]
        if cell.source[start:end] != cell.text[edit.start : edit.end]:
            raise NotEditable("the edit meets a line that only IPython reads")
        found.append(Edit(start, end, edit.new))
    return found


def file_edits(text: str, cell: Cell, edits: Iterable[Edit]) -> list[Edit]:
    """The edits of the JSON `text` that make the edits of one cell's source; raises NotEditable."""
    if not cell.pieces:
        raise NotEditable("the cell has no text")
    strings = _Strings(text, cell.pieces)
    return [strings.edit(first, last, group) for first, last, group in strings.groups(sorted(edits))]


class _Strings:
    """The strings of one source."""

    def __init__(self, text: str, pieces: tuple[Piece, ...]) -> None:
        self.text = text
        self.pieces = pieces
        self.starts = [piece.start for piece in pieces]
        self.in_ascii = text.isascii()
        self.is_list = text[self._before(pieces[0].raw_start - 1)] == "["
        for one, two in pairwise(pieces):
            if not _BETWEEN.fullmatch(text, _end_of(one), two.raw_start):
                raise NotEditable("the source holds more than strings")
        # A string with several lines would not be cut by whoever wrote it.
        self.by_lines = self.is_list and all(len(list(_raw_lines(piece.raw))) < 2 for piece in pieces)

    def groups(self, edits: list[Edit]) -> Iterator[tuple[int, int, list[Edit]]]:
        """Edits with the first and the last string that they change, none sharing a string with the next."""
        group: list[Edit] = []
        first = last = -1
        for edit in edits:
            begin = bisect_right(self.starts, edit.start) - 1
            finish = max(begin, bisect_left(self.starts, edit.end) - 1)
            if group and begin > last:
                yield first, last, group
                group = []
            first, last = (min(first, begin), max(last, finish)) if group else (begin, finish)
            group.append(edit)
            while self.by_lines and last + 1 < len(self.pieces) and not self._ends_line(first, last, group):
                last += 1
        if group:
            yield first, last, group

    def edit(self, first: int, last: int, edits: list[Edit]) -> Edit:
        """One edit of the JSON, for some strings that follow each other."""
        raw = self._new_raw(first, last, edits)
        parts = list(_raw_lines(raw)) if self.by_lines else [raw]
        begin, end = self.pieces[first], self.pieces[last]
        if parts:
            return Edit(begin.raw_start, _end_of(end), f'"{self._separator()}"'.join(parts))
        if first > 0:
            return Edit(_end_of(self.pieces[first - 1]) + 1, _end_of(end) + 1, "")
        if last + 1 < len(self.pieces):
            return Edit(begin.raw_start, self.pieces[last + 1].raw_start, "")
        return Edit(begin.raw_start, _end_of(end), "")

    def _ends_line(self, first: int, last: int, edits: list[Edit]) -> bool:
        """Whether the next string may stay one of its own."""
        lines = list(_raw_lines(self._new_raw(first, last, edits)))
        return not lines or _tokens(lines[-1])[-1] in _NEWLINES

    def _new_raw(self, first: int, last: int, edits: list[Edit]) -> str:
        from json import dumps

        raw = "".join(piece.raw for piece in self.pieces[first : last + 1])
        base = self.starts[first]
        made, done = [], 0
        for edit in edits:
            start, end = raw_length(raw, edit.start - base), raw_length(raw, edit.end - base)
            made += [raw[done:start], dumps(edit.new, ensure_ascii=self.in_ascii)[1:-1]]
            done = end
        return "".join([*made, raw[done:]])

    def _separator(self) -> str:
        """A comma and the white space around it, as this list has it or would have it."""
        if len(self.pieces) > 1:
            return self.text[_end_of(self.pieces[0]) + 1 : self.pieces[1].raw_start - 1]
        quote = self.pieces[0].raw_start - 1
        bracket = self._before(quote)
        if bracket + 1 < quote:
            return f",{self.text[bracket + 1 : quote]}"
        return ", " if self.text[bracket - 1] in _WHITE else ","

    def _before(self, at: int) -> int:
        """Where the last character before an offset stands that is no white space."""
        at -= 1
        while self.text[at] in _WHITE:
            at -= 1
        return at


def _end_of(piece: Piece) -> int:
    return piece.raw_start + len(piece.raw)


def _tokens(raw: str) -> list[str]:
    """The characters of a JSON string as they are written."""
    found, at = [], 0
    while at < len(raw):
        escape = ESCAPE.match(raw, at)
        end = escape.end() if escape else at + 1
        found.append(raw[at:end])
        at = end
    return found


def _raw_lines(raw: str) -> Iterator[str]:
    line = ""
    for token in _tokens(raw):
        line += token
        if token in _NEWLINES:
            yield line
            line = ""
    if line:
        yield line
