"""The text of a module on its way to the simplified one: lines that go, lines that move out, and edits inside lines."""

from __future__ import annotations

from paged_attention_migrate.simplify.parsed import Parsed
from paged_attention_migrate.simplify.regions import Region


class Unremovable(Exception):
    """The text around a removal does not allow to cut it out safely."""


class Page:
    """Collects changes; `text` makes them all at once, `deleted` says which parts of the old text are gone."""

    def __init__(self, parsed: Parsed) -> None:
        self.parsed = parsed
        self.gone: set[int] = set()
        self.opens_block: set[int] = set()
        self.closes_block: set[int] = set()
        self._moves: dict[int, list[Region]] = {}
        self._edits: list[tuple[int, int, str]] = []

    def replace(self, start: int, end: int, new: str = "") -> None:
        """Replace a part of the text by offsets."""
        self._edits.append((start, end, new))

    def remove_lines(self, first: int, last: int) -> None:
        """Take lines out, from `first` to `last` inclusive."""
        self.gone.update(range(first, last + 1))

    def move_out(self, region: Region) -> None:
        """Give the lines of a region the indentation of the statement around it."""
        for line in range(region.first, region.last + 1):
            self._moves.setdefault(line, []).append(region)

    def text(self) -> tuple[str, list[tuple[int, int]]]:
        """The new text, and the parts of the old one that are not in it."""
        self._settle_blank_lines()
        edits = self._all_edits()
        old = self.parsed.text
        pieces = []
        done = 0
        for start, end, new in edits:
            if start < done:
                raise Unremovable("two removals overlap")
            pieces += [old[done:start], new]
            done = end
        pieces.append(old[done:])
        text = "".join(pieces)
        if not old.endswith(("\n", "\r")) and len(self.parsed.starts) in self.gone:
            text = text.rstrip("\r\n")
        return text, [(start, end) for start, end, _ in edits]

    def _all_edits(self) -> list[tuple[int, int, str]]:
        start_of = self.parsed.line_start
        edits = [(start_of(line), start_of(line + 1), "") for line in sorted(self.gone)]
        inline = [edit for edit in self._edits if self.parsed.line_at(edit[0]) not in self.gone]
        edits += inline
        for line, regions in self._moves.items():
            begin = start_of(line)
            if line in self.gone or any(start < begin < end for start, end, _ in inline):
                continue
            prefix = old = self._longest_indentation(line)
            for region in reversed(regions):
                if prefix.startswith(region.old_indentation):
                    prefix = region.new_indentation + prefix[len(region.old_indentation) :]
            if prefix != old:
                edits.append((begin, begin + len(old), prefix))
        return sorted(edits)

    def _longest_indentation(self, line: int) -> str:
        text = self.parsed.line(line)
        return text[: len(text) - len(text.lstrip(" \t"))]

    def _settle_blank_lines(self) -> None:
        """Where lines went, keep the larger of the gaps above and below, and none at the edge of a block."""
        count = len(self.parsed.starts)
        done = 0
        for line in sorted(self.gone):
            if line <= done:
                continue
            first = line
            while first > 1 and self.parsed.is_blank(first - 1):
                first -= 1
            last = self._end_of_seam(line)
            done = last
            inner = [each for each in range(first, last + 1) if each in self.gone]
            above = list(range(first, inner[0]))
            below = list(range(inner[-1] + 1, last + 1))
            self.gone.update(each for each in range(inner[0], inner[-1]))
            if inner[0] in self.opens_block:
                self.gone.update(below)
            elif inner[-1] in self.closes_block or last >= count:
                self.gone.update(above)
            else:
                self.gone.update(below if len(above) >= len(below) else above)

    def _end_of_seam(self, line: int) -> int:
        while line < len(self.parsed.starts) and (line + 1 in self.gone or self.parsed.is_blank(line + 1)):
            line += 1
        return line
