"""Which comments above removed statements go with them, and which stay."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence

from paged_attention_migrate.simplify.live import Live
from paged_attention_migrate.simplify.tokens import Comment

# Comments that speak to a tool, or mark a region that may end further down.
_DIRECTIVE = re.compile(
    r"#\s*(?:fmt|yapf|pylint|ruff|flake8|noqa|mypy|pyright|type|isort|pragma|region|endregion|cspell|spell-checker|%%)\b|#\s*%%"
)
_BOTH_VERSIONS = re.compile(r"\bv1\b.*\bv2\b|\bv2\b.*\bv1\b", re.IGNORECASE | re.DOTALL)


class Leads:
    """The comments on lines of their own directly above statements, and the runs of statements that they introduce."""

    def __init__(self, live: Live, goes: Callable[[ast.stmt], bool]) -> None:
        self._live = live
        self._goes = goes
        self._alone = {comment.line: comment for comment in live.parsed.tokens.comments if comment.alone}

    def lines_to_remove(self, groups: Sequence[Sequence[ast.stmt]]) -> dict[int, int]:
        """Lines of comments that go, each with the line of the statement below, for the logical lines of a block."""
        lines = {}
        for position, group in enumerate(groups):
            first = self._live.parsed.first_line(group[0])
            comments = self.above(first, self._column(group[0]))
            if comments and self._is_obsolete(comments, groups[position:]):
                lines.update({comment.line: first for comment in comments})
        return lines

    def above(self, line: int, column: int) -> list[Comment]:
        """The comments directly above a line, in the given column; one that speaks to a tool ends the search."""
        comments: list[Comment] = []
        while self.is_comment(line - 1):
            comment = self._alone[line - 1]
            if comment.column != column or _DIRECTIVE.match(comment.text):
                break
            comments.append(comment)
            line -= 1
        return comments[::-1]

    def is_comment(self, line: int) -> bool:
        """Whether a line holds a comment and nothing else."""
        return line in self._alone

    def _is_obsolete(self, comments: list[Comment], groups: Sequence[Sequence[ast.stmt]]) -> bool:
        run = self._run(groups)
        going = [all(self._goes(statement) for statement in group) for group in run]
        if all(going):
            return True
        rest = run[going.index(False)][0]
        text = "\n".join(comment.text for comment in comments)
        return rest in self._live.collapsed and self._explains_the_choice(text)

    def _run(self, groups: Sequence[Sequence[ast.stmt]]) -> list[Sequence[ast.stmt]]:
        run = [groups[0]]
        for group in groups[1:]:
            if self._live.parsed.first_line(group[0]) != self._live.parsed.last_line(run[-1][-1]) + 1:
                break
            run.append(group)
        return run

    def _explains_the_choice(self, text: str) -> bool:
        """Whether a comment above a collapsed `if` speaks of the choice that is gone."""
        words = set(re.findall(r"\w+", text))
        names = {name for name in self._live.gone_names if "_" in name}
        return _BOTH_VERSIONS.search(text) is not None or bool(words & names)

    def _column(self, statement: ast.stmt) -> int:
        return self._live.parsed.start(statement) - self._live.parsed.line_start(statement.lineno)
