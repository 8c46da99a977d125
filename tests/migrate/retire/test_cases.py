"""Whole trees: what must be deleted, what edited, and all the rest as it was.

A case is a list of files. A line begins with two spaces, with "- " if it goes and with "+ " if it comes;
`=== deleted PATH` is a file that goes whole.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from paged_attention_migrate.settings import Settings

pytest.importorskip("tree_sitter_cuda", reason="the extra `native` is not installed")

from paged_attention_migrate.retire.plan import Plan, plan

Build = Callable[[dict[str, str]], Path]
CASES = sorted((Path(__file__).parent / "cases").glob("*.txt"))


def files_of(case: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The files before and after."""
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    for part in re.split(r"^=== ", case.read_text(), flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        deleted, name = head.startswith("deleted "), head.removeprefix("deleted ")
        lines = body.splitlines(keepends=True)
        before[name] = "".join(line[2:] or "\n" for line in lines if not line.startswith("+"))
        if not deleted:
            after[name] = "".join(line[2:] or "\n" for line in lines if not line.startswith("-"))
    return before, after


def applied(root: Path, made: Plan) -> dict[str, str]:
    """The tree as it is once the plan is written."""
    for change in made.changes:
        if change.deleted:
            (root / change.path).unlink()
        else:
            (root / change.path).write_bytes(change.after)
    files = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes().decode() for path in files}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_tree_comes_out_as_written_down(case: Path, build: Build) -> None:
    before, after = files_of(case)
    root = build(before)
    made = plan(".", Settings())
    assert made.blockers == ()
    now = applied(root, made)
    assert sorted(now) == sorted(after)
    for name, text in after.items():
        assert now[name] == text, name


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_newlines_of_another_kind_stay(case: Path, build: Build) -> None:
    before, after = files_of(case)
    root = build({name: text.replace("\n", "\r\n") for name, text in before.items()})
    now = applied(root, plan(".", Settings()))
    assert now == {name: text.replace("\n", "\r\n") for name, text in after.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_what_comes_out_parses_and_a_second_run_finds_nothing(case: Path, build: Build) -> None:
    root = build(files_of(case)[0])
    for name, text in applied(root, plan(".", Settings())).items():
        if name.endswith(".py"):
            ast.parse(text)
    assert plan(".", Settings()).changes == ()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_every_change_is_explained(case: Path, build: Build) -> None:
    build(files_of(case)[0])
    made = plan(".", Settings())
    assert {change.path for change in made.changes} == {path for path in made.reasons if made.reasons[path]}
