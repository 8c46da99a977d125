"""What a condition comes to when it is known which values a name can still have."""

from __future__ import annotations

import ast
from collections.abc import Mapping

# An expression, as `ast.unparse` writes it, and the values that it can still have.
Facts = Mapping[str, frozenset[object]]


def outcome(test: ast.expr, facts: Facts) -> bool | None:
    """Whether a test holds; None where that is open."""
    if isinstance(test, ast.BoolOp):
        found = [outcome(each, facts) for each in test.values]
        decisive = isinstance(test.op, ast.Or)
        if decisive in found:
            return decisive
        return None if None in found else not decisive
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = outcome(test.operand, facts)
        return None if inner is None else not inner
    if isinstance(test, ast.Compare):
        return _compared(test, facts)
    values = _values(test, facts)
    truths = {bool(value) for value in values} if values else set()
    return truths.pop() if len(truths) == 1 else None


def mentions(test: ast.expr, keys: frozenset[str]) -> bool:
    """Whether one of the expressions is part of a test."""
    return any(isinstance(node, ast.expr) and ast.unparse(node) in keys for node in ast.walk(test))


def _compared(test: ast.Compare, facts: Facts) -> bool | None:
    if len(test.ops) != 1:
        return None
    left, operator, right = test.left, test.ops[0], test.comparators[0]
    if isinstance(operator, (ast.In, ast.NotIn)):
        values, listed = _values(left, facts), _listed(right)
        if values is None or listed is None:
            return None
        found = {value in listed for value in values}
        return None if len(found) != 1 else found.pop() == isinstance(operator, ast.In)
    if not isinstance(operator, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)):
        return None
    ours, theirs = _values(left, facts), _values(right, facts)
    if ours is None or theirs is None:
        return None
    same = True if len(ours) == len(theirs) == 1 and ours == theirs else False if not ours & theirs else None
    return None if same is None else same == isinstance(operator, (ast.Eq, ast.Is))


def _values(node: ast.expr, facts: Facts) -> frozenset[object] | None:
    if isinstance(node, ast.Constant):
        return frozenset([node.value])
    return facts.get(ast.unparse(node))


def _listed(node: ast.expr) -> frozenset[object] | None:
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)) and all(isinstance(each, ast.Constant) for each in node.elts):
        return frozenset(each.value for each in node.elts if isinstance(each, ast.Constant))
    return None
