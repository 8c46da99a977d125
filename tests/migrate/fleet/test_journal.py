"""The journal: what was written down is known, and what a killed run tore is not."""

from __future__ import annotations

import json
from pathlib import Path

from paged_attention_migrate.baseline import Tolerated
from paged_attention_migrate.findings import Finding, Replacement
from paged_attention_migrate.fingerprints import Key
from paged_attention_migrate.fleet.journal import NAME, Journal
from paged_attention_migrate.fleet.outcomes import Outcome, failure, from_json, to_json
from paged_attention_migrate.project import FileChange, Result

EDIT = Replacement(1, 1, 1, 2, "x")
FINDING = Finding("a\udc80.py", 1, 1, 1, 2, "PAM102", "error", "n", "safe", "m", ("why",), "line", True, (EDIT,))
CHANGE = FileChange("a.py", b"\xff\r\n", b"\x00", ("note",), (FINDING,), 2)
TOLERATED = Tolerated((FINDING,), (), ((Key("p", "c", "n", "t"), 3),))
FULL = Outcome(Result((FINDING,), (CHANGE,), 7, ("said",), False, (), TOLERATED), "abc", "abc", "sub/", branch="b")


def test_an_outcome_comes_back_as_it_was() -> None:
    assert from_json(json.loads(json.dumps(to_json(FULL)))) == FULL
    assert from_json(json.loads(json.dumps(to_json(failure("no"))))) == failure("no")


def test_what_is_written_is_known_to_the_same_request_only(tmp_path: Path) -> None:
    with Journal(str(tmp_path), "one", anew=False) as journal:
        journal.add("r", FULL)
    with Journal(str(tmp_path), "one", anew=False) as journal:
        assert journal.states("r") == ("abc",)
        assert journal.outcome("r", "abc") == FULL
        assert journal.states("other") == ()
    with Journal(str(tmp_path), "two", anew=False) as journal:
        assert journal.states("r") == ()


def test_a_failure_is_tried_again(tmp_path: Path) -> None:
    with Journal(str(tmp_path), "one", anew=False) as journal:
        journal.add("r", failure("no"))
        journal.add("s", FULL._replace(result=FULL.result._replace(failed=True)))
    assert (tmp_path / NAME).read_bytes() == b""


def test_a_torn_last_line_is_cut_off_and_the_next_one_is_whole(tmp_path: Path) -> None:
    with Journal(str(tmp_path), "one", anew=False) as journal:
        journal.add("r", FULL)
    path = tmp_path / NAME
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:50])
    with Journal(str(tmp_path), "one", anew=False) as journal:
        assert journal.states("r") == ("abc",)
        journal.add("s", FULL)
    assert [json.loads(line)["repository"] for line in path.read_bytes().splitlines()] == ["r", "s"]


def test_lines_that_mean_nothing_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(b'nonsense\n[]\n{"request": "one"}\n\xff\n{"request": "one", "repository": "r", "outcome": 3}\n')
    with Journal(str(tmp_path), "one", anew=False) as journal:
        assert journal.states("r") == ()
        journal.add("r", FULL)
    with Journal(str(tmp_path), "one", anew=False) as journal:
        assert journal.outcome("r", "abc") == FULL


def test_a_damaged_outcome_is_none(tmp_path: Path) -> None:
    line = {"request": "one", "repository": "r", "outcome": {"state": "abc", "result": {}}}
    (tmp_path / NAME).write_text(json.dumps(line) + "\n")
    with Journal(str(tmp_path), "one", anew=False) as journal:
        assert journal.states("r") == ("abc",)
        assert journal.outcome("r", "abc") is None


def test_begun_anew_it_knows_nothing(tmp_path: Path) -> None:
    with Journal(str(tmp_path), "one", anew=False) as journal:
        journal.add("r", FULL)
    with Journal(str(tmp_path), "one", anew=True) as journal:
        assert journal.states("r") == ()
