"""Annotations: workflow commands that GitHub's runner reads back as they were meant."""

from __future__ import annotations

import re

import pytest

from paged_attention_migrate.findings import Finding
from paged_attention_migrate.report.github import as_annotations, failure
from paged_attention_migrate.report.summary import Counts

CALL = Finding("a.py", 3, 5, 3, 9, "PAM102", "error", "paged_attention_v1", "safe", "it is gone")


def read_back(line: str) -> tuple[str, dict[str, str], str]:
    """What the runner makes of a line: the command, its properties, its text."""
    match = re.fullmatch(r"::(\w+) (.*?)::(.*)\n", line)
    assert match is not None
    properties = dict(each.split("=", 1) for each in match[2].split(","))
    plain = {name: plain_text(value, {"%3A": ":", "%2C": ","}) for name, value in properties.items()}
    return match[1], plain, plain_text(match[3], {})


def plain_text(text: str, more: dict[str, str]) -> str:
    for code, character in {**more, "%0D": "\r", "%0A": "\n", "%25": "%"}.items():
        text = text.replace(code, character)
    return text


def annotation(finding: Finding, prefix: str = "") -> tuple[str, dict[str, str], str]:
    return read_back(as_annotations(Counts((finding,)), prefix, {"PAM102": "call"}))


def test_a_finding() -> None:
    told = as_annotations(Counts((CALL,)), "", {"PAM102": "call"})
    assert told == (
        "::error title=PAM102 call,file=a.py,line=3,endLine=3,col=5,endColumn=9"
        "::a.py:3:5: PAM102 it is gone%0Arewrite makes this edit\n"
    )


@pytest.mark.parametrize(("severity", "command"), [("error", "error"), ("warning", "warning"), ("info", "notice")])
def test_severities(severity: str, command: str) -> None:
    assert annotation(CALL._replace(severity=severity))[0] == command


def test_columns_are_left_out_where_the_lines_differ() -> None:
    _, properties, _ = annotation(CALL._replace(end_line=4))
    assert properties == {"title": "PAM102 call", "file": "a.py", "line": "3", "endLine": "4"}


@pytest.mark.parametrize("path", ["a,b.py", "a:b.py", "50%.py", "a%2Cb.py", "a::b.py", "a=b.py"])
def test_any_path(path: str) -> None:
    _, properties, text = annotation(CALL._replace(path=path), "sub/")
    assert properties["file"] == f"sub/{path}"
    assert text.startswith(f"sub/{path}:3:5: PAM102")


def test_any_text_stays_on_one_line() -> None:
    finding = CALL._replace(message="100 %0A\r\nsure::", reasons=("why\nnot", "sure"), fix=None)
    told = as_annotations(Counts((finding,)), "", {})
    assert told.count("\n") == 1
    assert read_back(told)[2] == "a.py:3:5: PAM102 100 %0A\r\nsure::\nwhy\nnot\nby hand: explain PAM102 says more"


def test_what_is_done_is_not_annotated() -> None:
    assert as_annotations(Counts((CALL._replace(fixed=True),)), "", {}) == ""


def test_a_failure() -> None:
    assert failure("a%b\nc") == "::error::a%25b%0Ac\n"
