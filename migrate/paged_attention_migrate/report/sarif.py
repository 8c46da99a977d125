"""A run as one log in SARIF 2.1.0, the format of code scanning services, with the rules' help and with fixes."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING
from urllib.parse import quote

from paged_attention_migrate import __version__
from paged_attention_migrate.explain import Rule, rules
from paged_attention_migrate.findings import INFO, SAFE, Finding, OwnersOf
from paged_attention_migrate.fingerprints import fingerprints
from paged_attention_migrate.report.patch import from_top_of_work_tree
from paged_attention_migrate.report.summary import Counts

if TYPE_CHECKING:
    from paged_attention_migrate.project import Result

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE = "SRCROOT"
_LEVELS = {INFO: "note"}
_FINGERPRINT = "pagedAttentionMigrate/v1"


def as_sarif(result: Result, counts: Counts, prefix: str = "", owners_of: OwnersOf | None = None) -> str:
    """The log, ASCII only; `prefix` leads from the top of the work tree, which the paths are relative to, to here."""
    return log([run_of(result, counts, prefix, owners_of)])


def log(runs: list[dict[str, object]]) -> str:
    """A log of several runs, ASCII only."""
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": runs}, indent=1) + "\n"


def run_of(result: Result, counts: Counts, prefix: str = "", owners_of: OwnersOf | None = None) -> dict[str, object]:
    """One run of a log, with the owners of each finding's file where they are known."""
    known = rules()
    numbers = {code: number for number, code in enumerate(known)}
    return {
        "tool": {
            "driver": {
                "name": "paged-attention-migrate",
                "version": __version__,
                "rules": [_rule(each) for each in known.values()],
            }
        },
        "invocations": [{"executionSuccessful": not result.failed, "toolExecutionNotifications": _notices(result)}],
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "originalUriBaseIds": {_BASE: {"description": {"text": "The top of the work tree."}}},
        "results": [
            _result(finding, prefix, numbers, fingerprint, owners_of)
            for finding, fingerprint in zip(counts.left, fingerprints(counts.left), strict=True)
        ],
    }


def _rule(rule: Rule) -> object:
    return {
        "id": rule.code,
        "name": rule.slug,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.text.partition("\n\n")[0] or rule.title},
        "help": {"text": rule.text or rule.title, "markdown": rule.text or rule.title},
        "properties": {"tags": ["migration"]},
    }


def _notices(result: Result) -> list[object]:
    level = "error" if result.failed else "note"
    return [{"level": level, "message": {"text": notice}} for notice in result.notices]


def _result(
    finding: Finding, prefix: str, numbers: dict[str, int], fingerprint: str, owners_of: OwnersOf | None
) -> object:
    place = _place(finding.path, prefix)
    region = _region(finding.line, finding.column, finding.end_line, finding.end_column)
    if finding.source_line:
        region["snippet"] = {"text": finding.source_line}
    reasons = [each for each in finding.reasons if each not in finding.message]
    properties: dict[str, object] = {"name": finding.name, "fix": finding.fix or "manual"}
    if owners_of is not None:
        properties["owners"] = list(owners_of(finding.path))
    if finding.calls is not None:
        properties["calls"] = finding.calls
    found: dict[str, object] = {
        "ruleId": finding.code,
        "level": _LEVELS.get(finding.severity, finding.severity),
        "message": {"text": "\n".join([finding.message, *reasons])},
        "locations": [{"physicalLocation": {"artifactLocation": place, "region": region}}],
        "partialFingerprints": {_FINGERPRINT: fingerprint},
        "properties": properties,
    }
    if finding.code in numbers:
        found["ruleIndex"] = numbers[finding.code]
    if finding.replacements:
        found["fixes"] = [_fix(finding, place)]
    return found


def _fix(finding: Finding, place: dict[str, str]) -> object:
    how = "is proved to mean the same" if finding.fix == SAFE else "needs a reader"
    edits = [
        {
            "deletedRegion": _region(each.line, each.column, each.end_line, each.end_column),
            "insertedContent": {"text": each.text},
        }
        for each in finding.replacements
    ]
    return {
        "description": {"text": f"The edit of `paged-attention-migrate rewrite`, which {how}."},
        "artifactChanges": [{"artifactLocation": place, "replacements": edits}],
    }


def _region(line: int, column: int, end_line: int, end_column: int) -> dict[str, object]:
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _place(path: str, prefix: str) -> dict[str, str]:
    whole = from_top_of_work_tree(prefix, path)
    if os.path.isabs(whole):
        return {"uri": "file://" + quote(os.fsencode(whole))}
    return {"uri": quote(os.fsencode(whole)), "uriBaseId": _BASE}
