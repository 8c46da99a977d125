"""Every case in cases/ is an input with its right answer; cases/README.md says how one is written."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from paged_attention_migrate import project
from paged_attention_migrate.findings import Finding
from paged_attention_migrate.imports import without_noqa
from paged_attention_migrate.settings import Settings

ROOT = Path(__file__).parent / "cases"
SINGLE = sorted(ROOT.glob("*.py"))
FOLDERS = sorted(path for path in ROOT.iterdir() if path.is_dir())
_SECTION = re.compile(r"^# (output|findings)(?: (--.*))?\n", re.MULTILINE)
TODO = b"# TODO(paged-attention-migrate): "
_NOTED = re.compile(r"removed with its statement: comment `(.*)`\Z", re.DOTALL)


class Case(NamedTuple):
    """One input with one set of flags, and what must come of it."""

    name: str
    flags: str
    before: dict[str, bytes]
    after: dict[str, bytes]
    findings: list[str]

    @property
    def options(self) -> project.Options:
        version = re.search(r"--from-version (\S+)", self.flags)
        return project.Options(
            settings=Settings(from_version=version[1] if version else None),
            unsafe="--unsafe" in self.flags,
            simplify="--no-simplify" not in self.flags,
            force_callers="--force-callers" in self.flags,
            add_todo="--add-todo" in self.flags,
        )


def single(path: Path) -> Iterator[Case]:
    """The cases of one file: one for every set of flags that an answer is given for."""
    before, *sections = _SECTION.split(path.read_text(encoding="utf-8"))
    answers: dict[str, dict[str, str]] = {}
    for kind, flags, body in zip(sections[0::3], sections[1::3], sections[2::3], strict=True):
        answers.setdefault(flags or "", {})[kind] = body
    usual = answers.setdefault("", {})
    for flags, answer in sorted(answers.items()):
        findings = answer.get("findings", usual.get("findings", ""))
        yield Case(
            f"{path.stem} {flags}".strip(),
            flags,
            {"case.py": f"{before.rstrip()}\n".encode()},
            {"case.py": f"{answer.get('output', before).rstrip()}\n".encode()},
            [f"case.py:{line.removeprefix('# ')}" for line in findings.splitlines()],
        )


def folder(path: Path) -> Case:
    """The case of a folder: before/, what changes in after/, findings and flags as files."""
    before = tree(path / "before")
    given = {name: path / name for name in ("findings", "flags")}
    said = {name: file.read_text(encoding="utf-8").strip() if file.exists() else "" for name, file in given.items()}
    after = before | tree(path / "after")
    return Case(path.name, said["flags"], before, after, said["findings"].splitlines())


def tree(root: Path) -> dict[str, bytes]:
    files = sorted(path for path in root.rglob("*") if path.is_file()) if root.exists() else []
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def parametrized(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in cases])


OF_FILES = [case for path in SINGLE for case in single(path)]
CASES = [*OF_FILES, *(folder(path) for path in FOLDERS)]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rewrite(case: Case, files: dict[str, bytes], here: Path) -> tuple[dict[str, bytes], project.Result]:
    """The files as a rewrite leaves them, and its result."""
    for name, data in files.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_bytes(data)
    result = project.rewrite(case.options)
    return files | {change.path: change.after for change in result.changes}, result


@parametrized(CASES)
def test_case(case: Case, here: Path) -> None:
    written, result = rewrite(case, case.before, here)
    assert {name: data.decode("utf-8", "replace") for name, data in written.items()} == {
        name: data.decode("utf-8", "replace") for name, data in case.after.items()
    }
    assert written == case.after
    found = [
        f"{each.path}:{each.line}:{each.column} {each.code}{f' {each.fix}' if each.fix else ''}"
        for each in result.findings
        if each.severity != "info"
    ]
    assert found == sorted(case.findings, key=place)


def place(finding: str) -> tuple[str, int, int, str]:
    path, line, rest = finding.split(":")
    column, code = rest.split(" ", 1)
    return path, int(line), int(column), code


@parametrized(CASES)
def test_a_second_run_changes_nothing(case: Case, here: Path) -> None:
    written, result = rewrite(case, case.after, here)
    assert written == case.after
    assert [each for each in result.findings if each.fix == "safe" and each.code == "PAM102"] == []


@parametrized(CASES)
def test_what_is_written_parses_and_keeps_its_comments(case: Case, here: Path) -> None:
    _, result = rewrite(case, case.before, here)
    for change in result.changes:
        ast.parse(change.after)
        noted = Counter(match[1] for note in change.notes if (match := _NOTED.match(note)))
        lost = comments(change.before) - comments(change.after) - noted
        assert {rest for comment in lost if (rest := without_noqa(comment))} <= comments(
            change.after
        ).keys() - lost.keys()


@parametrized(CASES)
def test_todo_comments_are_all_that_they_change(case: Case, here: Path) -> None:
    plain, usual = rewrite(case, case.before, here)
    commented = case._replace(flags=f"{case.flags} --add-todo")
    written, result = rewrite(commented, case.before, here)
    left = {(each.path, each.code) for each in usual.once_written().findings if concerns(each)}
    found = set()
    for name, data in written.items():
        kept = [line for line in data.splitlines(keepends=True) if not line.lstrip(b" \t").startswith(TODO)]
        assert b"".join(kept) == (plain[name] if "--add-todo" not in case.flags else b"".join(kept))
        found |= {(name, match[1].decode()) for match in re.finditer(re.escape(TODO) + rb"(PAM\d+) ", data)}
        assert all(len(line.rstrip()) <= 120 for line in data.splitlines() if TODO in line)
    assert {code for code in left if not code[1].startswith("PAM901")} <= found
    again, second = rewrite(commented, written, here)
    assert again == written
    places = {each[:6] for each in result.once_written().findings}
    assert {each[:6] for each in second.findings if concerns(each)} <= places


def concerns(finding: Finding) -> bool:
    return finding.severity != "info" and not finding.fixed and finding.path.endswith(".py")


def comments(data: bytes) -> Counter[str]:
    tokens = tokenize.tokenize(io.BytesIO(data).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


@parametrized(OF_FILES)
@pytest.mark.parametrize("newline", [b"\r\n", b"\r"], ids=["CRLF", "CR"])
def test_newlines_survive(case: Case, here: Path, newline: bytes) -> None:
    before = case.before["case.py"].replace(b"\n", newline)
    written, _ = rewrite(case, {"case.py": before}, here)
    assert b"\n" not in written["case.py"].replace(newline, b"")
    if newline == b"\r\n":
        assert written["case.py"] == case.after["case.py"].replace(b"\n", newline)


def test_inputs_that_must_not_change_outnumber_the_others() -> None:
    usual = [case for case in CASES if not case.flags]
    unchanged = [case for case in usual if case.before == case.after]
    assert 2 * len(unchanged) > len(usual)
