"""All files or none, with what belongs to them."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from paged_attention_migrate import undo
from paged_attention_migrate.replacing import Refused, dirty, replace_all


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_bytes(b"old " + name.encode())
    return tmp_path


CHANGES = [(name, b"old " + name.encode(), b"new " + name.encode()) for name in ("a.py", "b.py", "c.py")]


def contents(here: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(here.iterdir()) if path.is_file()}


def old() -> dict[str, bytes]:
    return {name: before for name, before, _ in CHANGES}


def git(*arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"]
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


def test_every_file_is_replaced_and_keeps_its_mode(here: Path) -> None:
    (here / "a.py").chmod(0o755)
    replace_all(CHANGES)
    assert contents(here) == {name: after for name, _, after in CHANGES}
    assert stat.S_IMODE((here / "a.py").stat().st_mode) == 0o755


def test_a_file_that_changed_meanwhile_stops_everything(here: Path) -> None:
    (here / "b.py").write_bytes(b"somebody was here")
    before = contents(here)
    with pytest.raises(Refused, match=r"b\.py was changed by another program"):
        replace_all(CHANGES)
    assert contents(here) == before


def test_a_link_is_never_replaced_by_a_file(here: Path) -> None:
    (here / "b.py").unlink()
    (here / "b.py").symlink_to("c.py")
    with pytest.raises(Refused, match=r"b\.py is a link"):
        replace_all(CHANGES)
    assert (here / "b.py").is_symlink()
    assert (here / "a.py").read_bytes() == b"old a.py"


def test_a_file_with_another_hard_link_is_refused(here: Path) -> None:
    os.link(here / "b.py", here / "same.py")
    with pytest.raises(Refused, match=r"b\.py has other hard links"):
        replace_all(CHANGES)
    assert (here / "a.py").read_bytes() == b"old a.py"


def test_a_read_only_file_is_refused(here: Path) -> None:
    (here / "c.py").chmod(0o444)
    with pytest.raises(Refused, match=r"c\.py is read-only"):
        replace_all(CHANGES)
    assert contents(here) == old()


def test_a_full_disk_while_staging_leaves_the_old_files(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    write = os.write

    def full(handle: int, data: Any) -> int:
        written.append(handle)
        if len(written) > 1:
            raise OSError(28, "No space left on device")
        return write(handle, data)

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(Refused, match=r"b\.py cannot be written \(No space left on device\)"):
        replace_all(CHANGES)
    monkeypatch.undo()
    assert contents(here) == old()


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), KeyboardInterrupt()])
def test_a_failure_in_the_middle_takes_back_what_was_done(
    here: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    replaced = []
    replace = os.replace

    def failing(source: str, target: str) -> None:
        replaced.append(target)
        if len(replaced) == 2:
            raise error
        replace(source, target)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises((Refused, KeyboardInterrupt)):
        replace_all(CHANGES)
    monkeypatch.undo()
    assert contents(here) == old()


def test_dirty_names_what_git_does_not_have(here: Path) -> None:
    assert dirty(["a.py"]) == []
    git("init", "-q")
    git("add", "a.py", "b.py")
    git("commit", "-qm", "one")
    (here / "b.py").write_bytes(b"changed")
    assert dirty(["a.py", "b.py", "c.py"]) == ["b.py", "c.py"]
    git("add", "b.py")
    assert dirty(["a.py", "b.py"]) == ["b.py"]


def test_undo_restores_and_forgets(here: Path) -> None:
    git("init", "-q")
    replace_all(CHANGES)
    assert undo.remember(CHANGES)
    assert undo.undo() == ["a.py", "b.py", "c.py"]
    assert contents(here) == old()
    assert undo.undo() == []
    assert not (here / ".git/paged-attention-migrate").exists()


def test_undo_refuses_a_file_that_changed_since(here: Path) -> None:
    git("init", "-q")
    replace_all(CHANGES)
    undo.remember(CHANGES)
    (here / "b.py").write_bytes(b"more work")
    with pytest.raises(Refused, match=r"b\.py was changed since the rewrite, so nothing was taken back"):
        undo.undo()
    assert (here / "a.py").read_bytes() == b"new a.py"


@pytest.mark.usefixtures("here")
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
