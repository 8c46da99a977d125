"""The arguments of a call as they stand: their order, what their form says, and what may be done with them."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

_RANK = re.compile(r"(^|_)(tp_?)?rank$|current_device$")
_SCALE = re.compile(r"scale")
_MAPPING = re.compile(r"mapping")
_HEADS = re.compile(r"(^|_)(n|num)?_?(kv)?_?heads?(_num)?$|^n?kvh?$|kv_?heads?|num_?heads?")
_ALLOCATORS = frozenset(
    {"empty", "zeros", "ones", "full", "tensor", "empty_like", "zeros_like", "ones_like", "full_like"}
)
_DOES_NOTHING_ELSE = _ALLOCATORS | {
    "size",
    "len",
    "int",
    "float",
    "min",
    "max",
    "new_empty",
    "new_zeros",
    "view",
    "item",
    "cdiv",
    "ceil",
    "sqrt",
}
_MADE_OF_PARTS = (
    ast.Subscript,
    ast.BinOp,
    ast.UnaryOp,
    ast.Tuple,
    ast.List,
    ast.Compare,
    ast.BoolOp,
    ast.IfExp,
    ast.Slice,
)


class Argument(NamedTuple):
    """One argument as it stands in the call, counted from 0 in source order."""

    number: int
    node: ast.expr
    keyword: str | None
    star: str  # "", "*" or "**"


def arguments_of(call: ast.Call) -> list[Argument]:
    """The arguments in source order."""
    found = [(argument, None, "*" if isinstance(argument, ast.Starred) else "") for argument in call.args]
    found += [(keyword.value, keyword.arg, "" if keyword.arg else "**") for keyword in call.keywords]  # type: ignore[misc]
    found.sort(key=lambda item: (item[0].lineno, item[0].col_offset))
    return [Argument(index, *item) for index, item in enumerate(found)]


def form_of(node: ast.expr) -> str:
    """What an argument's own text says it is: int, zero, float, str, tensor, rank, scale, mapping, heads or ""."""
    if isinstance(node, ast.UnaryOp):
        return form_of(node.operand)
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or node.value is None:
            return ""
        if isinstance(node.value, int):
            return "int" if node.value else "zero"
        return type(node.value).__name__ if isinstance(node.value, (float, str)) else ""
    if isinstance(node, ast.Call):
        callee = node.func
        last = callee.attr if isinstance(callee, ast.Attribute) else callee.id if isinstance(callee, ast.Name) else ""
        if last in _ALLOCATORS:
            return "tensor"
        return "int" if last in {"len", "int", "size"} else "rank" if _RANK.search(last) else ""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        return "int"
    last = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    for form, pattern in (("mapping", _MAPPING), ("scale", _SCALE), ("rank", _RANK), ("heads", _HEADS)):
        if last and pattern.search(last.lower()):
            return form
    return ""


def can_go(node: ast.expr) -> bool:
    """Whether evaluating an expression does nothing but give its value: names, attributes, arithmetic, new tensors."""
    if isinstance(node, (ast.Constant, ast.Name)):
        return True
    if isinstance(node, ast.Attribute):
        return can_go(node.value)
    if isinstance(node, ast.Call):
        callee = node.func
        last = callee.attr if isinstance(callee, ast.Attribute) else callee.id if isinstance(callee, ast.Name) else ""
        known = last in _DOES_NOTHING_ELSE
        parts = [
            *node.args,
            *(keyword.value for keyword in node.keywords),
            *([callee.value] if isinstance(callee, ast.Attribute) else []),
        ]
        return known and all(can_go(part) for part in parts)
    if isinstance(
        node,
        (ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Tuple, ast.List, ast.Compare, ast.BoolOp, ast.IfExp, ast.Slice),
    ):
        return all(can_go(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
    return False


def can_stand_twice(node: ast.expr) -> bool:
    """Whether evaluating an expression twice gives the same and does nothing."""
    if isinstance(node, ast.Attribute):
        return can_stand_twice(node.value)
    if isinstance(node, ast.Subscript):
        return can_stand_twice(node.value) and isinstance(node.slice, (ast.Constant, ast.Name))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.operand, ast.Constant)
    return isinstance(node, (ast.Name, ast.Constant))


def unstarred(node: ast.expr) -> ast.expr:
    """What stands behind the star."""
    return node.value if isinstance(node, ast.Starred) else node


def short(node: ast.expr) -> str:
    """An expression for a message, at most 40 characters."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 40 else text[:37] + "..."
