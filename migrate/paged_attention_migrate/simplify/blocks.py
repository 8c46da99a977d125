"""Removal of compound statements that have become empty and whose heads do nothing."""

from __future__ import annotations

import ast

from paged_attention_migrate.simplify.live import Live
from paged_attention_migrate.simplify.purity import Purity


def remove_emptied(live: Live, purity: Purity) -> bool:
    """Remove every `if`, `with` and counting `for` of which nothing is left; True if there were any."""
    emptied = [node for node in live.walk(live.parsed.tree) if isinstance(node, ast.stmt) and _has_lost_all(node, live)]
    gone = [node for node in emptied if _head_does_nothing(node, live, purity)]
    for node in gone:
        live.dead.add(node)
        live.notes.append(f"removed `{head_of(node, live)}` (nothing is left in it)")
    return bool(gone)


def _has_lost_all(node: ast.stmt, live: Live) -> bool:
    if node in live.swallowed or not isinstance(node, (ast.If, ast.With, ast.For)):
        return False
    orelse = [] if isinstance(node, ast.With) else node.orelse
    return not live.block(node.body) and not live.block(orelse)


def _head_does_nothing(node: ast.stmt, live: Live, purity: Purity) -> bool:
    if isinstance(node, ast.If):
        return purity.is_pure(node.test)
    if isinstance(node, ast.With):
        items = node.items
        return all(item.optional_vars is None and purity.is_harmless_context(item.context_expr) for item in items)
    assert isinstance(node, ast.For)
    if not isinstance(node.target, ast.Name) or not purity.is_range(node.iter):
        return False
    usages = live.parsed.scopes.owners[node.target]
    return all(usage.is_private and not live.living(usage.reads) for usage in usages)


def head_of(node: ast.stmt, live: Live) -> str:
    """The head of an `if`, `with` or `for`, as it is quoted in a note."""
    parsed = live.parsed
    if isinstance(node, ast.If):
        return f"{'elif' if parsed.is_elif(node) else 'if'} {parsed.segment(node.test)}:"
    if isinstance(node, ast.With):
        return f"with {', '.join(parsed.segment(item.context_expr) for item in node.items)}:"
    assert isinstance(node, ast.For)
    return f"for {parsed.segment(node.target)} in {parsed.segment(node.iter)}:"
