"""The Python functions around the operators, `def paged_attention_v1` of `_custom_ops.py`, and what only they used."""

from __future__ import annotations

import ast
import re

from paged_attention_migrate.module import ATTENTION, ParsedText
from paged_attention_migrate.retire.cutting import Cut, without
from paged_attention_migrate.retire.statements import statement_cuts
from paged_attention_migrate.source import Source

_FAKE = re.compile(rf"_C::(?:{'|'.join(sorted(ATTENTION))})")


class Wrappers:
    """One module of wrappers without those of the removed functions.

    Raises Undecodable or SyntaxError where the module cannot be read.
    """

    def __init__(self, data: bytes) -> None:
        self.source = Source(data)
        self.parsed = ParsedText(self.source, ast.parse(self.source.text))
        self.definitions = _definitions(self.parsed.tree)

    def names(self) -> list[tuple[str, int]]:
        """The functions that go, with their lines."""
        return [(name, node.lineno) for node, name in self.definitions.items()]

    def text(self) -> tuple[str, list[str]]:
        """The text without them, and what went."""
        what = {node: f"removed `{_shown(node)}` (line {node.lineno})" for node in self.definitions}
        cuts = [*statement_cuts(self.parsed, list(self.definitions), what), *_exported(self.parsed)]
        return without(self.source.text, cuts), [cut.what for cut in cuts]


def _shown(node: ast.stmt) -> str:
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    return f"def {node.name}"


def _definitions(tree: ast.Module) -> dict[ast.stmt, str]:
    """The wrappers, and the fakes that are registered for the operators; not methods, nor functions in functions."""
    found: dict[ast.stmt, str] = {}
    pending: list[ast.stmt] = list(tree.body)
    while pending:
        statement = pending.pop(0)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            fake = next((text for each in statement.decorator_list if (text := _faked(each))), None)
            if statement.name in ATTENTION or fake is not None:
                found[statement] = fake or statement.name
        elif isinstance(statement, (ast.If, ast.Try)):
            for field in ("body", "orelse", "finalbody"):
                pending += getattr(statement, field, [])
    return found


def _exported(parsed: ParsedText) -> list[Cut]:
    """The names of the wrappers in `__all__`."""
    found = []
    for statement in parsed.tree.body:
        value = getattr(statement, "value", None)
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        named = any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)
        found += [
            Cut(*parsed.span(node), f"removed {node.value!r} from `__all__`", item=True)
            for node in (ast.walk(value) if named and isinstance(value, ast.expr) else ())
            if isinstance(node, ast.Constant) and node.value in ATTENTION
        ]
    return found


def _faked(decorator: ast.expr) -> str | None:
    """The operator that a decorator registers a fake for."""
    if not isinstance(decorator, ast.Call) or not decorator.args:
        return None
    first = decorator.args[0]
    if isinstance(first, ast.Constant) and isinstance(first.value, str) and _FAKE.fullmatch(first.value):
        return first.value.rpartition("::")[2]
    return None
