"""Lists of values for a parameter: `parametrize` decorators and `choices`, without the values that are dead."""

from __future__ import annotations

import ast
from typing import NamedTuple


class Left(NamedTuple):
    """What is left of a list: whether anything is, and, if that depends on a condition, where nothing is."""

    something: bool
    empty_if: str | None = None


def decorator_for(function: ast.FunctionDef, parameter: str) -> ast.Call | None:
    """The `parametrize` of one parameter alone."""
    for each in function.decorator_list:
        if (
            not isinstance(each, ast.Call)
            or not isinstance(each.func, ast.Attribute)
            or each.func.attr != "parametrize"
        ):
            continue
        if (
            len(each.args) == 2
            and not each.keywords
            and isinstance(each.args[0], ast.Constant)
            and each.args[0].value == parameter
        ):
            return each
    return None


def texts_of(tree: ast.Module, node: ast.expr) -> set[str]:
    """The strings in a list, in the arms of a conditional one, or in the list that a name stands for."""
    return {str(element.value) for element in elements(tree, node)}


def elements(tree: ast.Module, node: ast.expr) -> list[ast.Constant]:
    """The same, as nodes; none where the list holds anything else."""
    if isinstance(node, ast.IfExp):
        return [*elements(tree, node.body), *elements(tree, node.orelse)]
    node = resolved(tree, node)
    if not isinstance(node, (ast.List, ast.Tuple)):
        return []
    found = [each for each in node.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return found if len(found) == len(node.elts) else []


def resolved(tree: ast.Module, node: ast.expr) -> ast.expr:
    """The list that a module-level name stands for."""
    if not isinstance(node, ast.Name):
        return node
    values = [
        statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == node.id for target in statement.targets)
    ]
    return values[0] if len(values) == 1 else node


def left_of(tree: ast.Module, node: ast.expr, dead: frozenset[str]) -> Left:
    """What is left of a list without the dead values."""
    if isinstance(node, ast.IfExp):
        body, orelse = left_of(tree, node.body, dead), left_of(tree, node.orelse, dead)
        if body.empty_if or orelse.empty_if or body.something == orelse.something:
            return Left(body.something or orelse.something)
        test = node.test
        if body.something:
            negated = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None
            return Left(True, ast.unparse(negated) if negated is not None else f"not {_in_parentheses(test)}")
        return Left(True, ast.unparse(test))
    return Left(any(element.value not in dead for element in elements(tree, node)))


def _in_parentheses(test: ast.expr) -> str:
    text = ast.unparse(test)
    return f"({text})" if isinstance(test, (ast.BoolOp, ast.Compare, ast.IfExp)) else text
