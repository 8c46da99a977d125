"""Which files a run looks at."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from paged_attention_migrate.files import SourceFile, candidates, files_mentioning, kind_of, list_files, matcher, read

HIT = b"from vllm._custom_ops import paged_attention_v1\n"


@pytest.fixture(autouse=True)  # no test runs git in the checkout
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "pkg/b.py", "pkg/deep/c.py", "build/d.py", "note.md", "picture.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(HIT)
    return tmp_path


def listed(*paths: str, exclude: tuple[str, ...] = ()) -> list[str]:
    found, problems = list_files(paths or (".",), exclude)
    assert problems == []
    return [file.path for file in found]


def git_init(ignore: str = "build/\n") -> None:
    Path(".gitignore").write_text(ignore)
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "add", "a.py"], check=True)


def test_a_walk_outside_git_skips_what_tools_leave_behind(here: Path) -> None:
    (here / "venv").mkdir()
    (here / "venv/e.py").write_bytes(HIT)
    assert listed() == ["a.py", "build/d.py", "note.md", "pkg/b.py", "pkg/deep/c.py"]


def test_git_says_what_is_ignored_and_what_is_new() -> None:
    git_init()
    assert listed() == ["a.py", "note.md", "pkg/b.py", "pkg/deep/c.py"]


def test_a_named_file_is_taken_even_if_ignored() -> None:
    git_init()
    assert listed("build/d.py", "a.py") == ["a.py", "build/d.py"]


def test_each_file_once_however_it_is_named(here: Path) -> None:
    assert listed("a.py", "./a.py", "pkg/../a.py", str(here / "a.py")) == ["a.py"]


@pytest.mark.parametrize("git", [False, True])
def test_each_file_once_whichever_way_leads_to_it(here: Path, git: bool) -> None:
    (here / "way").symlink_to("pkg")
    (here / "other").symlink_to(here / "pkg", target_is_directory=True)
    (here / "pkg/round").symlink_to(here / "pkg", target_is_directory=True)
    if git:
        git_init(ignore="")
    plain = ["pkg/b.py", "pkg/deep/c.py"]
    assert listed("pkg", "way") == listed("way", "pkg") == listed("other", str(here / "pkg"), "way") == plain
    assert listed("way", "other") == ["way/b.py", "way/deep/c.py"]
    assert listed("other", "way") == ["other/b.py", "other/deep/c.py"]
    assert listed("way", "pkg/deep") == ["pkg/deep/c.py", "way/b.py"]
    assert listed("way/b.py", "pkg/b.py") == listed("way/b.py", "pkg/b.py", "pkg/round/b.py") == ["pkg/b.py"]
    assert listed(".", "way") == listed()
    assert listed("way") == ["way/b.py", "way/deep/c.py"]
    assert listed("way", "pkg", exclude=("deep",)) == ["pkg/b.py"]


def test_a_link_beside_the_working_directory(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "build/way").symlink_to("../pkg")
    monkeypatch.chdir(here / "build")
    assert listed("way", "../pkg", ".") == ["../pkg/b.py", "../pkg/deep/c.py", "d.py"]


def test_from_a_directory_below(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git_init()
    monkeypatch.chdir(here / "pkg")
    assert listed() == ["b.py", "deep/c.py"]
    assert listed("../a.py") == ["../a.py"]


@pytest.mark.parametrize("git", [False, True])
def test_each_file_once_from_below(here: Path, monkeypatch: pytest.MonkeyPatch, git: bool) -> None:
    if git:
        git_init(ignore="")
    above = ["../a.py", "../build/d.py", "../note.md", "b.py", "deep/c.py"]
    monkeypatch.chdir(here / "pkg")
    assert listed("..") == above
    assert listed(".", "..", "../pkg", "deep", "../pkg/b.py", "b.py", str(here / "pkg/b.py")) == above
    assert listed("../pkg/deep") == ["deep/c.py"]
    assert listed("..", exclude=("deep",)) == [path for path in above if "deep" not in path]
    absolute = [f"{here}/{path[3:]}" if path.startswith("../") else path for path in above]
    assert listed(str(here)) == absolute
    assert listed(str(here), ".") == absolute


def test_a_name_that_begins_like_the_working_directory(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "pkg2").mkdir()
    (here / "pkg2/e.py").write_bytes(HIT)
    monkeypatch.chdir(here / "pkg")
    assert listed("../pkg2", str(here / "pkg2/e.py")) == ["../pkg2/e.py", f"{here}/pkg2/e.py"]


def test_dots_behind_a_link_lead_where_the_system_says(here: Path) -> None:
    (here / "link").symlink_to("pkg/deep")
    (here / "b.py").write_bytes(b"the wrong one")
    (found,) = listed("link/../b.py")
    assert Path(found).read_bytes() == HIT
    assert Path(found).samefile(here / "pkg/b.py")


def test_a_file_in_conflict_is_listed_once(here: Path) -> None:
    git_init()
    blob = subprocess.run(["git", "hash-object", "-w", "a.py"], check=True, capture_output=True, text=True).stdout
    stages = "".join(f"100644 {blob.strip()} {stage}\ta.py\n" for stage in (1, 2, 3))
    index = f"0 {'0' * 40}\ta.py\n{stages}"
    subprocess.run(["git", "update-index", "--index-info"], input=index, check=True, text=True)
    assert listed() == ["a.py", "note.md", "pkg/b.py", "pkg/deep/c.py"]
    assert (here / "a.py").read_bytes() == HIT


def test_a_tracked_file_stays_when_a_rule_ignores_it(here: Path) -> None:
    git_init(ignore="build/\n*.md\n")
    subprocess.run(["git", "add", "-f", "build/d.py"], check=True)
    (here / "build/e.py").write_bytes(HIT)
    assert listed() == ["a.py", "build/d.py", "pkg/b.py", "pkg/deep/c.py"]


def test_where_git_cannot_list_what_is_untracked_a_walk_does(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git_init()
    tools = here.parent / f"{here.name}-tools"
    tools.mkdir()
    refusing = tools / "git"
    refusing.write_text(
        f'#!/bin/sh\nfor each; do [ "$each" = -o ] && exit 128; done\nexec {shutil.which("git")} "$@"\n'
    )
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    assert "pkg/b.py" in listed()


def test_a_file_of_several_reads_is_read_to_its_end(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytes(range(256)) * 2000
    (here / "a.py").write_bytes(data)
    assert read("a.py") == data
    real = os.read
    monkeypatch.setattr(os, "read", lambda handle, size: real(handle, min(size, 1000)))
    assert read("a.py") == data


def test_a_repository_that_git_refuses_is_walked() -> None:
    git_init()
    Path(".git/HEAD").write_text("broken")
    assert "build/d.py" in listed()


@pytest.mark.parametrize("git", [False, True])
def test_links_are_not_followed(tmp_path: Path, here: Path, git: bool) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "x.py").write_bytes(HIT)
    for name, target in {
        "to_file.py": "a.py",
        "to_directory": "pkg",
        "to_directory.py": "pkg",
        "out.py": str(outside / "x.py"),
        "out": str(outside),
        "dangling.py": "nowhere",
        "loop.py": "loop.py",
    }.items():
        (here / name).symlink_to(target)
    if git:
        git_init(ignore="")
        subprocess.run(["git", "add", "."], check=True)
    files, problems = list_files(["."])
    found, unread = candidates(files)
    assert [each.path for each in found] == ["a.py", "build/d.py", "note.md", "pkg/b.py", "pkg/deep/c.py"]
    assert problems == unread == []
    assert read("to_file.py") is None
    assert read("dangling.py") is None


@pytest.mark.parametrize("git", [False, True])
def test_a_pipe_in_the_tree_is_never_opened(here: Path, monkeypatch: pytest.MonkeyPatch, git: bool) -> None:
    os.mkfifo(here / "pipe.py")
    if git:
        git_init()
    opened = []
    real = os.open

    def spy(path: str, flags: int) -> int:
        opened.append(path)
        return real(path, flags)

    monkeypatch.setattr(os, "open", spy)
    files, problems = list_files(["."])
    found, unread = candidates(files)
    assert "a.py" in opened
    assert "pipe.py" not in opened
    assert "pipe.py" not in [each.path for each in found]
    assert problems == unread == []
    assert list_files(["pipe.py"]) == ([], [("pipe.py", "pipe.py: this is neither a file nor a directory")])


def test_a_file_that_became_a_pipe_keeps_nobody_waiting(here: Path) -> None:
    git_init()
    (here / "a.py").unlink()
    os.mkfifo(here / "a.py")
    files, _ = list_files(["."])
    found, problems = candidates(files)
    assert "a.py" not in [each.path for each in found]
    assert problems == []


def test_without_git_on_the_machine(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git_init()
    monkeypatch.setenv("PATH", str(here / "nothing"))
    assert "build/d.py" in listed()


@pytest.mark.parametrize(
    ("pattern", "gone"),
    [
        ("pkg", ["pkg/b.py", "pkg/deep/c.py"]),
        ("pkg/*.py", ["pkg/b.py"]),
        ("**/c.py", ["pkg/deep/c.py"]),
        ("deep", ["pkg/deep/c.py"]),
        ("*.md", ["note.md"]),
        ("./a.py", ["a.py"]),
        ("b", []),
        ("b.py", ["pkg/b.py"]),
        ("pkg/", ["pkg/b.py", "pkg/deep/c.py"]),
        ("pkg/**", ["pkg/b.py", "pkg/deep/c.py"]),
        ("pkg/**/c.py", ["pkg/deep/c.py"]),
        ("pkg/**/b.py", ["pkg/b.py"]),
        ("**/deep", ["pkg/deep/c.py"]),
        ("pkg/*/c.py", ["pkg/deep/c.py"]),
        ("*/c.py", []),
        ("?.py", ["a.py", "build/d.py", "pkg/b.py", "pkg/deep/c.py"]),
        ("deep/c.py", []),
        ("PKG", []),
        ("pk", []),
        ("a.p[y]", []),
        ("a+py", []),
    ],
)
def test_exclude(pattern: str, gone: list[str]) -> None:
    assert sorted(set(listed()) - set(listed(exclude=(pattern,)))) == gone


def test_exclude_applies_to_named_files_too() -> None:
    assert listed("a.py", "pkg/b.py", exclude=("pkg",)) == ["a.py"]


def test_nothing_excluded_needs_no_test() -> None:
    assert matcher(()) is None


def test_problems_are_sentences_and_the_rest_goes_on(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "dangling.py").symlink_to("nowhere")
    scandir = os.scandir

    def closed(path: str) -> object:
        if path.endswith("deep/"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    found, problems = list_files(["no.py", "dangling.py", "."])
    assert "pkg/b.py" in [file.path for file in found]
    assert [problem.message for problem in problems] == [
        "no.py: there is no such file or directory",
        "dangling.py: this link points nowhere",
        "./pkg/deep/: the directory cannot be read (Permission denied)",
    ]


def test_candidates_hold_a_marker(here: Path) -> None:
    (here / "a.py").write_bytes(b"import vllm\n")
    files, _ = list_files(["."])
    found, problems = candidates(files)
    assert [each.path for each in found] == ["build/d.py", "note.md", "pkg/b.py", "pkg/deep/c.py"]
    assert problems == []


def test_many_files_are_searched_by_two_processes_alike(here: Path) -> None:
    for number in range(900):
        (here / f"pkg/x{number:03}.py").write_bytes(HIT if number % 7 == 0 else b"x = 1\n")
    files, _ = list_files(["pkg"])
    found, _ = candidates(files)
    wanted = ["pkg/b.py", "pkg/deep/c.py", *(f"pkg/x{number:03}.py" for number in range(0, 900, 7))]
    assert [each.path for each in found] == wanted


def test_a_file_that_vanishes_is_no_problem(here: Path) -> None:
    files, _ = list_files(["."])
    (here / "a.py").unlink()
    found, problems = candidates(files)
    assert "a.py" not in [each.path for each in found]
    assert problems == []


def test_a_file_that_cannot_be_read_is_told_and_the_rest_goes_on(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def closed(path: str, flags: int) -> int:
        if path == "a.py":
            raise PermissionError(13, "Permission denied")
        return real(path, flags)

    monkeypatch.setattr(os, "open", closed)
    found, problems = candidates([SourceFile("a.py", "python"), SourceFile("pkg/b.py", "python")])
    assert [each.path for each in found] == ["pkg/b.py"]
    assert problems == [("a.py", "a.py: the file cannot be read (Permission denied)")]
    assert (here / "a.py").read_bytes() == HIT


def test_words_are_whole_identifiers(here: Path) -> None:
    (here / "a.py").write_bytes(b"import kernels\n")
    (here / "pkg/b.py").write_bytes(b"import mykernels, kernels_too\n")
    files, _ = list_files(["a.py", "pkg/b.py"])
    assert [each.path for each in files_mentioning(files, [b"kernels"])] == ["a.py"]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a.py", "python"),
        ("a.pyi", "stub"),
        ("a.ipynb", "notebook"),
        ("x/ops.cu", "c++"),
        ("CMakeLists.txt", "cmake"),
        ("notes.txt", "json"),
        ("a.rst", "markdown"),
        (".py", None),
        ("picture.png", None),
    ],
)
def test_kinds(path: str, kind: str | None) -> None:
    assert kind_of(path) == kind


def test_a_script_without_a_suffix_is_python_by_its_first_line(here: Path) -> None:
    (here / "tool").write_bytes(b"#!/usr/bin/env python3\n" + HIT)
    (here / "data").write_bytes(HIT)
    assert listed("tool", "data") == ["tool"]
