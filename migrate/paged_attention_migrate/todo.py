"""Comments that mark what is left for a person: `rewrite --add-todo`."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable

from paged_attention_migrate.findings import INFO, Finding

_MARK = "# TODO(paged-attention-migrate):"
_WIDTH = 120


def with_todos(text: str, findings: Iterable[Finding]) -> str:
    """The text with a comment above the statement of each finding; one that is there already is not added again.

    Gives the text back unchanged where comments would not be all that changes.
    """
    lines = text.splitlines(keepends=True)
    starts = _logical_starts(text)
    wanted: dict[int, dict[str, None]] = {}
    for finding in findings:
        if finding.fixed or finding.severity == INFO or finding.line not in starts:
            continue
        start = starts[finding.line]
        if not _is_marked(lines, start, finding.code):
            indentation = lines[start - 1][: len(lines[start - 1]) - len(lines[start - 1].lstrip(" \t\f"))]
            wanted.setdefault(start, {})[_comment(indentation, finding)] = None
    if not wanted:
        return text
    newline = _newline(lines)
    for start in sorted(wanted, reverse=True):
        lines[start - 1 : start - 1] = [f"{comment}{newline}" for comment in wanted[start]]
    result = "".join(lines)
    try:
        same = ast.dump(ast.parse(result)) == ast.dump(ast.parse(text))
    except (SyntaxError, ValueError):
        same = False
    return result if same else text


def _logical_starts(text: str) -> dict[int, int]:
    """For each line of a statement the line above which a comment may go: its first, or that of its decorators."""
    starts: dict[int, int] = {}
    first: int | None = None
    decorated: int | None = None
    is_decorator = False
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT, tokenize.ENDMARKER):
                continue
            if first is None:
                first, is_decorator = token.start[0], token.string == "@"
                if is_decorator and decorated is None:
                    decorated = first
            if token.type == tokenize.NEWLINE:
                for line in range(first, token.end[0] + 1):
                    starts.setdefault(line, decorated or first)
                first = None
                decorated = decorated if is_decorator else None
    except (tokenize.TokenError, IndentationError):
        return {}
    return starts


def _is_marked(lines: list[str], start: int, code: str) -> bool:
    """Whether the comments directly above a line speak of this code already."""
    above = start - 1
    while above > 0 and lines[above - 1].lstrip().startswith("#"):
        if lines[above - 1].lstrip().startswith(f"{_MARK} {code} "):
            return True
        above -= 1
    return False


def _comment(indentation: str, finding: Finding) -> str:
    # "X is gone since vLLM Y (#Z): why it is left" says too much for a line.
    message = finding.message.partition("): ")[2] or finding.message
    comment = f"{indentation}{_MARK} {finding.code} {' '.join(message.split())}"
    return comment if len(comment) <= _WIDTH else f"{comment[: _WIDTH - 3].rstrip()}..."


def _newline(lines: list[str]) -> str:
    ending = lines[0][len(lines[0].rstrip("\r\n")) :] if lines else ""
    return ending or "\n"
