"""Python statements that go, with their decorators and the comments directly above them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from paged_attention_migrate.module import ParsedText
from paged_attention_migrate.retire.cutting import Cut
from paged_attention_migrate.retire.sources import is_heading

_BLOCKS = ("body", "orelse", "finalbody")


def statement_cuts(parsed: ParsedText, going: Collection[ast.stmt], what: dict[ast.stmt, str]) -> list[Cut]:
    """The pieces for some statements; a block that they leave empty goes with its head, or becomes `pass`."""
    chosen = set(going)
    _grow(parsed, chosen, what)
    cuts = []
    for statement in sorted(chosen, key=lambda each: (each.lineno, each.col_offset)):
        if any(outer in chosen for outer in parsed.ancestors(statement)):
            continue
        cuts.append(_cut(parsed, statement, chosen, what.get(statement, "")))
    return cuts


def _grow(parsed: ParsedText, chosen: set[ast.stmt], what: dict[ast.stmt, str]) -> None:
    """An `if` without an `else` that would be empty goes."""
    changed = True
    while changed:
        changed = False
        for statement in list(chosen):
            parent = parsed.parent(statement)
            if not isinstance(parent, ast.If) or parent in chosen or parent.orelse:
                continue
            if all(each in chosen for each in parent.body):
                what[parent] = ", ".join(what[each] for each in parent.body if each in what)
                chosen.add(parent)
                changed = True


def _cut(parsed: ParsedText, statement: ast.stmt, chosen: set[ast.stmt], what: str) -> Cut:
    source = parsed.source
    first = first_line(statement)
    last = statement.end_lineno or statement.lineno
    top = first
    while (
        top > 1
        and source.line(top - 1).lstrip().startswith("#")
        and _same_margin(source.line(top - 1), source.line(first))
    ):
        top -= 1
    end = parsed.span(statement)[1]
    trailing = source.line(last)[end - source.line_starts[last - 1] :]
    if trailing.lstrip().startswith("#"):
        end += len(trailing)
    if top == first - 1 and is_heading(source.line(top)):
        following = _following(parsed, statement, chosen)
        if following is not None and not source.line(first_line(following) - 1).lstrip().startswith("#"):
            return Cut(source.line_starts[first - 1], source.line_starts[first_line(following) - 1], what)
    start = parsed.span(statement)[0] if _shares_line(parsed, statement) else source.line_starts[top - 1]
    return Cut(start, end, what)


def first_line(statement: ast.stmt) -> int:
    """The line on which a statement begins, decorators included."""
    decorators: Sequence[ast.expr] = getattr(statement, "decorator_list", ())
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _shares_line(parsed: ParsedText, statement: ast.stmt) -> bool:
    start = parsed.span(statement)[0]
    return bool(parsed.source.text[parsed.source.line_starts[statement.lineno - 1] : start].strip())


def _same_margin(one: str, other: str) -> bool:
    return len(one) - len(one.lstrip()) == len(other) - len(other.lstrip())


def _following(parsed: ParsedText, statement: ast.stmt, chosen: set[ast.stmt]) -> ast.stmt | None:
    """The next statement of the block that stays."""
    parent = parsed.parent(statement)
    for field in _BLOCKS:
        block: list[ast.stmt] = getattr(parent, field, [])
        if statement in block:
            return next((each for each in block[block.index(statement) + 1 :] if each not in chosen), None)
    return None
