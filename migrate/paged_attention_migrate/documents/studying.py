"""One document from bytes to findings, and to its new bytes."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from paged_attention_migrate.documents import MARKDOWN
from paged_attention_migrate.documents.doubts import bound_unseen, doubts_about
from paged_attention_migrate.documents.examples import Example, examples
from paged_attention_migrate.documents.markdown import ParserMissing
from paged_attention_migrate.edits import Edit, NotEditable, apply_edits
from paged_attention_migrate.findings import INFO, UNSAFE, Finding
from paged_attention_migrate.line_diff import changes
from paged_attention_migrate.native.gone import NAME, since
from paged_attention_migrate.notebooks import Line, Module, Page
from paged_attention_migrate.notebooks.book import Book
from paged_attention_migrate.notebooks.cells import Cell
from paged_attention_migrate.notebooks.splicing import source_edits
from paged_attention_migrate.notebooks.studying import study_book
from paged_attention_migrate.source import line_starts
from paged_attention_migrate.study import Studied

if TYPE_CHECKING:
    from paged_attention_migrate.module import Facts
    from paged_attention_migrate.settings import Settings
    from paged_attention_migrate.study import Wanted

_IN_A_DOCUMENT = "it is an example, and the text around it may speak of it"


def study_document(path: str, data: bytes, settings: Settings, facts: Facts, wanted: Wanted) -> Studied:
    """Check the Python in the examples of a document and, if wanted and unsafe edits are, rewrite it."""
    try:
        book = Document(path, data)
    except (ParserMissing, UnicodeDecodeError):
        return Studied(path, ())
    wanted = wanted._replace(rewrite=wanted.rewrite and wanted.unsafe)
    doubts = doubts_about(path, book.text, book.starts, book.examples)
    facts = facts._replace(seen_whole=False, scratch_read_elsewhere={}, doubts=doubts)
    facts = facts._replace(bound_unseen=bound_unseen(book.examples))
    # What a document shows is not there for other files: neither names, nor operators, nor buffers.
    return study_book(book, settings, facts, wanted)._replace(registers=(), lent=())


class Document(Book):
    """A document; raises ParserMissing or UnicodeDecodeError."""

    order = "each example may be read by itself"

    def __init__(self, path: str, data: bytes) -> None:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
        self.starts = [*line_starts(text), len(text)]
        self.examples = list(_examples(path, text, self.starts))
        super().__init__(path, data, text, [*self.examples])

    def _page(self) -> Page:
        return _DocumentPage(self.path, self.text, self.cells)

    def edits(self, cell: Cell, after: str) -> list[Edit]:
        """The edits of the lines that change, each new line with what stands before its neighbours."""
        assert isinstance(cell, Example)
        new = apply_edits(cell.source, source_edits(cell, after))
        if not new.strip():
            raise NotEditable("an example would be left empty")
        old_lines, new_lines = cell.source.split("\n"), new.split("\n")
        return [
            self._edit(cell, change.start, change.end, new_lines[change.new_start : change.new_end])
            for change in changes(old_lines, new_lines)
        ]

    def _edit(self, cell: Example, start: int, end: int, lines: list[str]) -> Edit:
        """The edit that puts lines in the place of others of an example, all of them counted from 0."""
        rows = [self._row(cell, number) for number in range(len(cell.pieces))]
        first = self.starts[rows[start] if start < len(rows) else rows[-1] + 1]
        last = self.starts[rows[end - 1] + 1] if end > start else first
        # The line above an example, which opens it, always has an ending.
        usual = self._ending(rows[0] - 1)
        made = []
        for number, line in enumerate(lines, start):
            old = number if number < end else start
            before = cell.prefix(self.text, self._like(cell, old))
            ending = (self._ending(rows[old]) if number < end else "") or usual
            made.append((before + line if line else before.rstrip(" \t")) + ending)
        new = "".join(made)
        if last == len(self.text) and self.text[-1:] not in {"\n", "\r"}:
            new = new.rstrip("\r\n") if end > start else usual + new.rstrip("\r\n")
            if not lines:
                first -= len(self._ending(rows[start] - 1))
        return Edit(first, last, new)

    def _row(self, cell: Example, number: int) -> int:
        return self.page.row_of(cell.pieces[number].raw_start)

    def _ending(self, row: int) -> str:
        """The characters that end a line of the document, from 0."""
        line = self.text[self.starts[row] : self.starts[row + 1]]
        return line[len(line.rstrip("\r\n")) :]

    @staticmethod
    def _like(cell: Example, number: int) -> int:
        """The line that is nearest to one and not empty, since what stands before an empty one may be cut short."""
        found = [each for each, piece in enumerate(cell.pieces) if piece.raw.strip()]
        return min(found, key=lambda each: (abs(each - number), each))

    def again(self, data: bytes) -> Document:
        """Other bytes as a document."""
        return Document(self.path, data)

    def prove(self, after: Book, edited: AbstractSet[int]) -> None:
        """There are the same examples, and what is no line of an edited one is the same text."""
        if [cell.number for cell in after.cells] != [cell.number for cell in self.cells]:
            raise NotEditable("the document would not have the same examples")
        if self.mark != after.mark or _around(self, edited) != _around(after, edited):
            raise NotEditable("more than the lines of the edited examples would change")


class _DocumentPage(Page):
    """Findings in a document: mentions, since no document runs, with lines that are the document's."""

    def headed(self, _line: Line, message: str) -> str:
        return message

    def named(self, line: Line) -> str:
        return f"line {self.row_of(self.cells[line.cell].pieces[line.line].raw_start) + 1}"

    def moved(self, finding: Finding, module: Module, fixable: bool = False) -> Finding | None:
        moved = super().moved(finding, module, fixable)
        if moved is None:
            return None
        if moved.fix is None and not finding.fixed:
            return moved._replace(severity=INFO)
        return moved._replace(severity=INFO, fix=UNSAFE, reasons=(*moved.reasons, _IN_A_DOCUMENT))

    def not_analysed(self, cell: Cell) -> Iterator[Finding]:
        for match in NAME.finditer(cell.source) if cell.problem else ():
            message = f"an example uses {match[0]}, {since(match[0])}"
            finding = self._in_cell(cell, match, "PAM305", INFO, message)
            yield finding._replace(reasons=(f"rewrite leaves it: {cell.problem}",))


def _examples(path: str, text: str, starts: list[int]) -> Iterator[Example]:
    lower = path.lower()
    if lower.endswith(MARKDOWN):
        from paged_attention_migrate.documents.markdown import blocks

        return examples(text, starts, blocks(text, starts, lower.endswith(".mdx")))
    from paged_attention_migrate.documents.directives import blocks as blocks_of_directives

    return examples(text, starts, blocks_of_directives(text, starts))


def _around(book: Book, edited: AbstractSet[int]) -> list[str]:
    """The text between the lines of the edited examples."""
    assert isinstance(book, Document)
    found, last = [], 0
    for cell in book.cells:
        if cell.number in edited:
            rows = [book.page.row_of(piece.raw_start) for piece in (cell.pieces[0], cell.pieces[-1])]
            found.append(book.text[last : book.starts[rows[0]]])
            last = book.starts[rows[1] + 1]
    return [*found, book.text[last:]]
