"""The command as a person runs it: patch, writing, undo, refusals, reasons."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from paged_attention_migrate.cli import main

pytest.importorskip("tree_sitter_cuda", reason="the extra `native` is not installed")

Build = Callable[[dict[str, str]], Path]

KERNEL = "csrc/attention/paged_attention_v1.cu"
TREE = {
    "vllm/__init__.py": "",
    "vllm/_custom_ops.py": (
        "import torch\n\n\ndef paged_attention_v1(out):\n    torch.ops._C.paged_attention_v1(out)\n\n\n"
        "def rms_norm(out):\n    torch.ops._C.rms_norm(out)\n"
    ),
    "csrc/ops.h": "#pragma once\n\nvoid paged_attention_v1(torch::Tensor& out);\n",
    KERNEL: '#include "kernels.cuh"\n\nvoid paged_attention_v1(torch::Tensor& out) {}\n',
    "csrc/attention/kernels.cuh": '#pragma once\n#include "shared.h"\n',
    "csrc/attention/shared.h": "#pragma once\n",
    "csrc/cache.cu": '#include "attention/shared.h"\n',
}


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def tree(build: Build) -> Path:
    root = build(TREE)
    (root / KERNEL).chmod(0o755)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "before")
    return root


def retire(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["retire", *arguments])


def test_the_patch_deletes_files_and_git_applies_it(tree: Path) -> None:
    printed = retire("--diff")
    assert printed.exit_code == 1
    assert git("status", "--porcelain") == ""
    assert "deleted file mode 100755" in printed.stdout
    (tree / "p.patch").write_text(printed.stdout)
    git("apply", "p.patch")
    (tree / "p.patch").unlink()
    applied = git("status", "--porcelain")
    git("checkout", "-q", ".")
    assert retire().exit_code == 0
    assert git("status", "--porcelain") == applied


def test_every_deletion_has_one_line_that_says_why(tree: Path) -> None:
    del tree
    lines = [line for line in retire().stdout.splitlines() if "deleted:" in line]
    assert lines == [
        "csrc/attention/kernels.cuh: deleted: only csrc/attention/paged_attention_v1.cu included it",
        f"{KERNEL}: deleted: it defines paged_attention_v1 (line 3) and nothing that another file uses",
    ]


def test_the_patch_comes_with_the_same_lines_on_the_other_stream(tree: Path) -> None:
    del tree
    printed = retire("--diff")
    assert f"{KERNEL}: deleted: it defines" in printed.stderr
    assert "Would delete 2 files and edit 2 files" in printed.stderr


def test_undo_brings_deleted_files_back_as_they_were(tree: Path) -> None:
    assert retire().exit_code == 0
    assert not (tree / KERNEL).exists()
    back = CliRunner().invoke(main, ["undo"])
    assert back.exit_code == 0
    assert KERNEL in back.stdout
    assert git("status", "--porcelain") == ""
    assert stat.S_IMODE((tree / KERNEL).stat().st_mode) == 0o755


def test_undo_makes_a_directory_that_is_gone_again(tree: Path) -> None:
    assert retire().exit_code == 0
    (tree / "csrc/attention/shared.h").unlink()
    (tree / "csrc/attention").rmdir()
    assert CliRunner().invoke(main, ["undo"]).exit_code == 0
    assert (tree / KERNEL).read_text() == TREE[KERNEL]


def test_undo_refuses_where_a_deleted_file_is_there_again(tree: Path) -> None:
    assert retire().exit_code == 0
    (tree / KERNEL).write_text("mine\n")
    back = CliRunner().invoke(main, ["undo"])
    assert back.exit_code == 2
    assert "is there again since it was deleted" in back.stderr
    assert (tree / KERNEL).read_text() == "mine\n"
    assert not (tree / "csrc/attention/kernels.cuh").exists()


def test_uncommitted_changes_are_refused_and_the_patch_is_shown(tree: Path) -> None:
    (tree / KERNEL).write_text(TREE[KERNEL] + "// mine\n")
    refused = retire()
    assert refused.exit_code == 2
    assert "uncommitted changes" in refused.stderr
    assert (tree / "csrc/attention/kernels.cuh").exists()
    assert f"diff --git a/{KERNEL}" in refused.stdout
    assert retire("--allow-dirty").exit_code == 0


def test_one_file_that_cannot_be_written_leaves_all_as_they_were(tree: Path) -> None:
    path = tree / "vllm/_custom_ops.py"
    path.chmod(0o444)
    if os.access(path, os.W_OK):  # root may write anything, but not a link
        os.link(path, tree.parent / f"{tree.name}.py")
    refused = retire("--allow-dirty")
    assert refused.exit_code == 2
    assert "so nothing was written" in refused.stderr
    assert (tree / KERNEL).exists()
    assert "paged_attention_v1" in (tree / "csrc/ops.h").read_text()
    assert not list(tree.rglob("*.paged-attention-migrate"))


def test_a_second_run_has_nothing_to_do(tree: Path) -> None:
    del tree
    retire()
    again = retire()
    assert again.exit_code == 0
    assert again.stdout == ""
    assert "there is nothing to retire" in again.stderr


def test_check_is_quiet_afterwards(tree: Path) -> None:
    del tree
    retire()
    checked = CliRunner().invoke(main, ["check"])
    assert (checked.exit_code, checked.stdout) == (0, "")


def test_what_still_needs_them_is_named_and_the_exit_code_says_so(tree: Path) -> None:
    (tree / "csrc/extra.h").write_text("#define ATTEND(x) paged_attention_v1(x)\n")
    kept = retire()
    assert kept.exit_code == 1
    assert "csrc/extra.h:1: still needs it: a macro of paged_attention_v1" in kept.stdout
    assert "The definitions stay: 1 place still needs them." in kept.stderr


@pytest.mark.parametrize(
    ("path", "lines"),
    [
        (
            "csrc/attention/kernels.cuh",
            [
                "csrc/attention/kernels.cuh is deleted",
                "  only csrc/attention/paged_attention_v1.cu included it",
                "  csrc/attention/paged_attention_v1.cu:1 includes it, which is deleted",
                "  line 2 includes csrc/attention/shared.h, which stays: csrc/cache.cu:1 includes it, too",
            ],
        ),
        (
            "csrc/attention/shared.h",
            [
                "csrc/attention/shared.h is not touched",
                "  csrc/attention/kernels.cuh:2 includes it, which is deleted",
                "  csrc/cache.cu:1 includes it, which stays",
            ],
        ),
        (
            KERNEL,
            [
                f"{KERNEL} is deleted",
                "  it defines paged_attention_v1 (line 3) and nothing that another file uses",
                "  nothing includes it",
                "  line 1 includes csrc/attention/kernels.cuh, which is deleted, too",
                "  csrc/ops.h:3 names paged_attention_v1: removed the declaration of paged_attention_v1 (line 3)",
                "  vllm/_custom_ops.py:4 names paged_attention_v1: removed `def paged_attention_v1` (line 4)",
                "  vllm/_custom_ops.py:5 names paged_attention_v1: removed `def paged_attention_v1` (line 4)",
            ],
        ),
    ],
)
def test_why_shows_the_lines_that_decide(path: str, lines: list[str], tree: Path) -> None:
    asked = retire("--why", path)
    assert asked.exit_code == 0
    assert sorted(asked.stdout.splitlines()) == sorted(lines)
    assert git("status", "--porcelain") == ""
    assert retire("--why", str(tree / path)).stdout == asked.stdout


def test_why_about_a_file_that_is_not_there_fails(tree: Path) -> None:
    del tree
    assert retire("--why", "nowhere.cu").exit_code == 2


@pytest.mark.parametrize("root", ["nowhere", "vllm/__init__.py"])
def test_a_root_that_is_no_directory_fails_in_one_sentence(root: str, tree: Path) -> None:
    del tree
    failed = retire(root)
    assert failed.exit_code == 2
    assert failed.stderr == f"paged-attention-migrate: {root}: there is no such directory\n"


def test_kernels_of_another_project_stay(build: Build) -> None:
    build({"csrc/pa.cu": TREE[KERNEL]})
    failed = retire()
    assert failed.exit_code == 2
    assert "csrc/pa.cu:3 has paged_attention_v1, but . is not the top of a vLLM" in failed.stderr


def test_without_the_grammars_it_says_how_to_install_them(tree: Path) -> None:
    code = (
        "import sys; sys.modules['tree_sitter'] = None\nfrom paged_attention_migrate.cli import main; main(['retire'])"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tree, capture_output=True, text=True, check=False, env=environment
    )
    assert run.returncode == 2
    assert "pip install 'paged-attention-migrate[native]'" in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert git("status", "--porcelain") == ""


def test_outside_git_nothing_is_deleted_unless_told_so(build: Build) -> None:
    root = build(TREE)
    refused = retire()
    assert refused.exit_code == 2
    assert "without git it could not come back, so nothing was written" in refused.stderr
    assert (root / KERNEL).exists()
    assert retire("--allow-dirty").exit_code == 0
    assert not (root / KERNEL).exists()
