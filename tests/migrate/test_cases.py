"""Every file in cases/ is an input with its right answer.

A first line `# flags: --unsafe` or `--no-simplify` sets the run. What stands after a line `# output` is the expected
text, and without one the input must not change. Lines after `# findings` are `# line:column code [safe|unsafe]` of all
findings above info level, and without them there must be none.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from paged_attention_migrate import project

CASES = sorted((Path(__file__).parent / "cases").glob("*.py"))


class Case(NamedTuple):
    options: project.Options
    before: str
    after: str
    findings: list[str]


def read(path: Path) -> Case:
    text = path.read_text(encoding="utf-8")
    flags = ""
    if text.startswith("# flags:"):
        first, _, text = text.partition("\n")
        flags = first.removeprefix("# flags:")
    text, _, findings = text.partition("\n# findings\n")
    before, marker, after = text.partition("\n# output\n")
    before, after = f"{before.rstrip()}\n", f"{after.rstrip()}\n"
    options = project.Options(("case.py",), unsafe="--unsafe" in flags, simplify="--no-simplify" not in flags)
    return Case(options, before, after if marker else before, [line[2:] for line in findings.splitlines()])


def comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path, here: Path) -> None:
    case = read(path)
    (here / "case.py").write_bytes(case.before.encode())
    result = project.rewrite(case.options)
    written = result.changes[0].after.decode() if result.changes else case.before
    assert written == case.after
    found = [
        f"{each.line}:{each.column} {each.code}{f' {each.fix}' if each.fix else ''}"
        for each in result.findings
        if each.severity != "info"
    ]
    assert found == case.findings
    ast.parse(written)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_second_run_changes_nothing(path: Path, here: Path) -> None:
    case = read(path)
    (here / "case.py").write_bytes(case.after.encode())
    assert project.rewrite(case.options).changes == ()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
@pytest.mark.parametrize("newline", ["\r\n", "\r"], ids=["CRLF", "CR"])
def test_newlines_survive(path: Path, here: Path, newline: str) -> None:
    case = read(path)
    (here / "case.py").write_bytes(case.before.replace("\n", newline).encode())
    result = project.rewrite(case.options)
    written = result.changes[0].after if result.changes else case.before.replace("\n", newline).encode()
    assert b"\n" not in written.replace(newline.encode(), b"")
    if newline == "\r\n":
        assert written == case.after.replace("\n", newline).encode()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_comments_survive(path: Path) -> None:
    case = read(path)
    assert comments(case.after) >= comments(case.before), "a removed statement with a comment needs its own test"


def test_inputs_that_must_not_change_outnumber_the_others() -> None:
    unchanged = [path for path in CASES if read(path).before == read(path).after]
    assert 2 * len(unchanged) >= len(CASES)
