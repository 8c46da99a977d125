"""One notebook from bytes to findings, and to its new bytes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from paged_attention_migrate.cell_marks import BEFORE_A_BLOCK, LETTER, texts_by_cell
from paged_attention_migrate.edits import Edit, NotEditable, apply_edits
from paged_attention_migrate.findings import Finding, by_place
from paged_attention_migrate.notebooks import Module, Page, modules, unreadable
from paged_attention_migrate.notebooks.cells import Cell, Unreadable, cells, json_text
from paged_attention_migrate.notebooks.splicing import file_edits, source_edits
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
        text, found = json_text(data), cells(data)
    except Unreadable as problem:
        return Studied(path, (unreadable(path, problem),))
    wanted = wanted._replace(add_todo=False, propose=False, account=False)
    if any(LETTER in cell.text for cell in found):
        wanted = wanted._replace(rewrite=False)
    facts = facts._replace(package="", is_package=False, in_cells=True, named_unseen=_words_beside(found))
    texts = [module for module in modules(found, marked=True) if module.text.strip()]

    def studied(module: Module, wanted: Wanted) -> Studied:
        about = facts._replace(imported_elsewhere=_taken(found, module))
        return study(path, module.text.encode(), settings, about, wanted)

    parts = [_Part(module, studied(module, wanted)) for module in texts]
    page = Page(path, text, found)
    after: bytes | None = None
    if any(part.studied.after is not None for part in parts):
        try:
            after = _rewritten(data, text, found, parts)
        except NotEditable as problem:
            again = [_Part(part.module, studied(part.module, wanted._replace(rewrite=False))) for part in parts]
            return _told(path, page, page, again, again, str(problem))
    if after is None:
        return _told(path, page, page, parts, parts)
    new = cells(after)
    new_page = Page(path, json_text(after), new)
    moved = [module for module in modules(new, marked=True) if module.text.strip()]
    then = [_Part(module, part.studied) for module, part in zip(moved, parts, strict=True)]
    return _told(path, page, new_page, parts, then)._replace(after=after)


def _told(path: str, page: Page, new_page: Page, parts: list[_Part], then: list[_Part], problem: str = "") -> Studied:
    """What the studies of all parts say together; with a `problem`, what could be rewritten was left alone for it."""
    findings = [
        found
        for part in parts
        for each in part.studied.findings
        if (found := page.moved(_left_alone(each, problem), part.module, fixable=True)) is not None
    ]
    told = [
        found
        for old, new in zip(parts, then, strict=True)
        for each in new.studied.once_written or new.studied.findings
        if (found := (page.moved(each, old.module) if each.fixed else new_page.moved(each, new.module, fixable=True)))
    ]
    for cell in page.cells.values():
        findings += page.not_analysed(cell)
    for cell in new_page.cells.values():
        told += new_page.not_analysed(cell)
    return Studied(
        path,
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


def _rewritten(data: bytes, text: str, found: list[Cell], parts: list[_Part]) -> bytes:
    """The new bytes of a notebook; raises NotEditable unless they are JSON that differs in edited sources alone."""
    by_number = {cell.number: cell for cell in found}
    edits: list[Edit] = []
    edited: set[int] = set()
    for part in parts:
        if part.studied.after is None:
            continue
        texts = texts_by_cell(part.studied.after.decode())
        if texts is None or texts.keys() - by_number.keys():
            raise NotEditable("the edit goes over the boundary of a cell")
        for number, after in texts.items():
            cell = by_number[number]
            if cell.indented and not after.startswith(BEFORE_A_BLOCK):
                raise NotEditable("the edit would stand before an indented cell")
            wanted = after.removeprefix(BEFORE_A_BLOCK) if cell.indented else after
            if cell.text.endswith("\r"):
                wanted = wanted.removesuffix(" ")
            if wanted != cell.text:
                edits += file_edits(text, cell, source_edits(cell, wanted))
                edited.add(number)
    mark = data[: len(data) - len(text.encode())]
    after_bytes = mark + apply_edits(text, edits).encode()
    _prove(data, after_bytes, edited, parts)
    return after_bytes


def _prove(before: bytes, after: bytes, edited: Iterable[int], parts: list[_Part]) -> None:
    """The new JSON has the same values but for the sources of the edited cells, and their Python is what was proved."""
    from json import loads

    old, new = (loads(json_text(each)) for each in (before, after))
    for number in edited:
        del old["cells"][number]["source"], new["cells"][number]["source"]
    if old != new:
        raise NotEditable("more than the sources of the edited cells would change")
    made = [module for module in modules(cells(after), marked=True) if module.text.strip()]
    wanted = [each.studied.after.decode() if each.studied.after is not None else each.module.text for each in parts]
    # By cells, as one that has become empty has an empty line in a module.
    if [texts_by_cell(module.text) for module in made] != [texts_by_cell(text) for text in wanted]:
        raise NotEditable("the cells would not be read as they were written")


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
