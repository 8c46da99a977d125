"""What would be proved only if the cells of a notebook ran in their order: cells run in any, and again."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from paged_attention_migrate.cell_marks import CellsOfLines

if TYPE_CHECKING:
    from paged_attention_migrate.module import Change, Draft, Module
    from paged_attention_migrate.names.scopes import Scope

_LITERALS = (ast.Constant, ast.Tuple, ast.List, ast.Dict)


def leave_what_depends_on_it(module: Module, drafts: list[Draft]) -> None:
    """Make a person's of every draft whose edit is right in one order of the cells only."""
    changed = [draft.change for draft in drafts if draft.change is not None and draft.change.call is not None]
    inside = {id(node) for change in changed if change.call is not None for node in ast.walk(change.call)}
    leave(drafts, lambda change: _reason(module, change, inside))


def leave(drafts: list[Draft], reason_against: Callable[[Change], str | None]) -> None:
    """Make a person's of every draft that there is a reason against, and of what is linked to it."""
    pending = []
    for draft in drafts:
        reason = None if draft.change is None or draft.fix is None else reason_against(draft.change)
        if reason is not None:
            pending.append((draft, reason))
    while pending:
        draft, reason = pending.pop()
        if draft.fix is None:
            continue
        # The change stays: what is linked to it must not be made without it.
        draft.fix = None
        draft.reasons = (*draft.reasons, reason)
        draft.message = f"{draft.message}; {reason}"
        beside = [*draft.linked, *(other for other in drafts if any(each is draft for each in other.linked))]
        pending += [(other, reason) for other in beside if other.change is not None]


def bound_in_cells(module: Module, name: str) -> tuple[int, int] | None:
    """A line in each of two cells that give a global name different meanings; None where all give it the same."""
    cells = CellsOfLines(module.source.text)
    first: dict[str, int] = {}
    for node in module.flow.module_scope.stores.get(name, ()):
        first.setdefault(_meaning(module, node, name), getattr(node, "lineno", 1))
    found = {cells.of(line): line for line in sorted(first.values(), reverse=True)}
    lines = sorted(found.values())
    return (lines[0], lines[1]) if len(lines) > 1 else None


def _meaning(module: Module, node: ast.AST, name: str) -> str:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        paths = [each.path for each in module.flow.imports if each.statement is node and each.local == name]
        return f"import {paths}"
    return ast.dump(_statement(module, node))


def _statement(module: Module, node: ast.AST) -> ast.AST:
    if isinstance(node, ast.stmt):
        return node
    return next((outer for outer in module.ancestors(node) if isinstance(outer, ast.stmt)), node)


def _reason(module: Module, change: Change, inside: set[int]) -> str | None:
    for name in dict.fromkeys(deciding(module, change)):
        both = bound_in_cells(module, name)
        if both is not None:
            one, other = both
            return f"`{name}` is one thing at line {one} and another at line {other}, and {module.facts.in_cells}"
    scratch = list(dict.fromkeys(_globals_in(change.scratch, change.site.scope)))
    for name in scratch:
        if name in module.facts.named_unseen:
            return f"`{name}` is named by what is not read as Python"
        for load in module.flow.module_scope.loads.get(name, ()):
            if id(load) not in inside and not _only_makes(module, load, scratch):
                return f"`{name}` is read at line {load.lineno} too, and {module.facts.in_cells}"
    return None


def deciding(module: Module, change: Change) -> Iterator[str]:
    """The global names on which it depends whether and how a place is rewritten."""
    scope = change.site.scope
    yield from _globals_in([change.site.node], scope)
    yield from _globals_in(change.scratch, scope)
    if change.call is None:
        return
    arguments = [*change.call.args, *(keyword.value for keyword in change.call.keywords)]
    stars = [each for each in change.call.args if isinstance(each, ast.Starred)]
    yield from _globals_in([*stars, *(each.value for each in change.call.keywords if each.arg is None)], scope)
    for name in _globals_in(arguments, scope):
        statements = (_statement(module, node) for node in module.flow.module_scope.stores.get(name, ()))
        if any(isinstance(getattr(each, "value", None), _LITERALS) for each in statements):
            yield name


def _globals_in(expressions: Iterable[ast.AST], scope: Scope) -> Iterator[str]:
    for expression in expressions:
        for node in ast.walk(expression):
            if isinstance(node, ast.Name) and _is_global(node.id, scope):
                yield node.id


def _is_global(name: str, scope: Scope) -> bool:
    inner: Scope | None = scope
    while inner is not None and inner.parent is not None:
        if name in inner.bound:
            return False
        inner = inner.parent
    return True


def _only_makes(module: Module, load: ast.Name, scratch: list[str]) -> bool:
    """Whether a buffer is named only to make another that is scratch, too."""
    statement = _statement(module, load)
    return isinstance(statement, ast.Assign) and all(
        isinstance(target, ast.Name) and target.id in scratch for target in statement.targets
    )
