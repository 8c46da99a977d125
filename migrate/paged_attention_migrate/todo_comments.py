"""Comments for whoever goes on by hand: `# TODO(paged-attention-migrate): PAM401 ...` above what a finding speaks of.

Each has a line of its own above the statement, or above the line that the statement begins in the middle of.
One that is there already, whatever its text has become, is not added again.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from paged_attention_migrate.edits import Edit, apply_edits
from paged_attention_migrate.findings import Finding
from paged_attention_migrate.module import ParsedText
from paged_attention_migrate.source import Source

START = "# TODO(paged-attention-migrate): "
_THERE = re.compile(rf"[ \t\f]*{re.escape(START)}(PAM\d+)\b")
_SINCE = re.compile(r" since vLLM [\d.]+(?: \(#\d+\))?")
_BETWEEN_CLAUSES = re.compile(r"(?<=[,:]) ")
_REMARKS = ("PAM903", "PAM904")  # the comment itself is what is to go
_WIDTH = 120
_FEWEST = 40


def with_todo_comments(source: Source, findings: Iterable[Finding]) -> tuple[str, int]:
    """The text with a comment for each finding, and how many were added; raises SyntaxError as `ast.parse` does."""
    by_line: dict[int, dict[tuple[str, str], Finding]] = {}
    for finding, line in lines_above(source, findings):
        if line is not None and finding.code not in _REMARKS:
            by_line.setdefault(line, {}).setdefault((finding.code, finding.message), finding)
    edits = []
    added = 0
    for line, wanted in by_line.items():
        new = _not_there(source, line, wanted.values())
        before = _indentation(source.line(line))
        added += len(new)
        edits.append(with_lines_above(source, line, [_comment(each, before, source) for each in new]))
    return apply_edits(source.text, edits), added


def lines_above(source: Source, findings: Iterable[Finding]) -> list[tuple[Finding, int | None]]:
    """Each finding with the line that a comment on it goes above, if there is one; raises SyntaxError."""
    parsed = ParsedText(source, ast.parse(source.text))
    statements = _statements(parsed)
    return [(finding, _line_above(parsed, statements, finding)) for finding in findings]


def with_lines_above(source: Source, line: int, comments: Iterable[str]) -> Edit:
    """The edit that puts comments above a line, indented as it is."""
    start = source.line_starts[line - 1]
    before, after = _indentation(source.line(line)), _newline(source.text, start)
    return Edit(start, start, "".join(f"{before}{comment}{after}" for comment in comments))


def _statements(parsed: ParsedText) -> list[tuple[int, int, ast.AST]]:
    """Where each statement and handler begins and ends, in the order in which they begin."""
    nodes: Iterator[ast.AST] = (
        node for node in ast.walk(parsed.tree) if isinstance(node, (ast.stmt, ast.ExceptHandler))
    )
    found = [(_start(parsed, node), parsed.span(node)[1], node) for node in nodes]
    found.sort(key=lambda each: (each[0], -each[1]))
    return found


def _start(parsed: ParsedText, node: ast.AST) -> int:
    """Where a statement begins, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    start, _ = parsed.span(decorators[0] if decorators else node)
    return parsed.source.text.rfind("@", 0, start) if decorators else start


def _line_above(parsed: ParsedText, statements: list[tuple[int, int, ast.AST]], finding: Finding) -> int | None:
    """The line that a comment on a finding goes above."""
    source = parsed.source
    offset = source.line_starts[finding.line - 1] + finding.column - 1
    node = next((each for start, end, each in reversed(statements) if start <= offset < end), None)
    while node is not None:
        if isinstance(node, (ast.stmt, ast.ExceptHandler)):
            start = _start(parsed, node)
            line, column = source.position(start)
            if not source.line(line)[: column - 1].strip():
                return _first_line(source, line)
        node = _before_on_its_line(parsed, node) or parsed.parent(node)
    return None


def _before_on_its_line(parsed: ParsedText, node: ast.AST) -> ast.AST | None:
    """The statement in front of the semicolon in front of another that begins inside a line."""
    around = parsed.parent(node)
    for field in ("body", "orelse", "finalbody"):
        block = getattr(around, field, None)
        if isinstance(block, list) and node in block and block.index(node):
            before: ast.AST = block[block.index(node) - 1]
            return before
    return None


def _first_line(source: Source, line: int) -> int:
    """The first of the lines that backslashes join with one that a statement begins on."""
    while line > 1:
        above = source.line(line - 1)
        if not above.endswith("\\") or above.lstrip().startswith("#"):
            break
        line -= 1
    return line


def _not_there(source: Source, line: int, findings: Iterable[Finding]) -> list[Finding]:
    """The findings whose codes the comments above a line do not have as often."""
    there: Counter[str] = Counter()
    while line > 1 and source.line(line - 1).lstrip().startswith("#"):
        line -= 1
        match = _THERE.match(source.line(line))
        if match:
            there[match[1]] += 1
    new = []
    for finding in findings:
        if there[finding.code]:
            there[finding.code] -= 1
        else:
            new.append(finding)
    return new


def _comment(finding: Finding, before: str, source: Source) -> str:
    """The comment, as much of it as the line has room for."""
    head = f"{START}{finding.code} "
    words = _shortened(finding, max(_WIDTH - len(before.expandtabs(4)) - len(head), _FEWEST))
    # Nothing that ends the line or that the file's encoding does not have.
    plain = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in words)
    return head + plain.encode(source.encoding, "backslashreplace").decode(source.encoding)


def _shortened(finding: Finding, room: int) -> str:
    """The message; if it is too long, without the release, or the reason alone, or without what leads to the advice."""
    ways = [finding.message, _SINCE.sub("", finding.message), *finding.reasons[:1]]
    ways = [" ".join(way.split()) for way in ways]
    cut = min(ways, key=len)[: room - 3].rpartition(" ")[0] + " ..."
    clauses = _BETWEEN_CLAUSES.split(ways[-1])
    leading = (number for number, clause in enumerate(clauses) if number and clause.endswith(":"))
    ways += [" ".join([*clauses[:number], "...", *clauses[number + 1 :]]) for number in leading]
    return next((way for way in ways if len(way) <= room), cut)


def _indentation(line: str) -> str:
    match = re.match(r"[ \t\f]*", line)
    # A form feed starts the count of columns anew.
    return match[0].rpartition("\f")[2] if match else ""


def _newline(text: str, start: int) -> str:
    match = re.compile("\r\n|\r|\n").search(text, start) or re.search("\r\n|\r|\n", text)
    return match[0] if match else "\n"
