"""Command-line flags of a script: `add_argument("--version", ...)` and the expression that reads each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

_PARSES = frozenset({"parse_args", "parse_known_args"})


class Flag(NamedTuple):
    """One flag: how it is written, the expression that reads it (`args.version`), and the statement that adds it."""

    option: str
    expression: str
    statement: ast.Expr
    is_switch: bool
    choices: ast.expr | None
    default: ast.expr | None


def flags_of(tree: ast.Module) -> Iterator[Flag]:
    """The flags of a module whose parsed arguments have one name."""
    names = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        if isinstance(node.value.func, ast.Attribute) and node.value.func.attr in _PARSES
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    if len(names) != 1:
        return
    name = names.pop()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            flag = _flag(name, node, node.value)
            if flag is not None:
                yield flag


def reads_everything(tree: ast.Module, flag: Flag) -> bool:
    """Whether the parsed arguments are handed on whole, so that a flag may be read out of sight."""
    name = flag.expression.partition(".")[0]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        printed = isinstance(node.func, ast.Name) and node.func.id == "print"
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        if not printed and any(isinstance(value, ast.Name) and value.id == name for value in values):
            return True
    return any(isinstance(node, ast.Attribute) and ast.unparse(node) == f"{name}.__dict__" for node in ast.walk(tree))


def reads(tree: ast.Module, expression: str) -> list[ast.AST]:
    """Where a flag is read."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and ast.unparse(node) == expression]


def _flag(name: str, statement: ast.Expr, call: ast.Call) -> Flag | None:
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "add_argument":
        return None
    options = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    long = next((option for option in options if option.startswith("--")), None)
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if long is None or None in keywords:
        return None
    dest = keywords.get("dest")
    target = (
        dest.value if isinstance(dest, ast.Constant) and isinstance(dest.value, str) else long[2:].replace("-", "_")
    )
    action = keywords.get("action")
    is_switch = isinstance(action, ast.Constant) and action.value == "store_true"
    return Flag(long, f"{name}.{target}", statement, is_switch, keywords.get("choices"), keywords.get("default"))
