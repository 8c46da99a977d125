"""Calls of a function in its own module, and what each gives for a parameter."""

from __future__ import annotations

import ast

from paged_attention_migrate.edits import NotEditable


def calls_of(tree: ast.Module, function: ast.FunctionDef) -> list[ast.Call]:
    """Every call of a module-level function by its name; raises NotEditable where it is handed on."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_name(node.func, function.name)]
    called = {call.func for call in calls}
    for node in ast.walk(tree):
        if _is_name(node, function.name) and node not in called:
            raise NotEditable(f"`{function.name}` is handed on")
    return calls


def argument_for(function: ast.FunctionDef, call: ast.Call, parameter: str) -> ast.expr | None:
    """The argument for a parameter; None where the call leaves it to its default."""
    for keyword in call.keywords:
        if keyword.arg == parameter:
            return keyword.value
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    position = names.index(parameter) if parameter in names else len(call.args)
    return call.args[position] if position < len(call.args) else None


def has_star(call: ast.Call) -> bool:
    """Whether a star hides arguments."""
    return any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords)


def default_of(function: ast.FunctionDef, parameter: str) -> ast.expr | None:
    """The default of a parameter."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(zip([each.arg for each in reversed(positional)], reversed(arguments.defaults), strict=False))
    keyword = dict(zip([each.arg for each in arguments.kwonlyargs], arguments.kw_defaults, strict=True))
    return defaults.get(parameter) or keyword.get(parameter)


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
