"""What a file has at a line: its statement, its function, whether something is called there."""

from __future__ import annotations

import ast
import re

from paged_attention_migrate.silencing import header, is_to_be_kept
from paged_attention_migrate.source import Source, Undecodable

_INNER = re.compile(r"\.?<(?:lambda|genexpr|listcomp|dictcomp|setcomp|locals)>")


class Unread(Exception):
    """The file cannot be read as Python."""


class Outline:
    """The functions, statements and calls of one file by their lines."""

    def __init__(self, path: str) -> None:
        try:
            with open(path, "rb") as file:
                self.source = Source(file.read())
            tree = ast.parse(self.source.text)
        except (OSError, Undecodable, SyntaxError, ValueError, RecursionError, MemoryError):
            raise Unread from None
        self._functions: list[tuple[int, int, str]] = []
        self._statements: list[ast.stmt] = []
        self._calls: list[tuple[int, int]] = []
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                self._statements.append(node)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._functions.append((node.lineno, node.end_lineno or node.lineno, node.name))
            if isinstance(node, ast.Call):
                self._calls.append((node.lineno, node.end_lineno or node.lineno))

    def lines_of(self, line: int) -> range:
        """The lines of the innermost statement at a line, of one with a block those in front of the block."""
        statement = self._statement(line)
        if statement is None:
            return range(line, line + 1)
        first, last = header(statement)
        return range(first, last + 1)

    def is_to_be_kept(self, line: int) -> bool:
        """Whether a remark says so of the statement at a line."""
        statement = self._statement(line)
        return statement is not None and is_to_be_kept(self.source, statement)

    def _statement(self, line: int) -> ast.stmt | None:
        around = ((header(each), each) for each in self._statements)
        inside = [(lines, each) for lines, each in around if lines[0] <= line <= lines[1]]
        return max(inside, key=lambda each: (each[0][0], -each[0][1]))[1] if inside else None

    def calls_at(self, line: int) -> bool:
        """Whether an expression at a line calls something."""
        return any(first <= line <= last for first, last in self._calls)

    def function(self, line: int) -> str:
        """The name of the innermost function at a line; empty outside of all."""
        around = [each for each in self._functions if each[0] <= line <= each[1]]
        return max(around)[2] if around else ""


def plain(function: str) -> str:
    """The own name of a function as a report has it, of a lambda or comprehension that of the function around it."""
    name = _INNER.sub("", function).rpartition(".")[2]
    return "" if name == "<module>" else name


def is_unclear(function: str) -> bool:
    """Whether a report does not name the function itself, as of a lambda before Python 3.11, or of a class's body."""
    return function.startswith("<") and function != "<module>"
