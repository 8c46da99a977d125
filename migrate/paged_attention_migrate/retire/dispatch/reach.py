"""What of a function may run when it is known which values a name can still have."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from paged_attention_migrate.retire.dispatch.conditions import Facts, mentions, outcome


def reached(statements: Sequence[ast.stmt], facts: Facts, parameter: str) -> list[ast.AST]:
    """The expressions that may run, and the `raise` of an arm that the parameter chooses."""
    found: list[ast.AST] = []
    _reach(statements, facts, parameter, found)
    return found


def _reach(statements: Sequence[ast.stmt], facts: Facts, parameter: str, found: list[ast.AST]) -> bool:
    """Collect what may run; False where nothing behind the statements does."""
    for statement in statements:
        if isinstance(statement, ast.If):
            found += ast.walk(statement.test)
            result = outcome(statement.test, facts)
            goes_on = result is None and not statement.orelse
            if result is not False:
                goes_on |= _reach(statement.body, facts, parameter, found)
            if result is not True:
                goes_on |= _reach(statement.orelse, facts, parameter, found)
                if _is_refusal(statement, facts, parameter):
                    found.append(statement.orelse[0])
            if not goes_on:
                return False
            continue
        for child in ast.iter_child_nodes(statement):
            if not isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                found += ast.walk(child)
        for block in _blocks(statement):
            _reach(block, facts, parameter, found)
        if isinstance(statement, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
            return False
    return True


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    blocks = [getattr(statement, field, []) for field in ("body", "orelse", "finalbody")]
    return [*blocks, *(each.body for each in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())))]


def _is_refusal(statement: ast.If, facts: Facts, parameter: str) -> bool:
    """`else: raise` behind tests of the parameter, reached for certain."""
    if outcome(statement.test, facts) is not False or not mentions(statement.test, frozenset({parameter})):
        return False
    return len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.Raise)


def statements_run(block: Sequence[ast.stmt], facts: Facts) -> Iterator[ast.stmt]:
    """The statements without blocks, and the `if`s, that may run."""
    for statement in block:
        if isinstance(statement, ast.If):
            yield statement
            result = outcome(statement.test, facts)
            if result is not False:
                yield from statements_run(statement.body, facts)
            if result is not True:
                yield from statements_run(statement.orelse, facts)
            continue
        blocks = _blocks(statement)
        for inner in blocks:
            yield from statements_run(inner, facts)
        if not any(blocks):
            yield statement
