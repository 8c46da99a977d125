"""Handlers that hide the loss.

PAM108 swallowed: the error that says what is gone is caught

The `try` around an import or a call of a removed name catches the error and goes on, so the program has been using its
fallback since the upgrade, and nothing said so.
By hand: after the rewrite, check that the `try` succeeds again, and narrow the handler.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from paged_attention_migrate.findings import WARNING
from paged_attention_migrate.module import Draft, Module
from paged_attention_migrate.own import FAMILY

_BROAD = frozenset({"Exception", "BaseException"})
_IMPORT = frozenset({"ImportError", "ModuleNotFoundError", *_BROAD})
_LOOKUP = frozenset({"AttributeError", "RuntimeError", *_BROAD})


def drafts(module: Module) -> Iterator[Draft]:
    """One draft a handler."""
    done: set[ast.AST] = set()
    for node, path, caught in _things_lost(module):
        inner: ast.AST = node
        for outer in module.ancestors(node):
            if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                break
            if isinstance(outer, ast.Try) and inner in outer.body:
                handler = next((each for each in outer.handlers if _catches(each, caught)), None)
                if handler is not None:
                    if handler not in done and not _raises(handler):
                        done.add(handler)
                        yield _draft(module, handler, path, len("except"))
                    break
            if isinstance(outer, (ast.With, ast.AsyncWith)) and inner in outer.body:
                for item in outer.items:
                    if _suppresses(item.context_expr, caught) and item.context_expr not in done:
                        done.add(item.context_expr)
                        yield _draft(module, item.context_expr, path, len(_callee(item.context_expr)))
            inner = outer


def _callee(expression: ast.expr) -> str:
    return ast.unparse(expression.func) if isinstance(expression, ast.Call) else ""


def _suppresses(expression: ast.expr, wanted: frozenset[str]) -> bool:
    """`contextlib.suppress(ImportError)`."""
    if not isinstance(expression, ast.Call) or _callee(expression).rpartition(".")[2] != "suppress":
        return False
    return any(ast.unparse(kind).rpartition(".")[2] in wanted for kind in expression.args)


def _things_lost(module: Module) -> Iterator[tuple[ast.AST, str, frozenset[str]]]:
    for binding in module.flow.imports:
        found = module.entry(binding.path) or module.entry(binding.alias.name)
        # Since when an import of the settings' names fails, if it does, they do not say.
        if found is not None and found[0].family != FAMILY and not binding.star and not binding.reexported:
            yield binding.statement, f"{found[1].path}.{found[0].name}", _IMPORT
    for site in module.sites:
        if site.form == "attribute" and site.certain and site.name.family == "attention":
            yield site.node, site.path, _LOOKUP


def _catches(handler: ast.ExceptHandler, wanted: frozenset[str]) -> bool:
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(ast.unparse(kind).rpartition(".")[2] in wanted for kind in kinds)


def _raises(handler: ast.ExceptHandler) -> bool:
    pending: list[ast.AST] = list(handler.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Raise):
            return True
        # What a function raises that is defined here, it raises later.
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(node))
    return False


def _draft(module: Module, node: ast.AST, path: str, length: int) -> Draft:
    start, _ = module.span(node)
    end = start + length
    message = f"this handler hides that `{path}` is gone: since the upgrade the program has been using its fallback"
    return Draft(start, end, "PAM108", WARNING, path, message)
