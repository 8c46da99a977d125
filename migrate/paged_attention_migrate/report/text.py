"""Findings as a person reads them: the place, the message, the source line with a caret, the reasons, what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from paged_attention_migrate.findings import INFO, SAFE, UNSAFE, Finding, Occurrence, called
from paged_attention_migrate.report.colour import Paint
from paged_attention_migrate.report.snippet import snippet

if TYPE_CHECKING:
    from paged_attention_migrate.project import FileChange


def findings_text(findings: Iterable[Finding], paint: Paint, encoding: str = "utf-8") -> str:
    """All findings that are left, with a blank line between them."""
    return "\n".join(_finding(each, paint, encoding) for each in findings)


def rewritten_text(findings: Iterable[Finding], changes: Iterable[FileChange], paint: Paint) -> str:
    """What a rewrite did, file by file: one line for each place, one for whatever else the change took along."""
    lines: dict[str, list[str]] = {}
    for each in findings:
        line = f"{place(each, paint)} {paint('rewritten:', 'done')} {printable(each.message)}"
        lines.setdefault(each.path, []).append(line)
    for change in changes:
        where = paint(printable(change.path), "path")
        lines.setdefault(change.path, []).extend(f"{where}: {printable(note)}" for note in change.notes)
    return "".join(f"{line}\n" for inside in lines.values() for line in inside)


def occurrences_text(occurrences: Iterable[Occurrence], paint: Paint) -> str:
    """What was left alone, and why."""
    return "".join(
        f"{paint(printable(each.path), 'path')}:{each.line}:{each.column}: "
        f"left alone: {printable(each.text)}: {printable(each.reason)}\n"
        for each in occurrences
    )


def printable(text: str) -> str:
    """The text with whatever a terminal would act on escaped."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text)


def what_to_do(finding: Finding) -> tuple[str, ...]:
    """Which command makes the edit, or where to read on."""
    if finding.fix == SAFE:
        return ("rewrite makes this edit",)
    if finding.fix == UNSAFE:
        return ("rewrite --unsafe makes this edit: read its diff",)
    return () if finding.severity == INFO else (f"by hand: explain {finding.code} says more",)


def _finding(finding: Finding, paint: Paint, encoding: str) -> str:
    lines = [f"{place(finding, paint)} {printable(finding.message)}"]
    margin = " " * (len(str(finding.line)) + 2)
    if finding.source_line.strip():
        lines += _source(finding, margin, paint, encoding)
    reasons = (each for each in finding.reasons if each not in finding.message)
    for what in (*called(finding), *reasons, *what_to_do(finding)):
        lines.append(f"{margin}{paint('=', 'gutter')} {printable(what)}")
    return "".join(f"{line}\n" for line in lines)


def place(finding: Finding, paint: Paint) -> str:
    """Where a finding is, and its code."""
    where = paint(printable(finding.path), "path")
    return f"{where}:{finding.line}:{finding.column}: {paint(finding.code, finding.severity)}"


def _source(finding: Finding, margin: str, paint: Paint, encoding: str) -> Iterator[str]:
    end = finding.end_column if finding.end_line == finding.line else len(finding.source_line) + 1
    shown = snippet(finding.source_line, finding.column - 1, end - 1, encoding)
    bar = paint("|", "gutter")
    yield f" {paint(str(finding.line), 'gutter')} {bar} {shown.text}"
    yield f"{margin}{bar} {' ' * shown.start}{paint('^' * (shown.end - shown.start), finding.severity)}"
