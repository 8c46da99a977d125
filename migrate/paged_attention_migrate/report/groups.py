"""Findings under headings: by owner, by file or by code."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from paged_attention_migrate.findings import Finding, OwnersOf
from paged_attention_migrate.report.colour import Paint
from paged_attention_migrate.report.summary import counted
from paged_attention_migrate.report.text import findings_text, printable

NO_OWNER = "no owner"


def grouped_text(
    findings: Iterable[Finding], name_of: Callable[[Finding], str], paint: Paint, encoding: str = "utf-8"
) -> str:
    """Each group's name and count, then its findings; groups by name, the one without a name last."""
    groups: dict[str, list[Finding]] = {}
    for each in findings:
        groups.setdefault(name_of(each), []).append(each)
    texts = []
    for name in sorted(groups, key=lambda name: (not name, name)):
        heading = f"{printable(name or NO_OWNER)}: {counted(len(groups[name]), 'finding')}"
        texts.append(f"{paint(heading, 'heading')}\n\n{findings_text(groups[name], paint, encoding)}")
    return "\n".join(texts)


def naming(group_by: str, owners_of: OwnersOf | None) -> Callable[[Finding], str]:
    """What the group of a finding is called; empty for one without an owner."""
    if owners_of is not None:
        return lambda finding: " ".join(owners_of(finding.path))
    return (lambda finding: finding.path) if group_by == "file" else (lambda finding: finding.code)
