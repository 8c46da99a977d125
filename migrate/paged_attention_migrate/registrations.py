"""Operators that Python defines through torch.library, and the namespaces of its library objects."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from paged_attention_migrate.module import ATTENTION, Module

_DEFINES = frozenset({"define", "custom_op", "triton_op"})
_NAME = re.compile(rf"\s*(?:(\w+)::)?({'|'.join(sorted(ATTENTION))})\s*(?:\Z|[(.])")


def defined_operators(module: Module) -> Iterator[tuple[str, int]]:
    """The removed names that a module defines as operators of `_C`, with their lines."""
    if "define" not in module.source.text and "_op" not in module.source.text:
        return
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call) or last_name(node.func) not in _DEFINES:
            continue
        for argument in node.args[:2]:
            match = _NAME.match(argument.value) if _is_text(argument) else None  # type: ignore[attr-defined]
            if match and (match[1] or namespace_of(module, node)) == "_C":
                yield match[2], node.lineno


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def namespace_of(module: Module, call: ast.Call) -> str | None:
    """The namespace of the library object that a registration goes through; None when it is not in sight."""
    base = call.func.value if isinstance(call.func, ast.Attribute) else None
    for node in (base, *call.args[:1]):
        if isinstance(node, ast.Call):
            found = _made_here(node)
        else:
            found = _assigned(module, node.id) if isinstance(node, ast.Name) else None
        if found is not None:
            return found
    return None


def _assigned(module: Module, name: str) -> str | None:
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        if any(isinstance(target, ast.Name) and target.id == name for target in node.targets):
            return _made_here(node.value)
    return None


def _made_here(call: ast.Call) -> str | None:
    first = call.args[0] if call.args else None
    if last_name(call.func) != "Library" or not isinstance(first, ast.Constant):
        return None
    return str(first.value)


def last_name(node: ast.expr) -> str:
    """The last part of a dotted name, or ""."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
