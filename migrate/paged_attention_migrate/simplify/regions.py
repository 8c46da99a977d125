"""Which lines belong to the arms of an `if` chain, and whether an arm can take the place of the chain."""

from __future__ import annotations

import ast
from typing import NamedTuple

from paged_attention_migrate.simplify.live import Arm
from paged_attention_migrate.simplify.parsed import Parsed


class Region(NamedTuple):
    """The lines of an arm (`last` included), and the indentation that they lose when they move out.

    An arm on the line of its head has `inline_from`: the offset of the head, which is cut away in front of the arm.
    """

    first: int
    last: int
    old_indentation: str
    new_indentation: str
    inline_from: int | None = None


def chain_lines(parsed: Parsed, head: ast.If) -> tuple[int, int]:
    """The first and last line of a chain, with the comments that are indented behind its last arm."""
    column = len(parsed.indentation(head) or "")
    return head.lineno, with_trailing_comments(parsed, parsed.last_line(head), column + 1)


def arm_region(parsed: Parsed, chain: ast.If, arm: Arm) -> Region | None:
    """The lines of an arm, or None where they cannot move out without a change of meaning."""
    outer = parsed.indentation(chain)
    if outer is None:
        return None
    head, colon = head_and_colon(parsed, arm)
    first_statement = arm.body[0]
    last = parsed.last_line(arm.body[-1])
    if first_statement.lineno == parsed.line_at(colon):
        return Region(first_statement.lineno, last, "", "", inline_from=head)
    inner = parsed.indentation(first_statement)
    if inner is None or not inner.startswith(outer) or inner == outer:
        return None
    first = parsed.line_at(colon) + 1
    last = with_trailing_comments(parsed, last, len(inner))
    if any(line in parsed.tokens.lines_in_strings for line in range(first, last + 1)):
        return None
    return Region(first, last, inner, outer)


def head_and_colon(parsed: Parsed, arm: Arm) -> tuple[int, int]:
    """Offsets of the keyword that opens an arm and of the colon behind it."""
    if arm.is_else:
        keyword = else_keyword(parsed, arm.head.body)
        return keyword, parsed.tokens.next_mark(":", keyword)
    return parsed.start(arm.head), parsed.tokens.next_mark(":", parsed.end(arm.head.test))


def else_keyword(parsed: Parsed, body: list[ast.stmt]) -> int:
    """Offset of the `else` behind a body."""
    return parsed.tokens.next_mark("else", parsed.end(body[-1]))


def with_trailing_comments(parsed: Parsed, line: int, least_column: int) -> int:
    """The last line of the comments that follow `line` and are indented by at least so many characters."""
    comments = {comment.line: comment for comment in parsed.tokens.comments if comment.alone}
    last = line
    while True:
        line += 1
        if line in comments and comments[line].column >= least_column:
            last = line
        elif line > len(parsed.starts) or not parsed.is_blank(line):
            return last
