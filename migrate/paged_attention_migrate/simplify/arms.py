"""Collapse of `if` chains and conditional expressions whose arms have become the same call."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from paged_attention_migrate.simplify.blocks import head_of
from paged_attention_migrate.simplify.live import Arm, Collapsed, Live
from paged_attention_migrate.simplify.purity import Purity
from paged_attention_migrate.simplify.regions import arm_region

_PARTITION_SIZES = (256, 512)
# In the shim's argument list and in that of `paged_attention_rocm`; the other's is no number of tokens in either.
_BLOCK_SIZE_POSITIONS = (8, 12)


class Arms:
    """Collapses the chains of one module that call the surviving function."""

    def __init__(self, live: Live, purity: Purity, replacements: frozenset[str]) -> None:
        self._live = live
        self._purity = purity
        self._replacements = replacements

    def collapse(self) -> bool:
        """Collapse what can be, inner before outer; True if there was any."""
        changed = False
        for node in list(self._live.walk(self._live.parsed.tree)):
            if isinstance(node, ast.If) and node not in self._live.swallowed:
                changed = self._collapse_chain(node) or changed
            elif isinstance(node, ast.IfExp) and node not in self._live.same_values:
                changed = self._collapse_expression(node) or changed
        return changed

    def _collapse_chain(self, chain: ast.If) -> bool:
        if self._live.parsed.is_elif(chain):
            return False
        arms = self._arms(chain)
        if not arms or not all(self._purity.is_pure(arm.head.test) for arm in arms):
            return False
        call = self._call_in(arms[0].body)
        if call is None:
            return False
        left: list[Sequence[ast.stmt]] = [self._live.block(arm.body) for arm in arms]
        asserts: list[list[ast.stmt]] = [[] for _ in arms]
        if not self._all_same(left):
            asserts = [[each for each in body if self._is_about_partitions(each, call)] for body in left]
            left = [[each for each in body if each not in gone] for body, gone in zip(left, asserts, strict=True)]
        if not all(left) or not self._all_same(left):
            return False
        lost = [len(arm.body) - len(body) for arm, body in zip(arms, left, strict=True)]
        order = sorted(range(len(arms)), key=lambda position: (lost[position], position))
        for kept in order:
            if arm_region(self._live.parsed, chain, arms[kept]) is not None:
                self._keep(chain, arms, kept, asserts)
                return True
        return False

    def _arms(self, chain: ast.If) -> list[Arm]:
        """The arms of a chain down to its `else`; none where that is missing."""
        arms = [Arm(chain, chain.body, is_else=False)]
        head = chain
        while isinstance(following := head.orelse[0] if head.orelse else None, ast.If):
            if not self._live.parsed.is_elif(following):
                break
            head = following
            arms.append(Arm(head, head.body, is_else=False))
        if not head.orelse:
            return []
        return [*arms, Arm(head, head.orelse, is_else=True)]

    def _all_same(self, bodies: Sequence[Sequence[ast.stmt]]) -> bool:
        first, *others = [[self._live.shape(statement) for statement in body] for body in bodies]
        return all(first == other for other in others)

    def _keep(self, chain: ast.If, arms: list[Arm], kept: int, asserts: list[list[ast.stmt]]) -> None:
        live = self._live
        both = "both" if len(arms) == 2 else "all"
        live.notes.append(f"{both} arms of `{head_of(chain, live)}` had become the same call")
        for position, arm in enumerate(arms):
            live.swallowed.add(arm.head)
            live.dead.add(arm.head.test)
            live.dead.update(asserts[position] if position == kept else arm.body)
        for statement in (statement for gone in asserts for statement in gone):
            assert isinstance(statement, ast.Assert)
            test = live.parsed.segment(statement.test)
            live.notes.append(f"removed `assert {test}` (no partition has that size any more)")
        live.collapsed[chain] = Collapsed(tuple(arms), kept)

    def _call_in(self, statements: Sequence[ast.stmt]) -> ast.Call | None:
        for statement in self._live.block(statements):
            for node in self._live.walk(statement):
                if isinstance(node, ast.Call) and _spelling(node.func) in self._replacements:
                    return node
        return None

    def _is_about_partitions(self, statement: ast.stmt, call: ast.Call) -> bool:
        """Whether this is `assert PARTITION % block_size == 0`."""
        if not isinstance(statement, ast.Assert) or not self._purity.is_pure(statement.msg):
            return False
        test = statement.test
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
            return False
        zero, quotient = test.comparators[0], test.left
        if not (isinstance(zero, ast.Constant) and zero.value == 0):
            return False
        if not (isinstance(quotient, ast.BinOp) and isinstance(quotient.op, ast.Mod)):
            return False
        return self._is_partition_size(quotient.left) and self._is_block_size(quotient.right, call)

    def _is_partition_size(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return node.value in _PARTITION_SIZES
        spelling = _spelling(node)
        if spelling is not None and "PARTITION" in spelling.rpartition(".")[2].upper():
            return True
        usages = self._live.parsed.scopes.owners.get(node, ())
        statements = [place.statement for usage in usages for place in usage.bindings]
        return bool(statements) and all(
            isinstance(statement, ast.Assign)
            and isinstance(statement.value, ast.Constant)
            and statement.value.value in _PARTITION_SIZES
            for statement in statements
        )

    def _is_block_size(self, node: ast.expr, call: ast.Call) -> bool:
        spelling = _spelling(node)
        if spelling is not None and spelling.rpartition(".")[2].lower().endswith("block_size"):
            return True
        arguments = [keyword.value for keyword in call.keywords if keyword.arg == "block_size"]
        for position in _BLOCK_SIZE_POSITIONS:
            by_position = call.args[: position + 1]
            if not any(isinstance(argument, ast.Starred) for argument in by_position):
                arguments += by_position[position:]
        return any(self._live.shape(argument) == self._live.shape(node) for argument in arguments)

    def _collapse_expression(self, node: ast.IfExp) -> bool:
        live = self._live
        if live.shape(node.body) != live.shape(node.orelse) or not self._purity.is_pure(node.test):
            return False
        mentions = any(
            isinstance(inner, ast.expr) and _spelling(inner) in self._replacements for inner in ast.walk(node.body)
        )
        if not mentions:
            return False
        begin, end = live.parsed.end(node.body), live.parsed.end(node)
        if any(begin <= comment.start < end for comment in live.parsed.tokens.comments):
            return False
        live.same_values.append(node)
        live.dead.update((node.test, node.orelse))
        live.notes.append(f"both values of `{live.parsed.segment(node)}` had become the same function")
        return True


def _spelling(node: ast.expr) -> str | None:
    """`a.b.c` as it is written, or None for anything but names and attributes."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = _spelling(node.value)
        return f"{base}.{node.attr}" if base is not None else None
    return None
