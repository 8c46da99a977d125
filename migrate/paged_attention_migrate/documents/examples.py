"""An example in a document: its lines without what stands before them, and where each character is in the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from paged_attention_migrate.documents.languages import Language, names_file
from paged_attention_migrate.notebooks.cells import Cell, Piece, code_cell

_PROMPT = re.compile(r"[ \t]*>>>[ \t]")
_OPTION = re.compile(r"[ \t]*:[\w-]+:")
_ENDINGS = "\r\n"


class Block(NamedTuple):
    """The lines of an example, each from 0, and how many characters of each belong to what is around it."""

    language: Language
    lines: range
    before: tuple[int, ...]


class Example(Cell):
    """One example; its pieces are its lines."""

    def raw_length(self, _piece: Piece, count: int) -> int:
        """Characters stand in the file as they are."""
        return count

    def prefix(self, text: str, number: int) -> str:
        """What stands before a line of the example, from 0, in the text of the file."""
        at = self.pieces[number].raw_start
        return text[max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1 : at]


def examples(text: str, starts: list[int], blocks: Iterable[Block]) -> Iterator[Example]:
    """The examples that blocks of a text hold; `starts` are the offsets of its lines and of its end."""
    for number, block in enumerate(blocks):
        pieces: list[Piece] = []
        length = 0
        for row, before in zip(block.lines, block.before, strict=True):
            raw = text[starts[row] + before : starts[row + 1]].rstrip(_ENDINGS)
            pieces.append(Piece(length, starts[row] + before, raw))
            length += len(raw) + 1
        language = block.language
        options = _options(pieces) if language.has_options else 0
        own_file = language.own_file or any(names_file(piece.raw) for piece in pieces[:options])
        base = pieces[options].start if options < len(pieces) else 0
        rest = tuple(piece._replace(start=piece.start - base) for piece in pieces[options:])
        if rest:
            yield _example(number, rest, language._replace(own_file=own_file))


def _example(number: int, pieces: tuple[Piece, ...], language: Language) -> Example:
    source = "\n".join(piece.raw for piece in pieces)
    if language.has_prompts or _PROMPT.match(source):
        return Example(number, source, "", "", "", pieces, problem="its lines begin with prompts")
    cell = Example._make(code_cell(number, source, pieces))
    return cell._replace(role="alone") if cell.role == "shared" and language.own_file else cell


def _options(pieces: list[Piece]) -> int:
    """How many of the first lines are options of a directive."""
    first = 0
    if pieces and pieces[0].raw.strip() == "---":
        closing = (number for number, piece in enumerate(pieces) if number and piece.raw.strip() == "---")
        first = next(closing, -1) + 1
    else:
        while first < len(pieces) and _OPTION.match(pieces[first].raw):
            first += 1
    return first
