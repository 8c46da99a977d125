"""One notebook, or another file that holds Python in pieces, from bytes to findings, and to its new bytes."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from paged_attention_migrate.cell_marks import BEFORE_A_BLOCK, LETTER, texts_by_cell
from paged_attention_migrate.edits import Edit, NotEditable, apply_edits
from paged_attention_migrate.findings import Finding, Replacement, by_place
from paged_attention_migrate.notebooks import Module, modules, unreadable
from paged_attention_migrate.notebooks.book import Book, Notebook
from paged_attention_migrate.notebooks.cells import Cell, Unreadable
from paged_attention_migrate.source import line_starts
from paged_attention_migrate.study import Studied, Wanted, study

if TYPE_CHECKING:
    from paged_attention_migrate.module import Facts
    from paged_attention_migrate.settings import Settings

_WORD = re.compile(r"[^\W\d]\w*")
_LEFT_ALONE = "PAM902"


class _Part(NamedTuple):
    """The Python of some cells, and what its study says."""

    module: Module
    studied: Studied


def study_notebook(path: str, data: bytes, settings: Settings, facts: Facts, wanted: Wanted) -> Studied:
    """Check the cells of a notebook and, if wanted, rewrite them."""
    try:
        book = Notebook(path, data)
    except Unreadable as problem:
        return Studied(path, (unreadable(path, problem),))
    return study_book(book, settings, facts, wanted)


def study_book(book: Book, settings: Settings, facts: Facts, wanted: Wanted) -> Studied:
    """Check the Python of a file that holds it in pieces and, if wanted, rewrite it."""
    found = book.cells
    wanted = wanted._replace(add_todo=False, account=False)
    if any(LETTER in cell.text for cell in found):
        wanted = wanted._replace(rewrite=False)
    facts = facts._replace(package="", is_package=False, in_cells=book.order, named_unseen=_words_beside(found))
    texts = _modules(book)

    def studied(module: Module, wanted: Wanted) -> Studied:
        about = facts._replace(imported_elsewhere=_taken(found, module))
        return study(book.path, module.text.encode(), settings, about, wanted)

    parts = [_Part(module, studied(module, wanted)) for module in texts]
    after: bytes | None = None
    if any(part.studied.after is not None for part in parts):
        try:
            after = _rewritten(book, [(part.module, part.studied.after) for part in parts])
        except NotEditable as problem:
            again = [_Part(part.module, studied(part.module, wanted._replace(rewrite=False))) for part in parts]
            return _told(book, book, again, again, str(problem))
    if after is None:
        return _told(book, book, parts, parts)
    new = book.again(after)
    then = [_Part(module, part.studied) for module, part in zip(_modules(new), parts, strict=True)]
    return _told(book, new, parts, then)._replace(after=after)


def _modules(book: Book) -> list[Module]:
    return [module for module in modules(book.cells, marked=True) if module.text.strip()]


def _told(book: Book, new: Book, parts: list[_Part], then: list[_Part], problem: str = "") -> Studied:
    """What the studies of all parts say together; with a `problem`, what could be rewritten was left alone for it."""
    page, new_page, proposals = book.page, new.page, _Proposals(book, parts)
    findings = [
        found._replace(replacements=proposals.of(number, each))
        for number, part in enumerate(parts)
        for each in part.studied.findings
        if (found := page.moved(_left_alone(each, problem), part.module, fixable=True)) is not None
    ]
    told = [
        found
        for old, now in zip(parts, then, strict=True)
        for each in now.studied.once_written or now.studied.findings
        if (found := (page.moved(each, old.module) if each.fixed else new_page.moved(each, now.module, fixable=True)))
    ]
    for cell in page.cells.values():
        findings += page.not_analysed(cell)
    for cell in new_page.cells.values():
        told += new_page.not_analysed(cell)
    return Studied(
        book.path,
        tuple(sorted(findings, key=by_place)),
        notes=tuple(note for part in parts for note in part.studied.notes),
        open_paths=frozenset().union(*(part.studied.open_paths for part in parts)),
        registers=tuple(found for part in parts for found in part.studied.registers),
        once_written=tuple(sorted(told, key=by_place)),
        lent=tuple(dict.fromkeys(lent for part in parts for lent in part.studied.lent)),
    )


def _left_alone(finding: Finding, problem: str) -> Finding:
    if not problem or finding.fix is None:
        return finding
    message = f"{finding.message}; it was left alone: {problem}"
    return finding._replace(code=_LEFT_ALONE, fix=None, message=message, replacements=())


def _rewritten(book: Book, texts: list[tuple[Module, bytes | None]]) -> bytes:
    """The new bytes of a file; raises NotEditable unless it differs in the Python of edited cells alone."""
    edits, edited = _edits(book, [after.decode() for _, after in texts if after is not None])
    after_bytes = book.mark + apply_edits(book.text, edits).encode()
    new = book.again(after_bytes)
    book.prove(new, edited)
    wanted = [after.decode() if after is not None else module.text for module, after in texts]
    # By cells, as one that has become empty has an empty line in a module.
    if [texts_by_cell(module.text) for module in _modules(new)] != [texts_by_cell(text) for text in wanted]:
        raise NotEditable("the cells would not be read as they were written")
    return after_bytes


def _edits(book: Book, texts: list[str]) -> tuple[list[Edit], set[int]]:
    """The edits of a file that make the modules of its cells these texts, and the edited cells; raises NotEditable."""
    by_number = {cell.number: cell for cell in book.cells}
    edits: list[Edit] = []
    edited: set[int] = set()
    for text in texts:
        by_cell = texts_by_cell(text)
        if by_cell is None or by_cell.keys() - by_number.keys():
            raise NotEditable("the edit goes over the boundary of a cell")
        for number, after in by_cell.items():
            cell = by_number[number]
            if cell.indented and not after.startswith(BEFORE_A_BLOCK):
                raise NotEditable("the edit would stand before an indented cell")
            wanted = after.removeprefix(BEFORE_A_BLOCK) if cell.indented else after
            if cell.text.endswith("\r"):
                wanted = wanted.removesuffix(" ")
            if wanted != cell.text:
                edits += book.edits(cell, wanted)
                edited.add(number)
    return edits, edited


class _Proposals:
    """The edits that findings in modules carry, as edits of the file that holds the modules."""

    def __init__(self, book: Book, parts: list[_Part]) -> None:
        self._book = book
        self._parts = parts
        self._known: dict[tuple[int, tuple[Replacement, ...]], tuple[Replacement, ...]] = {}

    def of(self, part: int, finding: Finding) -> tuple[Replacement, ...]:
        """The edits of a finding in one of the modules; none where they cannot be proved of the file."""
        key = part, finding.replacements
        if not finding.replacements:
            return ()
        if key not in self._known:
            try:
                self._known[key] = self._in_file(*key)
            except NotEditable:
                self._known[key] = ()
        return self._known[key]

    def _in_file(self, number: int, replacements: tuple[Replacement, ...]) -> tuple[Replacement, ...]:
        text = self._parts[number].module.text
        starts = line_starts(text)
        edits = [
            Edit(starts[line - 1] + column - 1, starts[end_line - 1] + end_column - 1, new)
            for line, column, end_line, end_column, new in replacements
        ]
        after = apply_edits(text, edits)
        changed = [(part.module, after.encode() if each == number else None) for each, part in enumerate(self._parts)]
        _rewritten(self._book, changed)
        page = self._book.page
        return tuple(
            Replacement(*page.position(edit.start), *page.position(edit.end), edit.new)
            for edit in sorted(_edits(self._book, [after])[0])
        )


def _words_beside(found: list[Cell]) -> frozenset[str]:
    """The names in magics, in shell lines and in cells that are no Python."""
    words: set[str] = set()
    for cell in found:
        if cell.problem or cell.what.startswith(("a %%", "a cell in another")):
            words.update(_WORD.findall(cell.source))
            continue
        if cell.role:
            for line, masked in zip(cell.source.splitlines(), cell.text.splitlines(), strict=False):
                if line != masked:
                    words.update(set(_WORD.findall(line)) - set(_WORD.findall(masked)))
    return frozenset(words)


def _taken(found: list[Cell], module: Module) -> frozenset[str]:
    """Names that a cell outside a module may take from it, if it is a file that its cell writes."""
    own = {line.cell for line in module.lines}
    if not any(cell.role == "alone" and cell.number in own for cell in found):
        return frozenset()
    others = [cell for cell in found if cell.role and cell.number not in own]
    trees = [ast.parse((BEFORE_A_BLOCK if cell.indented else "") + cell.text) for cell in others]
    return frozenset(
        alias.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    )
