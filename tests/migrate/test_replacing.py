"""All files or none, with what belongs to them."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from paged_attention_migrate.replacing import GitCannotSay, Refused, dirty, replace_all


@pytest.fixture(autouse=True)  # no test runs git in the checkout
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
    subprocess.run(["git", *arguments], check=True, capture_output=True)


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


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
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


def test_what_was_there_is_put_back_on_a_disk_that_became_full(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace, write = os.replace, os.write
    replaced = []

    def failing(source: str, target: str) -> None:
        replaced.append(target)
        if len(replaced) == 3:
            monkeypatch.setattr(os, "write", full)
            raise OSError(28, "No space left on device")
        replace(source, target)

    def full(_handle: int, _data: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(Refused, match=r"^c\.py cannot be written \(No space left on device\)$"):
        replace_all(CHANGES)
    monkeypatch.setattr(os, "write", write)
    assert contents(here) == old()
    assert {(here / name).stat().st_nlink for name in old()} == {1}


def test_what_cannot_be_put_back_is_told_with_its_old_text(monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace
    replaced = []

    def failing(source: str, target: str) -> None:
        replaced.append(target)
        if len(replaced) > 1:
            raise OSError(5, "Input/output error")
        replace(source, target)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(OSError, match=r"the old text of a\.py is in ") as caught:
        replace_all(CHANGES)
    assert Path(str(caught.value).rsplit(" is in ", 1)[1]).read_bytes() == b"old a.py"


@pytest.mark.parametrize("fails", [False, True])
def test_a_file_system_without_links_is_as_good(here: Path, monkeypatch: pytest.MonkeyPatch, fails: bool) -> None:
    def no_link(*_: str) -> None:
        raise PermissionError(1, "Operation not permitted")

    replace = os.replace
    replaced = []

    def failing(source: str, target: str) -> None:
        replaced.append(target)
        if fails and len(replaced) == 2:
            raise OSError(5, "Input/output error")
        replace(source, target)

    monkeypatch.setattr(os, "link", no_link)
    monkeypatch.setattr(os, "replace", failing)
    if fails:
        with pytest.raises(Refused, match=r"b\.py cannot be written"):
            replace_all(CHANGES)
        assert contents(here) == old()
    else:
        replace_all(CHANGES)
        assert contents(here) == {name: after for name, _, after in CHANGES}


def test_a_file_that_changes_after_staging_stops_everything(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace

    def meddling(source: str, target: str) -> None:
        replace(source, target)
        (here / "c.py").write_bytes(b"somebody was here")

    monkeypatch.setattr(os, "replace", meddling)
    with pytest.raises(Refused, match=r"^c\.py was changed by another program while this one ran$"):
        replace_all(CHANGES)
    assert contents(here) == {**old(), "c.py": b"somebody was here"}


@pytest.mark.parametrize("spoil", ["link", "hard link", "read-only", "directory", "pipe", "dangling"])
def test_whatever_is_refused_leaves_nothing_behind(here: Path, spoil: str) -> None:
    last = here / "c.py"
    if spoil == "read-only":
        last.chmod(0o444)
    elif spoil == "hard link":
        os.link(last, here / "z.py")
    else:
        last.unlink()
        if spoil == "directory":
            last.mkdir()
        elif spoil == "pipe":
            os.mkfifo(last)
        else:
            last.symlink_to("b.py" if spoil == "link" else "nowhere")
    before = {path.name: path.lstat() for path in here.iterdir()}
    with pytest.raises(Refused, match=r"^c\.py [^\n]*[^\n.]$") as caught:
        replace_all(CHANGES)
    assert caught.value.path == "c.py"
    assert {path.name: (path.lstat().st_ino, path.lstat().st_mode) for path in here.iterdir()} == {
        name: (status.st_ino, status.st_mode) for name, status in before.items()
    }
    assert (here / "a.py").read_bytes() == b"old a.py"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o4755, 0o2644])
def test_every_bit_of_the_mode_is_kept_whatever_the_mask(here: Path, mode: int) -> None:
    (here / "a.py").chmod(mode)
    mask = os.umask(0o077)
    try:
        replace_all(CHANGES)
    finally:
        os.umask(mask)
    assert stat.S_IMODE((here / "a.py").stat().st_mode) == mode


@pytest.mark.parametrize(
    ("function", "call"), [("write", 1), ("write", 2), ("fsync", 3), ("replace", 1), ("replace", 2), ("replace", 3)]
)
def test_a_killed_process_leaves_each_file_whole(here: Path, function: str, call: int) -> None:
    code = (
        "import os, signal\n"
        "from paged_attention_migrate.replacing import replace_all\n"
        f"real, calls = os.{function}, []\n"
        "def deadly(*given):\n"
        "    calls.append(given)\n"
        f"    if len(calls) == {call}:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return real(*given)\n"
        f"os.{function} = deadly\n"
        f"replace_all({CHANGES!r})\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=here, env=environment)
    assert done.returncode == -signal.SIGKILL
    replaced = call - 1 if function == "replace" else 0
    for number, (name, before, after) in enumerate(CHANGES):
        assert (here / name).read_bytes() == (after if number < replaced else before)
    others = {path.name for path in here.iterdir()} - old().keys()
    assert all(name.startswith(".") and name.endswith(".paged-attention-migrate") for name in others)
    replace_all(CHANGES[replaced:])
    for name, _, after in CHANGES:
        assert (here / name).read_bytes() == after
        assert (here / name).stat().st_nlink == 1
    held = {path.read_bytes() for path in here.iterdir() if path.name in others}
    assert held >= {before for _, before, _ in CHANGES[:replaced]}, "the old text of what was replaced is nowhere else"


NEIGHBOUR = ".a.py.abcd_123.paged-attention-migrate"


def test_the_second_name_that_a_killed_run_gave_a_file_goes(here: Path) -> None:
    (here / "a.py").chmod(0o640)
    os.link(here / "a.py", here / NEIGHBOUR)
    os.link(here / "a.py", here / NEIGHBOUR.replace("123", "456"))
    replace_all(CHANGES)
    assert contents(here) == {name: after for name, _, after in CHANGES}
    assert stat.S_IMODE((here / "a.py").stat().st_mode) == 0o640


@pytest.mark.parametrize(
    "name",
    [
        "copy.py",
        ".a.py.paged-attention-migrate",
        ".a.py.abcd_1234.paged-attention-migrate",
        ".b.py.abcd_123.paged-attention-migrate",
        ".a.py.abcd_123.paged-attention-migrate.bak",
        f"below/{NEIGHBOUR}",
    ],
)
def test_any_other_name_of_a_file_stays_and_is_refused(here: Path, name: str) -> None:
    (here / "below").mkdir()
    os.link(here / "a.py", here / name)
    os.link(here / "a.py", here / NEIGHBOUR)
    with pytest.raises(Refused, match=r"^a\.py has other hard links, which would keep the old text$"):
        replace_all(CHANGES)
    assert (here / name).samefile(here / "a.py")
    assert (here / "a.py").stat().st_nlink == 2


@pytest.mark.parametrize("kind", ["file", "link", "directory"])
def test_what_is_not_the_file_itself_stays(here: Path, kind: str) -> None:
    os.link(here / "a.py", here / NEIGHBOUR)
    beside = here / NEIGHBOUR.replace("123", "456")
    if kind == "directory":
        beside.mkdir()
    elif kind == "link":
        beside.symlink_to("a.py")
    else:
        beside.write_bytes(b"old a.py")
    status = beside.lstat()
    replace_all(CHANGES)
    assert beside.lstat() == status
    assert not (here / NEIGHBOUR).exists()


def test_a_second_name_that_cannot_go_is_refused(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.link(here / "a.py", here / NEIGHBOUR)

    def denied(_path: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "unlink", denied)
    with pytest.raises(Refused, match=r"^a\.py has other hard links, which would keep the old text$"):
        replace_all(CHANGES)


def test_what_another_run_took_away_is_put_back_from_memory(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace
    replaced = []

    def meddling(source: str, target: str) -> None:
        replaced.append(target)
        if len(replaced) == 2:
            for path in here.glob(".a.py.*"):
                path.unlink()
            raise OSError(28, "No space left on device")
        replace(source, target)

    (here / "a.py").chmod(0o640)
    monkeypatch.setattr(os, "replace", meddling)
    with pytest.raises(Refused, match=r"^b\.py cannot be written"):
        replace_all(CHANGES)
    assert contents(here) == old()
    assert stat.S_IMODE((here / "a.py").stat().st_mode) == 0o640


def test_a_read_only_directory_is_refused(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, _mode: not os.path.isdir(path))
    with pytest.raises(Refused, match=r"^a\.py is in a read-only directory$"):
        replace_all(CHANGES)
    assert contents(here) == old()


def test_a_pipe_and_a_missing_file_are_refused(here: Path) -> None:
    (here / "b.py").unlink()
    with pytest.raises(Refused, match=r"^b\.py cannot be written \(No such file or directory\)$"):
        replace_all(CHANGES)
    os.mkfifo(here / "b.py")
    with pytest.raises(Refused, match=r"^b\.py is not a regular file$") as caught:
        replace_all(CHANGES)
    assert caught.value.path == "b.py"
    assert contents(here) == {name: text for name, text in old().items() if name != "b.py"}


def test_a_name_as_long_as_names_can_be(here: Path) -> None:
    name = "\N{CJK UNIFIED IDEOGRAPH-6CE8}" * 84 + ".py"
    (here / name).write_bytes(b"x")
    replace_all([(name, b"x", b"y")])
    assert (here / name).read_bytes() == b"y"


def test_the_mode_outlives_the_owner(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    monkeypatch.setattr(os, "getuid", lambda: -2)
    monkeypatch.setattr(os, "fchown", lambda *_: done.append("owner"))
    monkeypatch.setattr(os, "fchmod", lambda *_: done.append("mode"))
    replace_all(CHANGES[:1])
    assert done == ["owner", "mode"]
    assert (here / "a.py").read_bytes() == b"new a.py"


def test_dirty_names_what_git_does_not_have(here: Path) -> None:
    assert dirty(["a.py"]) == []
    git("init", "-q")
    git("add", "a.py", "b.py")
    git("commit", "-qm", "one")
    (here / "b.py").write_bytes(b"changed")
    assert dirty(["a.py", "b.py", "c.py"]) == ["b.py", "c.py"]
    git("add", "b.py")
    assert dirty(["a.py", "b.py"]) == ["b.py"]


def test_dirty_where_git_is_missing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "-q")
    monkeypatch.setenv("PATH", str(here))
    with pytest.raises(GitCannotSay, match=r"^git is not on the PATH$"):
        dirty(["a.py"])


def test_dirty_where_git_fails(here: Path) -> None:
    git("init", "-q")
    git("add", "a.py")
    (here / ".git" / "index").write_bytes(b"damaged")
    with pytest.raises(GitCannotSay, match=r"^fatal: "):
        dirty(["a.py"])


def test_a_directory_that_only_looks_like_git_knows_nothing(here: Path) -> None:
    (here / ".git").mkdir()
    assert dirty(["a.py"]) == []


def test_dirty_in_directories_that_git_does_not_know(here: Path) -> None:
    git("init", "-q")
    (here / ".gitignore").write_text("ignored/\n", encoding="utf-8")
    for folder in ("new", "new/deep", "ignored"):
        (here / folder).mkdir()
        (here / folder / "x.py").touch()
    git("add", ".gitignore", "a.py", "b.py")
    git("commit", "-qm", "one")
    git("config", "status.showUntrackedFiles", "no")
    paths = ["a.py", "ignored/x.py", "new/deep/x.py", "new/x.py"]
    assert dirty(paths) == paths[1:]
    assert dirty([str(here / path) for path in paths]) == [str(here / path) for path in paths[1:]]


def test_dirty_takes_names_as_they_are(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "-q")
    odd = ["[ab].py", "*.py", ":(top)a.py", "-a.py", 'with "space".py', "caf\u00e9.py"]
    for name in odd:
        (here / name).touch()
    git("add", ".")
    git("commit", "-qm", "one")
    (here / "a.py").write_bytes(b"changed")
    assert dirty([*odd, "a.py", "b.py"]) == ["a.py"]
    for name in odd:
        (here / name).write_bytes(b"changed")
    (here / "below").mkdir()
    monkeypatch.chdir(here / "below")
    assert dirty([f"../{name}" for name in odd]) == sorted(f"../{name}" for name in odd)


def test_dirty_tells_every_state_apart(here: Path) -> None:
    git("init", "-q")
    (here / ".gitignore").write_text("ignored.py\n", encoding="utf-8")
    states = ["clean.py", "committed_but_ignored.py", "ignored.py", "staged.py", "unstaged.py", "untracked.py"]
    for name in states:
        (here / name).write_bytes(b"one")
    git("add", ".gitignore", "clean.py", "committed_but_ignored.py", "staged.py", "unstaged.py")
    git("commit", "-qm", "one")
    (here / ".gitignore").write_text("ignored.py\ncommitted_but_ignored.py\n", encoding="utf-8")
    for name in ("staged.py", "unstaged.py"):
        (here / name).write_bytes(b"two")
    git("add", "staged.py")
    assert dirty(states) == ["ignored.py", "staged.py", "unstaged.py", "untracked.py"]
    (here / "unstaged.py").write_bytes(b"one")
    git("update-index", "-q", "--refresh")
    assert dirty(["unstaged.py", "clean.py"]) == []


def test_dirty_after_a_rename_names_both_files() -> None:
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    git("mv", "a.py", "d.py")
    assert dirty(["a.py", "b.py", "d.py"]) == ["a.py", "d.py"]


def test_dirty_in_several_repositories_and_none(here: Path) -> None:
    for name in ("one", "two", "none"):
        (here / name).mkdir()
        (here / name / "x.py").touch()
    for name in ("one", "two"):
        git("-C", name, "init", "-q")
    git("-C", "two", "add", "x.py")
    git("-C", "two", "commit", "-qm", "one")
    assert dirty(["none/x.py", "one/x.py", "two/x.py"]) == ["one/x.py"]


def test_dirty_of_many_files(here: Path) -> None:
    git("init", "-q")
    names = sorted(f"{number}.py" for number in range(450))
    for name in names:
        (here / name).touch()
    assert dirty(names) == names


DELETING = [("a.py", b"old a.py", b"new a.py"), ("b.py", b"old b.py", None), ("c.py", b"old c.py", None)]


def test_a_change_without_new_text_deletes_the_file(here: Path) -> None:
    replace_all(DELETING)
    assert contents(here) == {"a.py": b"new a.py"}


@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600])
def test_a_change_without_old_text_brings_a_file_back_with_its_mode(here: Path, mode: int) -> None:
    replace_all([("deep/er/new.py", None, b"text"), ("a.py", b"old a.py", b"new")], {"deep/er/new.py": mode})
    assert (here / "deep/er/new.py").read_bytes() == b"text"
    assert stat.S_IMODE((here / "deep/er/new.py").stat().st_mode) == mode


def test_a_file_that_is_there_is_not_brought_back(here: Path) -> None:
    with pytest.raises(Refused, match=r"c\.py is there again"):
        replace_all([("a.py", b"old a.py", None), ("c.py", None, b"text")])
    assert contents(here) == old()


@pytest.mark.parametrize("name", ["unlink", "replace"])
def test_a_failure_after_a_deletion_brings_the_file_back(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (here / "b.py").chmod(0o750)
    real = getattr(os, name)
    seen = []

    def fails(path: str, *rest: str) -> None:
        target = rest[0] if rest else path
        if target in ("a.py", "c.py"):
            seen.append(target)
            if len(seen) == 1:
                raise OSError(28, "No space left on device")
        real(path, *rest)

    monkeypatch.setattr(os, name, fails)
    changes = [DELETING[1], DELETING[2] if name == "unlink" else DELETING[0]]
    with pytest.raises(Refused, match="cannot be written"):
        replace_all(changes)
    assert contents(here) == old()
    assert stat.S_IMODE((here / "b.py").stat().st_mode) == 0o750


def test_directories_that_were_made_in_vain_go_again(here: Path) -> None:
    with pytest.raises(Refused, match=r"b\.py was changed"):
        replace_all([("deep/er/new.py", None, b"text"), ("b.py", b"something else", b"new")])
    assert contents(here) == old()
    assert not (here / "deep").exists()
