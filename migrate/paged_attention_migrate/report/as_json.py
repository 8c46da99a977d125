"""A run as one JSON object, schema 1: what other programs read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from paged_attention_migrate import __version__
from paged_attention_migrate.findings import Finding, Occurrence, OwnersOf
from paged_attention_migrate.report.summary import Counts

if TYPE_CHECKING:
    from paged_attention_migrate.project import Result

SCHEMA = 1


def as_json(result: Result, counts: Counts, owners_of: OwnersOf | None = None) -> str:
    """The whole object, one finding a line, ASCII only; with the owners of each finding's file where they are known."""
    parts = [
        f'"schema": {SCHEMA}',
        '"tool": "paged-attention-migrate"',
        f'"version": {json.dumps(__version__)}',
        f'"findings": {_list([_finding(each, owners_of) for each in counts.findings])}',
        f'"summary": {json.dumps(_summary(result, counts))}',
        f'"notices": {_list(list(result.notices))}',
    ]
    if result.occurrences:
        parts.append(f'"left_alone": {_list([_occurrence(each) for each in result.occurrences])}')
    if result.tolerated is not None:
        gone = [{**key._asdict(), "count": count} for key, count in result.tolerated.gone]
        parts.append(f'"baseline": {json.dumps({"tolerated": len(result.tolerated.known), "gone": gone})}')
    return "{" + ",\n ".join(parts) + "}\n"


def _list(items: list[object]) -> str:
    return "[" + ",".join(f"\n  {json.dumps(item)}" for item in items) + ("\n ]" if items else "]")


def _finding(finding: Finding, owners_of: OwnersOf | None) -> object:
    told: dict[str, object] = {
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "code": finding.code,
        "severity": finding.severity,
        "name": finding.name,
        "fix": finding.fix,
        "message": finding.message,
        "reasons": list(finding.reasons),
        "fixed": finding.fixed,
    }
    if owners_of is not None:
        told["owners"] = list(owners_of(finding.path))
    if finding.calls is not None:
        told["calls"] = finding.calls
    return told


def _occurrence(occurrence: Occurrence) -> object:
    return occurrence._asdict()


def _summary(result: Result, counts: Counts) -> dict[str, object]:
    return {
        "files_scanned": result.files_scanned,
        "files_with_findings": len({each.path for each in counts.findings}),
        "findings": len(counts.findings),
        "fixable_safe": len(counts.safe),
        "fixable_unsafe": len(counts.unsafe),
        "manual": len(counts.manual),
        "info": len(counts.info),
        "fixed": len(counts.fixed),
        "files_rewritten": len(result.changes),
        "todo_comments": sum(each.todo_comments for each in result.changes),
        "failed": result.failed,
    }
