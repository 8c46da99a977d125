"""A module as text, tree, tokens and scopes together, with positions as offsets."""

from __future__ import annotations

import ast
import warnings
from bisect import bisect_right

from paged_attention_migrate.simplify.scopes import Scopes, numbered_scopes
from paged_attention_migrate.simplify.tokens import Tokens
from paged_attention_migrate.source import offset_at


def parse(text: str) -> ast.Module:
    """Parse without the warnings that are the author's business; whatever cannot be parsed is a SyntaxError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (ValueError, MemoryError) as error:  # a NUL character, or parentheses nested too deeply
            raise SyntaxError(str(error)) from None


class Parsed:
    """One module, read once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = parse(text)
        self.tokens = Tokens(text)
        self.starts = self.tokens.starts
        self.scopes = Scopes(self.tree)
        self.numbered = numbered_scopes(self.tree)
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def start(self, node: ast.stmt | ast.expr) -> int:
        """Offset of the first character of a node."""
        return offset_at(self.text, self.starts, node.lineno, node.col_offset)

    def end(self, node: ast.stmt | ast.expr) -> int:
        """Offset behind the last character of a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return offset_at(self.text, self.starts, node.end_lineno, node.end_col_offset)

    def first_line(self, node: ast.stmt) -> int:
        """The line on which a statement begins, decorators included."""
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        return min([node.lineno, *(decorator.lineno for decorator in decorators)])

    def last_line(self, node: ast.stmt | ast.expr) -> int:
        """The line on which a node ends, from 1."""
        assert node.end_lineno is not None
        return node.end_lineno

    def line_at(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self.starts, offset)

    def line_start(self, line: int) -> int:
        """Offset at which a line begins; behind the last line, the end of the text."""
        return self.starts[line - 1] if line <= len(self.starts) else len(self.text)

    def line(self, line: int) -> str:
        """A line with its newline."""
        return self.text[self.line_start(line) : self.line_start(line + 1)]

    def is_blank(self, line: int) -> bool:
        """Whether a line holds nothing but spaces and tabs; a form feed is something, and so is a line of a string."""
        return line > 0 and not self.line(line).strip(" \t\r\n") and line not in self.tokens.lines_in_strings

    def is_continued(self, line: int) -> bool:
        """Whether a backslash at the end of a line joins the next one to it."""
        ends = line > 0 and self.line(line).rstrip("\r\n").endswith("\\")
        return ends and not any(comment.line == line for comment in self.tokens.comments)

    def segment(self, node: ast.stmt | ast.expr) -> str:
        """The text of a node on one line, for a note."""
        text = " ".join(self.text[self.start(node) : self.end(node)].split())
        return text if len(text) <= 60 else text[:57] + "..."

    def indentation(self, node: ast.stmt) -> str | None:
        """The white space before a statement, or None where something else stands before it on its line."""
        before = self.text[self.line_start(node.lineno) : self.start(node)]
        return before if not before.strip(" \t") else None

    def is_elif(self, node: ast.stmt) -> bool:
        """Whether this `if` is written as `elif`."""
        return isinstance(node, ast.If) and self.text.startswith("elif", self.start(node))
