"""The patch is taken by the real `git apply` and gives the promised bytes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paged_attention_migrate.project import FileChange
from paged_attention_migrate.report.colour import Paint
from paged_attention_migrate.report.patch import coloured, file_patch, patch, prefix_in_work_tree

_ENVIRONMENT = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository")
    _git(root, "init", "-q")
    return root


def _git(where: Path, *arguments: str, data: bytes = b"") -> None:
    done = subprocess.run(
        ["git", *arguments], cwd=where, input=data, capture_output=True, env=_ENVIRONMENT, check=False
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")


def _apply(where: Path, root: Path, text: bytes, changes: list[FileChange]) -> None:
    files = [root / os.fsdecode(os.fsencode(each.path)) for each in changes]
    for file, change in zip(files, changes, strict=True):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(change.before)
    _git(where, "apply", "--check", data=text)
    _git(where, "apply", data=text)
    for file, change in zip(files, changes, strict=True):
        assert file.read_bytes() == change.after
        file.unlink()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\nb\nc\n", b"a\nB\nc\n"),
        (b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
        (b"a\r\nb\nc\r", b"a\r\nB\nc\r"),
        (b"a\nb", b"a\nb\n"),
        (b"a\nb\n", b"a\nb"),
        (b"a\nb", b"A\nb"),
        (b"a\nb", b"a\nB"),
        (b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfb\n"),
        ("# coding: latin-1\nx = 'é'\n".encode("latin-1"), "# coding: latin-1\ny = 'é'\n".encode("latin-1")),
        (b"a\n\x0cb\x0bc\x1cd\xc2\x85e\n", b"a\n\x0cB\x0bc\x1cd\xc2\x85e\n"),
        (b"a\rb\rc\n", b"a\rB\rc\n"),
        (b"", b"import x\n"),
        (b"", b"import x"),
        (b"import x\n", b""),
        (b"import x", b""),
        (b"\n", b"\n\n"),
        (b"-- a\n++ b\n", b"++ a\n-- b\n"),
        (b"".join(b"line %d\n" % n for n in range(400)), b"".join(b"line %d\n" % n for n in range(400) if n % 90)),
    ],
)
def test_git_apply_gives_the_same_bytes(repository: Path, before: bytes, after: bytes) -> None:
    changes = [FileChange("pkg/module.py", before, after)]
    _apply(repository, repository, patch(changes), changes)


@pytest.mark.parametrize(
    "path",
    [
        "with space.py",
        "dir with space/x.py",
        "tab\there.py",
        'quote"d.py',
        "it's.py",
        "back\\slash.py",
        "größe/変換.py",
        "new\nline.py",
        "bell\x07.py",
        " leading and trailing ",
        "a b/b a",
        os.fsdecode(b"raw\xff.py"),
    ],
)
def test_names_are_written_as_git_reads_them(repository: Path, path: str) -> None:
    changes = [FileChange(path, b"a\n", b"b\n")]
    _apply(repository, repository, patch(changes), changes)


def test_from_a_subdirectory_of_the_work_tree(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = repository / "sub" / "dir é"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    prefix = prefix_in_work_tree()
    assert prefix == "sub/dir é/"
    changes = [FileChange("x.py", b"a\n", b"b\n"), FileChange("deep/y.py", b"1\n", b"2")]
    text = patch(changes, prefix)
    _apply(inside, inside, text, changes)
    _apply(repository, inside, text, changes)


def test_a_file_above_the_working_directory(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = repository / "below"
    inside.mkdir()
    monkeypatch.chdir(inside)
    changes = [FileChange("../beside/x.py", b"a\n", b"b\n")]
    _apply(repository, inside, patch(changes, prefix_in_work_tree()), changes)


def test_outside_a_work_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert prefix_in_work_tree() == ""
    changes = [FileChange("pkg/x.py", b"a\n", b"b\n")]
    _apply(tmp_path, tmp_path, patch(changes), changes)


def test_no_git_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert prefix_in_work_tree() == ""


def test_several_files_in_one_patch(repository: Path) -> None:
    changes = [
        FileChange("one.py", b"a", b"b"),
        FileChange("two words.py", b"", b"x\r\n"),
        FileChange("three.py", b"same\n", b"same\n"),
        FileChange("four.py", b"gone\n", b""),
    ]
    _apply(repository, repository, patch(changes), changes)


def test_an_unchanged_file_has_no_patch() -> None:
    assert file_patch("x.py", b"a\n", b"a\n") == b""
    assert patch([]) == b""


def test_what_a_patch_looks_like() -> None:
    assert file_patch("a b.py", b"x\ny", b"x\nz\n").splitlines(keepends=True) == [
        b"diff --git a/a b.py b/a b.py\n",
        b"--- a/a b.py\t\n",
        b"+++ b/a b.py\t\n",
        b"@@ -1,2 +1,2 @@\n",
        b" x\n",
        b"-y\n",
        b"\\ No newline at end of file\n",
        b"+z\n",
    ]


def test_colours_leave_the_text_as_it_is() -> None:
    text = file_patch("x.py", b"caf\xe9\nold\n", b"caf\xe9\nnew\n")
    assert coloured(text, Paint(False)) == text
    assert b"\x1b[32m+new\x1b[0m\n" in coloured(text, Paint(True))
    assert b" caf\xe9\n" in coloured(text, Paint(True))


_LINES = st.sampled_from(
    [b"a", b"b", b"", b" ", b"\ta", b"a\r", b"\r", b"\x0c", b"\xff\xfe", b"\\ No newline", b"+", b"--- a/x"]
)
_FILES = st.builds(
    lambda lines, end: b"\n".join(lines) + end, st.lists(_LINES, max_size=30), st.sampled_from([b"", b"\n"])
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=st.lists(st.tuples(_FILES, _FILES), min_size=1, max_size=8))
def test_any_bytes_survive(repository: Path, files: list[tuple[bytes, bytes]]) -> None:
    changes = [
        FileChange(f"any/{number}.py", before, after) for number, (before, after) in enumerate(files) if before != after
    ]
    if changes:
        _apply(repository, repository, patch(changes), changes)


@pytest.mark.parametrize("mode", [0o644, 0o755])
@pytest.mark.parametrize("text", [b"a\nb\n", b"a\nb", b"", b"a\r\n\xff\n", b"\n"])
def test_a_deletion_is_one_to_git(repository: Path, monkeypatch: pytest.MonkeyPatch, text: bytes, mode: int) -> None:
    monkeypatch.chdir(repository)
    path = repository / "gone \xe9.cu"
    path.write_bytes(text)
    path.chmod(mode)
    made = patch([FileChange(path.name, text, b"", deleted=True)])
    assert (b"deleted file mode 100755" if mode == 0o755 else b"deleted file mode 100644") in made
    _git(repository, "apply", "--check", data=made)
    _git(repository, "apply", data=made)
    assert not path.exists()


def test_a_patch_for_another_directory_has_its_names(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = repository / "tree"
    (inside / "pkg").mkdir(parents=True)
    monkeypatch.chdir(repository.parent)
    below = f"{repository.name}/tree/"
    changes = [FileChange(f"{below}pkg/x.py", b"a\n", b"b\n")]
    made = patch(changes, prefix_in_work_tree(below), below)
    (inside / "pkg/x.py").write_bytes(b"a\n")
    _git(repository, "apply", data=made)
    assert (inside / "pkg/x.py").read_bytes() == b"b\n"
