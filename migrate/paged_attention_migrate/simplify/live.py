"""What is left of a module once removals are taken into account: a view of the tree that never changes the tree.

All passes decide on this view, so one edit of the text at the end is enough, and the result can be checked against it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from paged_attention_migrate.simplify.parsed import Parsed
from paged_attention_migrate.simplify.scopes import Place

_POSITIONS = frozenset({"lineno", "col_offset", "end_lineno", "end_col_offset", "ctx", "type_comment", "kind"})


class Arm(NamedTuple):
    """One way through an `if` chain: the `if` node that heads it (the last one for `else`), and its statements."""

    head: ast.If
    body: list[ast.stmt]
    is_else: bool


class Collapsed(NamedTuple):
    """An `if` chain of which one arm takes the place of the whole."""

    arms: tuple[Arm, ...]
    kept: int


class Live:
    """The removals decided so far, in the order of the decisions."""

    def __init__(self, parsed: Parsed) -> None:
        self.parsed = parsed
        self.dead: set[ast.AST] = set()
        self.collapsed: dict[ast.If, Collapsed] = {}
        self.swallowed: set[ast.AST] = set()
        self.same_values: list[ast.IfExp] = []
        self.gone_names: set[str] = set()
        self.notes: list[str] = []

    def is_dead(self, node: ast.AST) -> bool:
        """Whether the node lies in something that was removed."""
        at: ast.AST | None = node
        while at is not None:
            if at in self.dead:
                return True
            at = self.parsed.parents.get(at)
        return False

    def living(self, places: Sequence[Place]) -> list[Place]:
        """The mentions that are still there."""
        return [place for place in places if not self.is_dead(place.node)]

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The statements of a block that are left, with collapsed chains replaced by what they keep."""
        left = []
        for statement in statements:
            if statement in self.dead:
                continue
            collapsed = self.collapsed.get(statement) if isinstance(statement, ast.If) else None
            if collapsed is None:
                left.append(statement)
            else:
                left += self.block(collapsed.arms[collapsed.kept].body)
        return left

    def walk(self, node: ast.AST) -> Iterator[ast.AST]:
        """Every node that is left, children before parents."""
        if node in self.dead:
            return
        for child in ast.iter_child_nodes(node):
            yield from self.walk(child)
        yield node

    def shape(self, node: object, field: str = "") -> Any:
        """The structure of what is left of a node, without positions; equal shapes are the same code."""
        if isinstance(node, list):
            if node and isinstance(node[0], ast.stmt):
                left = [self.shape(statement) for statement in self.block(node)]
                return left if left or field == "orelse" else [self.shape(ast.Pass())]
            return [self.shape(item) for item in node]
        if isinstance(node, ast.IfExp) and node in self.same_values:
            return self.shape(node.body)
        if isinstance(node, ast.AST):
            fields = [(name, value) for name, value in ast.iter_fields(node) if name not in _POSITIONS]
            return (type(node).__name__, *((name, self.shape(value, name)) for name, value in fields))
        return type(node).__name__, repr(node)
