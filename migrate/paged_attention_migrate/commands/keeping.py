"""Puts the remark that something is to be kept above places that nobody wants to be asked about again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from paged_attention_migrate.findings import Finding
    from paged_attention_migrate.project import FileChange, Result

REMARK = "# paged-attention: keep"


class Marked(NamedTuple):
    """A file with remarks: its new bytes, and the lines of the old text above which they stand, each once."""

    after: bytes
    lines: tuple[int, ...]

    def moved(self, line: int) -> int:
        """Where a line of the old text stands in the new one."""
        return line + sum(each <= line for each in self.lines)

    def back(self, line: int) -> int:
        """Which line of the old text a line of the new one is."""
        return line - sum(each + number < line for number, each in enumerate(self.lines))


def can_be_marked(paths: Iterable[str]) -> bool:
    """Whether all files are Python, in which a comment of its own above a statement is a remark."""
    return all(path.lower().endswith((".py", ".pyw", ".pyi")) for path in paths)


def marked(data: bytes, findings: Iterable[Finding]) -> Marked | None:
    """A file with a remark above the statement of each finding; None where there is no place for one."""
    from paged_attention_migrate.edits import apply_edits
    from paged_attention_migrate.proof import NotProved, prove_comments_only
    from paged_attention_migrate.source import Source
    from paged_attention_migrate.todo_comments import lines_above, with_lines_above

    source = Source(data)
    lines = {line for _, line in lines_above(source, findings)}
    numbers = sorted(line for line in lines if line is not None)
    if not numbers or None in lines:
        return None
    text = apply_edits(source.text, [with_lines_above(source, line, [REMARK]) for line in numbers])
    try:
        prove_comments_only(source, text, REMARK)
    except NotProved:
        return None
    return Marked(source.encode(text), tuple(numbers))


def with_remarks(result: Result, before: dict[str, bytes], remarked: dict[str, Marked]) -> tuple[FileChange, ...]:
    """The changes of a run that saw the remarks in the place of the files, as changes of the files themselves."""
    from paged_attention_migrate.project import FileChange

    changes = {each.path: each for each in result.changes}
    for path, file in remarked.items():
        found = tuple(each for each in result.findings if each.path == path)
        change = changes.get(path, FileChange(path, before[path], file.after, findings=found))
        told = tuple(_at_old_place(each, file) for each in change.findings)
        changes[path] = change._replace(before=before[path], findings=told, keep_remarks=len(file.lines))
    return tuple(changes[path] for path in sorted(changes))


def _at_old_place(finding: Finding, file: Marked) -> Finding:
    """What was rewritten is told of at its place in the text before the run."""
    if not finding.fixed:
        return finding
    return finding._replace(line=file.back(finding.line), end_line=file.back(finding.end_line))
