"""Removal of statements from the text, block by block, with the comments that go with them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from paged_attention_migrate.simplify.comments import Leads
from paged_attention_migrate.simplify.live import Collapsed, Live
from paged_attention_migrate.simplify.page import Page, Unremovable
from paged_attention_migrate.simplify.regions import (
    arm_region,
    chain_lines,
    else_keyword,
    head_and_colon,
    with_trailing_comments,
)

_CONTINUATION = re.compile(r"\\(?:\r\n|\r|\n)")
_BLOCKS = ("body", "orelse", "finalbody")


class Writer:
    """Writes what is left of a module onto a page."""

    def __init__(self, live: Live, page: Page) -> None:
        self._live = live
        self._page = page
        self._parsed = live.parsed
        self._leads = Leads(live, self._goes)

    def write(self) -> None:
        """Mark on the page all that was removed."""
        self._write_block(self._parsed.tree.body)
        for node in self._live.same_values:
            if not self._live.is_dead(node):
                self._cut_second_value(node)

    def _goes(self, statement: ast.stmt) -> bool:
        return statement in self._live.dead

    def _write_block(self, statements: Sequence[ast.stmt]) -> None:
        """Write the statements of a block of which something is left."""
        groups = list(self._groups(statements))
        for line, below in self._leads.lines_to_remove(groups).items():
            self._page.remove_lines(line, line)
            if below == groups[0][0].lineno:
                self._page.opens_block.add(line)
        for position, group in enumerate(groups):
            going = [statement for statement in group if self._goes(statement)]
            if len(going) == len(group):
                first, last = self._remove_group(group)
                if position == 0 and not self._is_kept_comment(first - 1):
                    self._page.opens_block.add(first)
                if position == len(groups) - 1 and not self._is_kept_comment(last + 1):
                    self._page.closes_block.add(last)
            elif going:
                self._remove_from_line(group)
            for statement in group:
                if not self._goes(statement):
                    self._write_statement(statement)

    def _groups(self, statements: Sequence[ast.stmt]) -> Iterator[list[ast.stmt]]:
        """Statements by logical line: those joined by semicolons come together."""
        group: list[ast.stmt] = []
        for statement in statements:
            between = self._parsed.text[self._parsed.end(group[-1]) : self._parsed.start(statement)] if group else ""
            if group and re.search(r"[\r\n]", _CONTINUATION.sub("", between)):
                yield group
                group = []
            group.append(statement)
        yield group

    def _remove_group(self, group: Sequence[ast.stmt]) -> tuple[int, int]:
        parsed = self._parsed
        first, last = group[0].lineno, parsed.last_line(group[-1])
        if parsed.indentation(group[0]) is None or parsed.is_continued(first - 1):
            raise Unremovable("something else stands on the line of the statement")
        if hasattr(group[-1], "body"):
            column = parsed.start(group[0]) - parsed.line_start(first)
            last = with_trailing_comments(parsed, last, column + 1)
        self._page.remove_lines(first, last)
        return first, last

    def _remove_from_line(self, group: Sequence[ast.stmt]) -> None:
        """Cut single statements out of a line with semicolons."""
        parsed = self._parsed
        position = 0
        while position < len(group):
            if not self._goes(group[position]):
                position += 1
                continue
            begin = position
            while position < len(group) and self._goes(group[position]):
                position += 1
            if position < len(group):
                self._page.replace(parsed.start(group[begin]), parsed.start(group[position]))
            else:
                self._page.replace(parsed.end(group[begin - 1]), parsed.end(group[-1]))

    def _write_statement(self, statement: ast.stmt) -> None:
        collapsed = self._live.collapsed.get(statement) if isinstance(statement, ast.If) else None
        if collapsed is not None:
            self._write_collapsed(collapsed)
            return
        for field in _BLOCKS:
            block = getattr(statement, field, None)
            if block:
                self._write_inner_block(statement, field, block)
        for inner in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            self._write_inner_block(inner, "body", inner.body)

    def _write_inner_block(self, owner: ast.AST, field: str, block: list[ast.stmt]) -> None:
        if self._live.block(block):
            self._write_block(block)
        elif field == "orelse":
            self._remove_else(owner, block)
        else:
            self._put_pass(block)

    def _remove_else(self, owner: ast.AST, block: list[ast.stmt]) -> None:
        if isinstance(block[0], ast.If) and self._parsed.is_elif(block[0]):
            first = block[0].lineno
        else:
            handlers: list[ast.ExceptHandler] = getattr(owner, "handlers", [])
            before = handlers[-1].body if handlers else owner.body  # type: ignore[attr-defined]
            first = self._parsed.line_at(else_keyword(self._parsed, before))
        column = len(self._parsed.line(first)) - len(self._parsed.line(first).lstrip())
        first -= len(self._leads.above(first, column))
        while self._parsed.is_blank(first - 1):
            first -= 1
        last = with_trailing_comments(self._parsed, self._parsed.last_line(block[-1]), column + 1)
        self._page.remove_lines(first, last)
        self._page.closes_block.add(last)

    def _is_kept_comment(self, line: int) -> bool:
        return self._leads.is_comment(line) and line not in self._page.gone

    def _put_pass(self, block: list[ast.stmt]) -> None:
        """Keep a block alive of which nothing is left."""
        first, *others = self._groups(block)
        last = self._parsed.last_line(first[-1])
        line_end = self._parsed.line_start(last) + len(self._parsed.line(last).rstrip("\r\n"))
        self._page.replace(self._parsed.start(first[0]), line_end, "pass")
        for group in others:
            _, last = self._remove_group(group)
            self._page.closes_block.add(last)
        for line in self._leads.lines_to_remove([first, *others]):
            self._page.remove_lines(line, line)

    def _write_collapsed(self, collapsed: Collapsed) -> None:
        parsed = self._parsed
        chain = collapsed.arms[0].head
        arm = collapsed.arms[collapsed.kept]
        region = arm_region(parsed, chain, arm)
        if region is None or parsed.is_continued(chain.lineno - 1):
            raise Unremovable("the arm cannot move out")
        chain_first, chain_last = chain_lines(parsed, chain)
        first = region.first
        if region.inline_from is not None:
            head, _ = head_and_colon(parsed, arm)
            self._page.replace(head, parsed.start(arm.body[0]))
            first = parsed.line_at(head)
        else:
            self._page.move_out(region)
            while parsed.is_blank(first):
                first += 1
        self._page.remove_lines(chain_first, first - 1)
        self._page.remove_lines(region.last + 1, chain_last)
        self._write_block(arm.body)

    def _cut_second_value(self, node: ast.IfExp) -> None:
        text = self._parsed.text
        keyword = self._parsed.tokens.next_mark("if", self._parsed.end(node.body))
        kept = text[:keyword].rstrip()
        self._page.replace(len(kept), self._parsed.end(node))
