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

_BROAD = frozenset({"Exception", "BaseException"})
_IMPORT = frozenset({"ImportError", "ModuleNotFoundError", *_BROAD})
_LOOKUP = frozenset({"AttributeError", "RuntimeError", *_BROAD})


def drafts(module: Module) -> Iterator[Draft]:
    """One draft a handler."""
    done: set[ast.ExceptHandler] = set()
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
                        yield _draft(module, handler, path)
                    break
            inner = outer


def _things_lost(module: Module) -> Iterator[tuple[ast.AST, str, frozenset[str]]]:
    for binding in module.flow.imports:
        found = module.entry(binding.path) or module.entry(binding.alias.name)
        if found is not None and not binding.star and not binding.reexported:
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
    return any(isinstance(node, ast.Raise) for statement in handler.body for node in ast.walk(statement))


def _draft(module: Module, handler: ast.ExceptHandler, path: str) -> Draft:
    start, _ = module.span(handler)
    end = start + len("except")
    message = f"this handler hides that `{path}` is gone: since the upgrade the program has been using its fallback"
    return Draft(start, end, "PAM108", WARNING, path, message)
