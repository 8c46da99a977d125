"""Notebooks: their code cells as one Python text, and where its lines stand in the JSON.

The cells are put one after another, so that what one imports is known in those below.
What IPython reads and Python does not (magics, shell lines, help) is masked; no line moves.
Positions are those of the file; the message says the cell (from 0, as in the JSON) and its line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from paged_attention_migrate.cell_marks import BEFORE_A_BLOCK, mark
from paged_attention_migrate.findings import INFO, WARNING, Finding, by_place
from paged_attention_migrate.native.gone import NAME, since
from paged_attention_migrate.notebooks.cells import Cell, Unreadable, cells, json_text
from paged_attention_migrate.source import line_starts

__all__ = ["Cell", "Module", "Unreadable", "cells", "findings_in", "modules"]

Analyse = Callable[[str], Iterable[Finding]]

_LINE = re.compile(r"\bline (\d+)\b")
_VLLM = re.compile(rf"{NAME.pattern}|\bvllm\b")


class Line(NamedTuple):
    """Which line of which cell a line of a module is, both from 0; a cell of -1 is none."""

    cell: int
    line: int


class Module(NamedTuple):
    """Python text made of cells, and where its lines come from."""

    text: str
    lines: tuple[Line, ...]


def modules(found: Iterable[Cell], marked: bool = False) -> list[Module]:
    """The cells that share a kernel as one text, then each cell that is a program of its own.

    With `marked`, a comment and an empty line stand before each cell, by which its text is found again.
    """
    # Two empty lines, so that a comment in a cell is never taken for an encoding cookie.
    shared, shared_lines, others = ["\n\n"], [Line(-1, 0)] * 2, []
    for cell in found:
        if cell.role == "shared":
            glue = (mark(cell.number) if marked else "") + (BEFORE_A_BLOCK if cell.indented else "")
            shared.append(f"{glue}{_ended(cell.text)}")
            shared_lines += [Line(-1, 0)] * glue.count("\n") + _lines(cell)
        elif cell.role == "alone":
            glue = "\n\n" + (mark(cell.number) if marked else "")
            others.append(Module(f"{glue}{_ended(cell.text)}", (*[Line(-1, 0)] * glue.count("\n"), *_lines(cell))))
    return [Module("".join(shared), tuple(shared_lines)), *others]


def findings_in(path: str, data: bytes, analyse: Analyse) -> list[Finding]:
    """What `analyse` finds in the Python of a notebook, at its places in the file, and what cannot be analysed."""
    try:
        text = json_text(data)
        found = cells(data)
    except Unreadable as problem:
        return [unreadable(path, problem)]
    page = Page(path, text, found)
    results = [
        finding
        for module in modules(found)
        if module.text.strip()
        for finding in (page.moved(each, module) for each in analyse(module.text))
        if finding is not None
    ]
    for cell in found:
        results += page.not_analysed(cell)
    return sorted(results, key=by_place)


class Page:
    """The JSON of a notebook with its lines."""

    def __init__(self, path: str, text: str, found: list[Cell]) -> None:
        self.path = path
        self.text = text
        self.cells = {cell.number: cell for cell in found}
        self.line_starts = line_starts(text)

    def moved(self, finding: Finding, module: Module, fixable: bool = False) -> Finding | None:
        """A finding in a module, at the place that its line has in the file."""
        line = module.lines[finding.line - 1]
        cell = self.cells.get(line.cell)
        if cell is None:
            return None
        start = cell.offset_of(line.line, finding.column - 1)
        last = module.lines[min(finding.end_line, len(module.lines)) - 1]
        end = cell.offset_of(last.line, finding.end_column - 1) if last.cell == line.cell else start + 1
        message = self.headed(line, self._in_words(finding.message, module))
        reasons = tuple(self._in_words(reason, module) for reason in finding.reasons)
        fix = finding.fix if fixable else None
        return self._at(
            *cell.in_file(start, end), finding._replace(fix=fix, message=message, reasons=reasons, replacements=())
        )

    def not_analysed(self, cell: Cell) -> Iterator[Finding]:
        """The names in a cell that is no Python, and a cell that should be and is not."""
        if cell.problem:
            match = NAME.search(cell.source) or _VLLM.search(cell.source)
            if match is not None:
                what = "look for removed names by hand" if match[0] == "vllm" else f"look for {match[0]} by hand"
                yield self._in_cell(cell, match, "PAM901", WARNING, f"not read: {cell.problem}; {what}")
        elif cell.role == "":
            seen = set()
            for match in NAME.finditer(cell.source):
                key = cell.line_of(match.start()), match[0]
                if key not in seen:
                    seen.add(key)
                    message = f"{cell.what} names {match[0]}, {since(match[0])}"
                    yield self._in_cell(cell, match, "PAM306", INFO, message)

    def headed(self, line: Line, message: str) -> str:
        """A message with what a reader needs to find the line, beside its place in the file."""
        return f"{self.named(line)}: {message}"

    def named(self, line: Line) -> str:
        """How a line of a cell is spoken of."""
        return f"cell {line.cell}, line {line.line + 1}"

    def _in_words(self, message: str, module: Module) -> str:
        """A message that names lines of the module, with what these are in the file instead."""

        def place(match: re.Match[str]) -> str:
            number = int(match[1])
            line = module.lines[number - 1] if 0 < number <= len(module.lines) else Line(-1, 0)
            return match[0] if line.cell < 0 else self.named(line)

        return _LINE.sub(place, message)

    def _in_cell(self, cell: Cell, match: re.Match[str], code: str, severity: str, message: str) -> Finding:
        message = self.headed(Line(cell.number, cell.line_of(match.start())), message)
        name = "" if match[0] == "vllm" else match[0]
        finding = Finding(self.path, 1, 1, 1, 1, code, severity, name, None, message)
        return self._at(*cell.in_file(*match.span()), finding)

    def row_of(self, offset: int) -> int:
        """The line of the file, from 0, that holds an offset."""
        return bisect_right(self.line_starts, offset) - 1

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset into the file, both from 1."""
        row = self.row_of(offset)
        return row + 1, offset - self.line_starts[row] + 1

    def _at(self, start: int, end: int, finding: Finding) -> Finding:
        line, column = self.position(start)
        end_line, end_column = self.position(end)
        first = self.line_starts[line - 1]
        last = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return finding._replace(
            path=self.path,
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            source_line=self.text[first:last].rstrip("\r\n") if last - first <= 2000 else "",
        )


def _ended(text: str) -> str:
    """The text with a newline after it, which a carriage return at its end must not swallow."""
    return f"{text} \n" if text.endswith("\r") else f"{text}\n"


def _lines(cell: Cell) -> list[Line]:
    return [Line(cell.number, number) for number in range(len(line_starts(cell.text)))]


def unreadable(path: str, problem: Unreadable) -> Finding:
    """The finding for a file that is no notebook."""
    line, column = problem.line, problem.column
    return Finding(path, line, column, line, column, "PAM901", WARNING, "", None, str(problem))
