"""Takes the arms out of a function that can no longer run, and the parts of conditions that are decided; with LibCST.

Comments stay with the statements that they stand above; those of an arm that goes, go.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from paged_attention_migrate.retire.dispatch.conditions import Facts, mentions, outcome


def folded(text: str, function: str, facts: Facts, keys: frozenset[str]) -> str:
    """The text with a module-level function folded; only tests that mention one of `keys` are looked at."""
    module = cst.parse_module(text)
    body = [
        each.visit(_Fold(module, facts, keys))
        if isinstance(each, cst.FunctionDef) and each.name.value == function
        else each
        for each in module.body
    ]
    return module.with_changes(body=body).code


Statement = cst.BaseStatement


class _Fold(cst.CSTTransformer):
    def __init__(self, module: cst.Module, facts: Facts, keys: frozenset[str]) -> None:
        super().__init__()
        self.module = module
        self.facts = facts
        self.keys = keys

    def leave_IndentedBlock(  # noqa: N802
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        del original_node
        body: list[Statement] = []
        below: list[cst.EmptyLine] = []  # comments at the end of an arm that has moved out
        for statement in updated_node.body:
            left, footer = self._statement(statement) if isinstance(statement, cst.If) else ([statement], [])
            if below and left:
                left = [left[0].with_changes(leading_lines=[*below, *_leading_lines(left[0])]), *left[1:]]
                below = []
            body += left
            below += footer
            if left and left[0] is not statement and _ends(left[-1]):
                break
        if not body:
            body = [cst.SimpleStatementLine([cst.Pass()])]
        body = _without_leading_blanks(body, updated_node.body)
        return updated_node.with_changes(body=body, footer=[*below, *updated_node.footer])

    def leave_IfExp(self, original_node: cst.IfExp, updated_node: cst.IfExp) -> cst.BaseExpression:  # noqa: N802
        del original_node
        result = self._test(updated_node.test)
        if result is True:
            return _with_parentheses_of(updated_node, updated_node.body)
        if result is False:
            return _with_parentheses_of(updated_node, updated_node.orelse)
        return updated_node.with_changes(test=result)

    def leave_Assert(self, original_node: cst.Assert, updated_node: cst.Assert) -> cst.Assert:  # noqa: N802
        del original_node
        result = self._test(updated_node.test)
        return updated_node if isinstance(result, bool) else updated_node.with_changes(test=result)

    def _statement(self, chain: cst.If) -> tuple[list[Statement], list[cst.EmptyLine]]:
        """What is left of an `if` chain, and comments that belong below it."""
        arms, orelse = _arms(chain)
        kept: list[cst.If] = []
        otherwise: cst.Else | None = orelse
        changed = False
        for arm in arms:
            result = self._test(arm.test)
            if result is False:
                changed = True
                continue
            if result is True:
                above = chain.leading_lines if arm is chain else _comments(arm)
                otherwise = cst.Else(arm.body, leading_lines=above)
                changed = True
                break
            changed = changed or result is not arm.test
            kept.append(arm if result is arm.test else _asking(arm, result))
        if not changed:
            return [chain], []
        if kept:
            return [_chained(kept, otherwise, chain)], []
        if otherwise is None:
            return [], []
        above = () if otherwise.leading_lines is chain.leading_lines else chain.leading_lines
        own = otherwise.leading_lines if otherwise is not orelse else _comments(otherwise)
        return _spliced(otherwise.body, _one_gap([*above, *own]))

    def _test(self, test: cst.BaseExpression) -> bool | cst.BaseExpression:
        """True, False, or what is left to ask."""
        node = self._as_ast(test)
        if node is None or not mentions(node, self.keys):
            return test
        result = outcome(node, self.facts)
        if result is not None:
            return result
        if isinstance(test, cst.BooleanOperation):
            left, right = self._test(test.left), self._test(test.right)
            if isinstance(left, bool):
                return right if isinstance(right, bool) else _with_parentheses_of(test, right)
            if isinstance(right, bool):
                return _with_parentheses_of(test, left)
            return test.with_changes(left=left, right=right)
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            inner = self._test(test.expression)
            return test if isinstance(inner, bool) else test.with_changes(expression=inner)
        return test

    def _as_ast(self, node: cst.BaseExpression) -> ast.expr | None:
        try:
            return ast.parse(f"({self.module.code_for_node(node)}\n)", mode="eval").body
        except SyntaxError:
            return None


def _arms(chain: cst.If) -> tuple[list[cst.If], cst.Else | None]:
    arms = [chain]
    while isinstance(arms[-1].orelse, cst.If):
        arms.append(arms[-1].orelse)
    return arms, arms[-1].orelse if isinstance(arms[-1].orelse, cst.Else) else None


def _chained(kept: Sequence[cst.If], otherwise: cst.Else | None, chain: cst.If) -> cst.If:
    tail: cst.If | cst.Else | None = otherwise
    for arm in reversed(kept):
        tail = arm.with_changes(orelse=tail)
    assert isinstance(tail, cst.If)
    if kept[0] is chain or tail.leading_lines is chain.leading_lines:
        return tail
    return tail.with_changes(leading_lines=_one_gap([*chain.leading_lines, *_comments(tail)]))


def _comments(arm: cst.If | cst.Else) -> list[cst.EmptyLine]:
    """What stands above a later arm, without the blank lines that part it from the one before."""
    return [line for line in arm.leading_lines if line.comment is not None]


def _spliced(body: cst.BaseSuite, leading: Sequence[cst.EmptyLine]) -> tuple[list[Statement], list[cst.EmptyLine]]:
    """The statements of an arm for the block around it, with what stands above the arm, and the comments at its end."""
    if isinstance(body, cst.SimpleStatementSuite):
        line = cst.SimpleStatementLine(body.body, leading_lines=leading, trailing_whitespace=body.trailing_whitespace)
        return [line], []
    assert isinstance(body, cst.IndentedBlock)
    head = [cst.EmptyLine(comment=body.header.comment)] if body.header.comment is not None else []
    first, *rest = body.body
    lines = [*leading, *head, *_leading_lines(first)]
    footer = [line for line in body.footer if line.comment is not None]
    return [first.with_changes(leading_lines=_one_gap(lines)), *rest], footer


def _ends(statement: Statement) -> bool:
    """Whether nothing behind a statement runs."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    return isinstance(statement.body[-1], (cst.Return, cst.Raise, cst.Continue, cst.Break))


def _leading_lines(statement: Statement) -> Sequence[cst.EmptyLine]:
    return getattr(statement, "leading_lines", ())


def _one_gap(lines: Sequence[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """The lines without blank ones that follow another."""
    kept: list[cst.EmptyLine] = []
    for line in lines:
        if line.comment is None and kept and kept[-1].comment is None:
            continue
        kept.append(line)
    return kept


def _without_leading_blanks(body: list[Statement], before: Sequence[Statement]) -> list[Statement]:
    """A block does not open with a blank line where it did not before."""
    if not body or not before or body[0] is before[0]:
        return body
    lines = list(_leading_lines(body[0]))
    while lines and lines[0].comment is None:
        lines.pop(0)
    return [body[0].with_changes(leading_lines=lines), *body[1:]]


def _with_parentheses_of(outer: cst.BaseExpression, inner: cst.BaseExpression) -> cst.BaseExpression:
    """The part of an expression that takes its place: it keeps the parentheses that let it span lines."""
    if not outer.lpar or inner.lpar:
        return inner
    plain = isinstance(inner, (cst.Name, cst.Attribute, cst.Call, cst.Comparison))
    if plain and "\n" not in cst.Module([]).code_for_node(inner):
        return inner
    return inner.with_changes(lpar=outer.lpar, rpar=outer.rpar)


def _asking(arm: cst.If, test: bool | cst.BaseExpression) -> cst.If:
    """The arm with another test, which a space parts from the keyword."""
    space = arm.whitespace_before_test if arm.whitespace_before_test.value else cst.SimpleWhitespace(" ")
    return arm.with_changes(test=test, whitespace_before_test=space)
