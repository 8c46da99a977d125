"""The JSON object, schema 1."""

from __future__ import annotations

import json
from typing import Any

from paged_attention_migrate import __version__
from paged_attention_migrate.findings import Finding, Occurrence
from paged_attention_migrate.project import FileChange, Result
from paged_attention_migrate.report.as_json import as_json
from paged_attention_migrate.report.summary import Counts

FINDINGS = (
    Finding("a.py", 1, 2, 3, 4, "PAM102", "error", "paged_attention_v1", "safe", "gone: é", ("why",), "\tx", True),
    Finding("a.py", 5, 1, 5, 9, "PAM102", "error", "paged_attention_v2", "unsafe", "gone"),
    Finding("b\udcff.py", 5, 1, 5, 9, "PAM405", "warning", "paged_attention_v2", None, "gone"),
    Finding("c.py", 5, 1, 5, 9, "PAM105", "error", "paged_attention_v2", "safe", "gone"),
    Finding("d.md", 5, 1, 5, 9, "PAM305", "info", "paged_attention_v2", None, "gone"),
)


def _object(run: Result) -> Any:
    text = as_json(run, Counts(run.findings))
    assert text.isascii()
    assert text.endswith("}\n")
    return json.loads(text)


def test_every_key_of_the_schema() -> None:
    told = _object(Result(FINDINGS))
    assert (told["schema"], told["tool"], told["version"]) == (1, "paged-attention-migrate", __version__)
    assert told["findings"][0] == {
        "path": "a.py",
        "line": 1,
        "column": 2,
        "end_line": 3,
        "end_column": 4,
        "code": "PAM102",
        "severity": "error",
        "name": "paged_attention_v1",
        "fix": "safe",
        "message": "gone: é",
        "reasons": ["why"],
        "fixed": True,
    }
    assert told["findings"][2]["fix"] is None
    assert told["findings"][2]["path"] == "b\udcff.py"


def test_the_summary_adds_up() -> None:
    summary = _object(Result(FINDINGS, (FileChange("a.py", b"", b"x", todo_comments=2),), 12))["summary"]
    assert summary == {
        "files_scanned": 12,
        "files_with_findings": 4,
        "findings": 5,
        "fixable_safe": 1,
        "fixable_unsafe": 1,
        "manual": 1,
        "info": 1,
        "fixed": 1,
        "files_rewritten": 1,
        "todo_comments": 2,
        "failed": False,
    }


def test_a_clean_run() -> None:
    told = _object(Result(()))
    assert told["findings"] == []
    assert told["notices"] == []
    assert "left_alone" not in told
    assert told["summary"]["findings"] == 0


def test_notices_and_what_was_left_alone() -> None:
    told = _object(
        Result((), notices=("nowhere: no such file",), failed=True, occurrences=(Occurrence("a.py", 1, 2, "x", "why"),))
    )
    assert told["notices"] == ["nowhere: no such file"]
    assert told["summary"]["failed"] is True
    assert told["left_alone"] == [{"path": "a.py", "line": 1, "column": 2, "text": "x", "reason": "why"}]
