"""`check --merge-trace`: reports of runs set beside what reading the code finds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from paged_attention_migrate.cli import main

# As it is before a test goes to another folder.
_PATH = [os.path.abspath(each) for each in sys.path]

pytestmark = pytest.mark.usefixtures("tree")

_CODE = """\
import vllm._custom_ops as ops


def step(a):
    return ops.paged_attention_v1(*a)


def plain(function, a):
    return function(*a)
"""


def _record(path: str, line: int, function: str, **more: object) -> str:
    fixed = {"schema": 1, "tool": "paged-attention-shim", "pid": 1, "run": "a", "name": "paged_attention_v1"}
    where = {"path": path, "line": line, "function": function, "home": "vllm._custom_ops", "calls": 3}
    return json.dumps({**fixed, **where, **more}) + "\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "decode.py").write_text(_CODE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _check(report: str, *options: str) -> Result:
    Path("report.jsonl").write_text(report)
    return CliRunner().invoke(main, ["check", "--merge-trace", "report.jsonl", *options, "decode.py"])


def _found(report: str) -> list[tuple[int, str, int | None]]:
    found = json.loads(_check(report, "--output-format", "json").stdout)["findings"]
    return [(each["line"], each["code"], each.get("calls")) for each in found]


def test_a_finding_says_how_often_it_was_called() -> None:
    report = _record("/srv/decode.py", 5, "step") + _record("/srv/decode.py", 5, "step", calls=1203)
    assert _found(report) == [(5, "PAM102", 1203)]
    assert "called 1,203 times in the run" in _check(report).stdout


def test_a_call_that_reading_does_not_show_is_a_finding() -> None:
    assert _found(_record("/srv/decode.py", 9, "plain")) == [(5, "PAM102", None), (9, "PAM112", 3)]


def test_runs_are_added_up() -> None:
    report = _record("/srv/decode.py", 5, "step") + _record("/srv/decode.py", 5, "step", run="b")
    assert _found(report) == [(5, "PAM102", 6)]


def test_sarif_has_the_calls_as_a_property() -> None:
    log = json.loads(_check(_record("/srv/decode.py", 5, "step"), "--output-format", "sarif").stdout)
    assert [each["properties"]["calls"] for each in log["runs"][0]["results"]] == [3]


@pytest.mark.parametrize("remark", ["# noqa: PAM112", "# paged-attention: keep"])
def test_a_remark_holds_for_a_call_of_the_run(tree: Path, remark: str) -> None:
    (tree / "decode.py").write_text(f"def plain(function, a):\n    return function(*a)  {remark}\n")
    assert _check(_record("/srv/decode.py", 2, "plain")).exit_code == 0


def test_a_baseline_holds_what_only_the_run_shows() -> None:
    report = _record("/srv/decode.py", 9, "plain")
    Path("report.jsonl").write_text(report)
    written = CliRunner().invoke(
        main, ["baseline", "--merge-trace", "report.jsonl", "--baseline", "known.json", "decode.py"]
    )
    assert written.exit_code == 0, written.output
    assert _check(report, "--baseline", "known.json").exit_code == 0


def test_a_string_that_becomes_the_name_carries_the_calls(tree: Path) -> None:
    (tree / "decode.py").write_text(
        "import vllm._custom_ops as ops\n\n\ndef late(a, n):\n"
        '    return getattr(ops, "paged_attention_v" + str(n))(*a)\n'
    )
    report = _record("/srv/decode.py", 5, "late", name="paged_attention_v2")
    assert _found(report) == [(5, "PAM104", 3)]


def test_a_site_without_a_file_is_told_and_changes_nothing() -> None:
    result = _check(_record("/srv/other.py", 5, "step"))
    assert "1 call site of the report could not be placed: /srv/other.py:5" in result.stderr
    assert "in the run\n" not in result.stdout


def test_an_empty_report_is_of_a_run_that_called_nothing() -> None:
    assert _found("") == [(5, "PAM102", None)]


@pytest.mark.parametrize(
    "report", ["{", "[1]", '{"tool": "other"}', _record("a", 0, "f"), _record("a", 1, "f", schema=2)]
)
def test_what_is_no_report_is_told_in_one_sentence(report: str) -> None:
    result = _check(report)
    assert result.exit_code == 2
    assert "line 1 of the report report.jsonl" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_report_that_is_not_there_is_told() -> None:
    result = CliRunner().invoke(main, ["check", "--merge-trace", "none.jsonl", "decode.py"])
    assert result.exit_code == 2
    assert "the report none.jsonl cannot be read" in result.stderr
    assert not os.path.exists("none.jsonl")


def test_what_the_shim_itself_counts_is_read(tree: Path) -> None:
    counting = (
        "import sys, types\ntorch = sys.modules['torch'] = types.ModuleType('torch')\n"
        "torch.__file__ = '/none/torch/a.py'\n"
        "from paged_attention_shim import usage\nfrom paged_attention_shim.removed import REMOVED\n"
        "name = next(each for each in REMOVED if each.name == 'paged_attention_v1')\n"
        "def forwarded(): usage.count(name, name.homes[0])\n"
        "from decode import plain\nusage.tell_at_the_end()\nplain(forwarded, ())\nplain(forwarded, ())\n"
    )
    (tree / "run.py").write_text(counting)
    written = tree / "written.jsonl"
    given = {**os.environ, "PAGED_ATTENTION_REPORT": str(written), "PYTHONPATH": os.pathsep.join(_PATH)}
    (tree / "decode.py").write_text(_CODE.partition("\n")[2])
    subprocess.run([sys.executable, "run.py"], cwd=tree, env=given, check=True, capture_output=True)
    assert (8, "PAM112", 2) in _found(written.read_text())
