"""The last rewrite, taken back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from paged_attention_migrate import undo
from paged_attention_migrate.replacing import Refused, replace_all

NAMES = ("a.py", "b.py", "c.py")
CHANGES = [(name, b"old " + name.encode(), b"new " + name.encode()) for name in NAMES]
FOLDER = ".git/paged-attention-migrate"


@pytest.fixture(autouse=True)  # no test runs git in the checkout
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the files of before the rewrite."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name, before, _ in CHANGES:
        (folder / name).write_bytes(before)
    return folder


def contents(here: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(here.iterdir()) if path.is_file()}


def old() -> dict[str, bytes]:
    return {name: before for name, before, _ in CHANGES}


def new() -> dict[str, bytes]:
    return {name: after for name, _, after in CHANGES}


def git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], check=True, capture_output=True)


def rewritten() -> None:
    git("init", "-q")
    replace_all(CHANGES)
    assert undo.remember(CHANGES)


def test_undo_restores_and_forgets(here: Path) -> None:
    git("init", "-q")
    replace_all(CHANGES)
    assert undo.remember(CHANGES)
    assert undo.undo() == ["a.py", "b.py", "c.py"]
    assert contents(here) == old()
    assert undo.undo() == []
    assert not (here / FOLDER).exists()


def test_undo_refuses_a_file_that_changed_since(here: Path) -> None:
    git("init", "-q")
    replace_all(CHANGES)
    undo.remember(CHANGES)
    (here / "b.py").write_bytes(b"more work")
    with pytest.raises(Refused, match=r"b\.py was changed since the rewrite, so nothing was taken back"):
        undo.undo()
    assert (here / "a.py").read_bytes() == b"new a.py"


def test_undo_outside_git_says_why_not() -> None:
    assert not undo.remember(CHANGES)
    with pytest.raises(Refused, match="there is no git repository here"):
        undo.undo()


def test_undo_from_a_directory_below(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "-q")
    replace_all(CHANGES)
    undo.remember(CHANGES)
    (here / "below").mkdir()
    monkeypatch.chdir(here / "below")
    assert len(undo.undo()) == 3
    assert contents(here) == old()


def test_undo_of_bytes_and_names_that_are_no_text(here: Path) -> None:
    git("init", "-q")
    name = os.fsdecode(b"caf\xe9 \xf0\x9f\x90\x8d.py")
    changes = [(name, bytes(range(256)), b"")]
    (here / name).write_bytes(bytes(range(256)))
    replace_all(changes)
    undo.remember(changes)
    assert undo.undo() == [name]
    assert (here / name).read_bytes() == bytes(range(256))


def test_only_the_last_rewrite_is_taken_back(here: Path) -> None:
    rewritten()
    second = [("a.py", b"new a.py", b"newer")]
    replace_all(second)
    undo.remember(second)
    assert undo.undo() == ["a.py"]
    assert contents(here) == new()
    assert undo.undo() == []


def test_a_file_that_is_gone_is_named(here: Path) -> None:
    rewritten()
    (here / "b.py").unlink()
    with pytest.raises(Refused, match=r"^b\.py is gone since the rewrite, so nothing was taken back$") as caught:
        undo.undo()
    assert caught.value.path == "b.py"
    assert (here / "a.py").read_bytes() == b"new a.py"
    (here / "b.py").mkdir()
    with pytest.raises(Refused, match=r"^b\.py cannot be read \(Is a directory\), so nothing was taken back$"):
        undo.undo()


def test_a_file_that_became_read_only_is_named(here: Path) -> None:
    rewritten()
    (here / "c.py").chmod(0o444)
    with pytest.raises(Refused, match=r"^c\.py is read-only, so nothing was taken back$"):
        undo.undo()
    assert contents(here) == new()
    (here / "c.py").chmod(0o644)
    assert undo.undo() == list(NAMES)


def test_a_crash_while_undo_writes_leaves_the_rewrite_and_its_record(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewritten()
    replace = os.replace
    replaced = []

    def crashing(source: str, target: str) -> None:
        replaced.append(target)
        if len(replaced) == 2:
            raise KeyboardInterrupt
        replace(source, target)

    monkeypatch.setattr(os, "replace", crashing)
    with pytest.raises(KeyboardInterrupt):
        undo.undo()
    monkeypatch.setattr(os, "replace", replace)
    assert contents(here) == new()
    assert undo.undo() == list(NAMES)
    assert contents(here) == old()


def test_a_full_disk_keeps_no_record_and_no_older_one(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rewritten()

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(json, "dump", full)
    with pytest.raises(OSError, match="No space left"):
        undo.remember([("a.py", b"new a.py", b"newer")])
    assert not (here / FOLDER).exists()
    assert undo.undo() == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is damaged"),
        ("[]", "is damaged"),
        ('{"schema": 1, "files": [{"path": 3}]}', "is damaged"),
        ('{"schema": 1, "files": [{"path": "a.py", "before": "!", "after": ""}]}', "is damaged"),
        ("null", "is damaged"),
        ('{"schema": 1', "is damaged"),
        ('{"schema": 1}', "is damaged"),
        ('{"schema": 1, "files": null}', "is damaged"),
        ('{"schema": 1, "files": ["a.py"]}', "is damaged"),
        ('{"schema": 1, "files": [{"path": "", "before": "", "after": ""}]}', "is damaged"),
        ('{"schema": 1, "files": [{"path": "a\\u0000.py", "before": "", "after": ""}]}', "is damaged"),
        ('{"schema": 1, "files": [{"path": "a.py", "before": "", "after": 3}]}', "is damaged"),
        ('{"schema": 1, "files": [{"path": "a.py", "before": 3, "after": ""}]}', "is damaged"),
        ('{"schema": 9}', "is from another version of this program"),
    ],
)
def test_a_record_that_cannot_be_used_is_one_sentence(here: Path, text: str, message: str) -> None:
    rewritten()
    (here / FOLDER / "last-rewrite.json").write_text(text, encoding="ascii")
    with pytest.raises(Refused, match=message):
        undo.undo()
    assert contents(here) == new()


def test_a_record_that_is_no_text_is_damaged(here: Path) -> None:
    rewritten()
    (here / FOLDER / "last-rewrite.json").write_bytes(b"\xff\x00")
    with pytest.raises(Refused, match=r"^the record of the last rewrite, [^\n]* is damaged$"):
        undo.undo()
    assert contents(here) == new()


def test_undo_keeps_the_mode_and_bytes_of_every_kind(here: Path) -> None:
    before = b"\xef\xbb\xbfa\r\nb\rc\n\x0c\x00\xff"
    (here / "a.py").write_bytes(before)
    (here / "a.py").chmod(0o755)
    git("init", "-q")
    changes = [("a.py", before, b"new")]
    replace_all(changes)
    undo.remember(changes)
    assert undo.undo() == ["a.py"]
    assert (here / "a.py").read_bytes() == before
    assert (here / "a.py").stat().st_mode & 0o7777 == 0o755
    assert sorted(path.name for path in here.iterdir()) == [".git", *NAMES]


def test_a_rewrite_from_below_is_taken_back_from_anywhere(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "-q")
    for folder in ("below", "beside"):
        (here / folder).mkdir()
    (here / "below/d.py").write_bytes(b"old")
    monkeypatch.chdir(here / "below")
    changes = [("d.py", b"old", b"new"), ("../a.py", b"old a.py", b"new a.py")]
    replace_all(changes)
    undo.remember(changes)
    monkeypatch.chdir(here / "beside")
    assert [os.path.realpath(path) for path in undo.undo()] == [str(here / "below/d.py"), str(here / "a.py")]
    assert (here / "below/d.py").read_bytes() == b"old"
    assert contents(here) == old()


def test_undo_in_a_copy_leaves_the_original_alone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rewritten()
    copy = here.parent / "copy"
    shutil.copytree(here, copy)
    monkeypatch.chdir(copy)
    assert undo.undo() == list(NAMES)
    assert contents(copy) == old()
    assert contents(here) == new()


def test_each_work_tree_has_its_own_record(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    git("worktree", "add", "-q", "../other")
    monkeypatch.chdir(here.parent / "other")
    replace_all(CHANGES)
    undo.remember(CHANGES)
    monkeypatch.chdir(here)
    assert undo.undo() == []
    monkeypatch.chdir(here.parent / "other")
    assert undo.undo() == list(NAMES)
    git("diff", "--exit-code")


def test_git_does_not_see_the_record(here: Path) -> None:
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    assert undo.remember(CHANGES)
    listed = subprocess.run(["git", "status", "--porcelain"], check=True, capture_output=True)
    assert listed.stdout == b""
    assert contents(here) == old()


def test_without_git_there_is_no_undo(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rewritten()
    monkeypatch.setenv("PATH", str(here))
    assert not undo.remember(CHANGES)
    with pytest.raises(Refused, match=r"^there is no git repository here, so no record of the last rewrite was kept$"):
        undo.undo()


def test_nothing_slow_is_imported_before_it_is_needed(tmp_path: Path) -> None:
    names = {"subprocess", "json", "base64", "hashlib", "tempfile", "shutil", "tomllib", "tomli", "inspect"}
    code = (
        "import sys; before = set(sys.modules);"
        "from paged_attention_migrate import replacing, settings, undo; settings.load();"
        f"print(sorted(({{*sys.modules}} - before) & {names!r}))"
    )
    path = os.pathsep.join(sys.path)
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    assert done.stdout == "[]\n"
