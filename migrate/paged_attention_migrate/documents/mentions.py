"""Names in a document that are mentions, and those of which its examples say more."""

from __future__ import annotations

from collections.abc import Iterable

from paged_attention_migrate.files import kind_of
from paged_attention_migrate.findings import Finding


def without_told_twice(mentions: Iterable[Finding], found: Iterable[Finding]) -> list[Finding]:
    """The mentions but for those of documents whose place was found to be more."""
    more: dict[tuple[str, int], list[Finding]] = {}
    for each in found:
        more.setdefault((each.path, each.line), []).append(each)
    return [
        each
        for each in mentions
        if kind_of(each.path) != "markdown"
        or not any(_holds(other, each) for other in more.get((each.path, each.line), ()))
    ]


def _holds(finding: Finding, mention: Finding) -> bool:
    """Whether a mention on the same line is inside of what a finding is about."""
    return finding.column <= mention.column and (finding.end_line, finding.end_column) > (mention.line, mention.column)
