"""The cells of a notebook: their sources, and where each character stands in the JSON."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple

from paged_attention_migrate.notebooks.magics import cell_magic, masked
from paged_attention_migrate.source import line_starts

_SPACE = re.compile(r"[ \t\r\n]*")
ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.")
_PYTHON = re.compile(r"i?python\d*|sage|", re.IGNORECASE)


class Unreadable(Exception):
    """A notebook that cannot be read; `str()` is one sentence."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class Piece(NamedTuple):
    """One JSON string of a source: where it begins in the source, and its text between the quotes in the file."""

    start: int
    raw_start: int
    raw: str


class Cell(NamedTuple):
    """One cell; `number` counts all cells from 0.

    `role`: `shared` (Python that shares the kernel), `alone` (a program of its own), "" (no Python, or not readable).
    `text` is the source with what only IPython reads masked; `indented` when it is a block without its opening line.
    `what` says what kind of cell it is, `problem` why Python that should be readable is not.
    """

    number: int
    source: str
    text: str
    role: str
    what: str
    pieces: tuple[Piece, ...]
    indented: bool = False
    problem: str = ""

    def line_of(self, offset: int) -> int:
        """The line, from 0, of an offset into the source."""
        return bisect_right(line_starts(self.source), offset) - 1

    def offset_of(self, line: int, column: int) -> int:
        """The offset into the source of a position, both numbers from 0."""
        return line_starts(self.source)[line] + column

    def in_file(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the source stands in the file."""
        starts = [piece.start for piece in self.pieces]
        first = self.pieces[bisect_right(starts, start) - 1]
        # The end belongs to the string of the last character, and not to the one that may begin there.
        last = self.pieces[max(bisect_left(starts, max(end, start + 1)) - 1, 0)]
        end = max(end, start)
        return (
            first.raw_start + self.raw_length(first, start - first.start),
            last.raw_start + self.raw_length(last, end - last.start),
        )

    def raw_length(self, piece: Piece, count: int) -> int:
        """How many characters of the file the first `count` characters of a piece take."""
        return raw_length(piece.raw, count)


def json_text(data: bytes) -> str:
    """The characters of a notebook file."""
    body = data.removeprefix(codecs.BOM_UTF8)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise Unreadable("the notebook is not UTF-8, as JSON has to be", line) from None


def cells(data: bytes) -> list[Cell]:
    """All cells, in order; none when the notebook is in another language than Python."""
    text = json_text(data)
    root = _parsed(text)
    if "worksheets" in root and "cells" not in root:
        raise Unreadable(
            "the notebook is in format 3: `jupyter nbconvert --to notebook --inplace` brings it up to date"
        )
    if not isinstance(root.get("cells"), list):
        raise Unreadable("the file is no notebook: it has no list of cells")
    if not _is_python(root.get("metadata")):
        return []
    at = [start for key, start in _members(text, _skip(text, 0)) if key == "cells"][-1]
    found = []
    for index, (start, cell) in enumerate(zip(_elements(text, at), root["cells"], strict=True)):
        if isinstance(cell, dict):
            found.append(_cell(index, cell, tuple(_pieces(text, start, cell))))
    return found


def _parsed(text: str) -> dict[str, Any]:
    import json

    try:
        root = json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(f"the notebook is no valid JSON: {error.msg}", error.lineno, error.colno) from None
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the notebook is no JSON that can be read: {error}") from None
    if not isinstance(root, dict):
        raise Unreadable("the file is no notebook: its JSON is no object")
    return root


def _is_python(metadata: object) -> bool:
    if not isinstance(metadata, dict):
        return True
    for key, field in (("kernelspec", "language"), ("language_info", "name")):
        part = metadata.get(key)
        language = part.get(field) if isinstance(part, dict) else None
        if isinstance(language, str) and not _PYTHON.fullmatch(language):
            return False
    return True


def _cell(index: int, cell: dict[str, Any], pieces: tuple[Piece, ...]) -> Cell:
    written = cell.get("source")
    source = "".join(each for each in written if isinstance(each, str)) if isinstance(written, list) else written
    if not isinstance(source, str):
        source = ""
    kind = cell.get("cell_type")
    if kind != "code" or not _cell_is_python(cell):
        what = f"a {kind} cell" if isinstance(kind, str) and kind != "code" else "a cell in another language"
        return Cell(index, source, "", "", what, pieces)
    return code_cell(index, source, pieces)


def code_cell(index: int, source: str, pieces: tuple[Piece, ...]) -> Cell:
    """A cell of Python, read as far as it can be read."""
    magic, role = cell_magic(source)
    if role == "":
        return Cell(index, source, "", "", f"a %%{magic} cell", pieces)
    complaints = []
    for attempt in masked(source, after_magic=bool(magic)):
        complaints.append(_complaint(attempt))
        indented = complaints[-1] is not None
        if not indented or _complaint(f"if 1:\n{attempt}") is None:
            return Cell(index, source, attempt, role, "a code cell", pieces, indented)
    # The first is about the source as it is, and so mostly about its magics.
    return Cell(index, source, "", "", "a code cell", pieces, problem=complaints[1] or "")


def _complaint(text: str) -> str | None:
    """What Python says against a text; None when it parses."""
    import ast
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        return f"{error.msg} in its line {error.lineno}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error)
    return None


def _cell_is_python(cell: dict[str, Any]) -> bool:
    metadata = cell.get("metadata")
    editor = metadata.get("vscode") if isinstance(metadata, dict) else None
    language = editor.get("languageId") if isinstance(editor, dict) else None
    return not isinstance(language, str) or bool(_PYTHON.fullmatch(language))


def _pieces(text: str, at: int, cell: dict[str, Any]) -> Iterator[Piece]:
    """The strings of a cell's source; `at` is where the cell opens."""
    source = cell.get("source")
    starts = [start for key, start in _members(text, at) if key == "source"]
    if not starts:
        return
    places = list(_elements(text, starts[-1])) if isinstance(source, list) else starts[-1:]
    values = source if isinstance(source, list) else [source]
    length = 0
    for start, value in zip(places, values, strict=True):
        if isinstance(value, str):
            yield Piece(length, start + 1, text[start + 1 : _end(text, start) - 1])
            length += len(value)


def raw_length(raw: str, count: int) -> int:
    """How many characters of JSON the first `count` characters of its value take."""
    at = 0
    while count > 0 and at < len(raw):
        escape = ESCAPE.match(raw, at)
        at = escape.end() if escape else at + 1
        count -= 1
    return at


def _members(text: str, at: int) -> Iterator[tuple[str, int]]:
    """The keys of the object that opens at an offset, and where their values begin."""
    from json import loads

    at = _skip(text, at + 1)
    while text[at] != "}":
        end = _end(text, at)
        key = loads(text[at:end])
        value = _skip(text, _skip(text, end) + 1)
        yield key, value
        at = _skip(text, _end(text, value))
        if text[at] == ",":
            at = _skip(text, at + 1)


def _elements(text: str, at: int) -> Iterator[int]:
    """Where the elements begin of the array that opens at an offset."""
    at = _skip(text, at + 1)
    while text[at] != "]":
        yield at
        at = _skip(text, _end(text, at))
        if text[at] == ",":
            at = _skip(text, at + 1)


def _end(text: str, at: int) -> int:
    """Where the value ends that begins at an offset of valid JSON."""
    from json import JSONDecoder

    return JSONDecoder().raw_decode(text, at)[1]


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
