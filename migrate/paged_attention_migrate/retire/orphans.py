"""Module-level names that an edit has robbed of their last reader: private helpers, constants of scripts and tests."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Callable

from paged_attention_migrate.module import ParsedText
from paged_attention_migrate.retire.cutting import Overlapping, without
from paged_attention_migrate.retire.statements import statement_cuts
from paged_attention_migrate.rewriting import looks_names_up, words_in_strings
from paged_attention_migrate.source import Source

_TEST = re.compile(r"(?:test_\w*|\w*_test|conftest)\.py")
_MOST_ROUNDS = 5


def without_orphans(path: str, before: str, after: Source, is_taken: Callable[[str], bool]) -> tuple[str, list[str]]:
    """The text without them, and what went; `is_taken` tells whether another file takes a name from this one."""
    text = after.text
    notes: list[str] = []
    read_before = _reads(ast.parse(before))
    for _ in range(_MOST_ROUNDS):
        parsed = ParsedText(Source(after.encode(text)), ast.parse(text))
        going = _orphans(path, parsed, read_before, is_taken)
        if not going:
            break
        what = {statement: f"removed `{name}` (nothing reads it any more)" for statement, name in going.items()}
        try:
            text = without(text, statement_cuts(parsed, list(going), what))
        except Overlapping:
            break
        notes += what.values()
    return text, notes


def _orphans(
    path: str, parsed: ParsedText, read_before: set[str], is_taken: Callable[[str], bool]
) -> dict[ast.stmt, str]:
    tree = parsed.tree
    if looks_names_up(tree):
        return {}
    lost = read_before - _reads(tree) - words_in_strings(tree) - _declared_global(tree)
    found: dict[ast.stmt, str] = {}
    for statement in tree.body:
        name = _bound(statement)
        if name is None or name not in lost or is_taken(name) or not (_is_private(name) or _is_script(path, tree)):
            continue
        stores = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) or len(stores) == 1:
            found[statement] = name
    return found


def _bound(statement: ast.stmt) -> str | None:
    """The one name that a statement without effects binds."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return statement.name if not statement.decorator_list else None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target, value = statement.target, statement.value
    else:
        return None
    return target.id if isinstance(target, ast.Name) and _is_literal(value) else None


def _is_literal(value: ast.expr) -> bool:
    allowed = (ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
    return all(isinstance(node, allowed) for node in ast.walk(value))


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _is_script(path: str, tree: ast.Module) -> bool:
    """Whether a module is run rather than imported: a test, or something with a `__main__` part."""
    if _TEST.fullmatch(posixpath.basename(path)):
        return True
    return any(isinstance(each, ast.If) and "'__main__'" in ast.unparse(each.test) for each in tree.body)


def _reads(tree: ast.Module) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _declared_global(tree: ast.Module) -> set[str]:
    return {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
