"""The hooks that this repository offers, run by the real pre-commit in a real repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("pre_commit", reason="pre-commit is not installed")

pytestmark = pytest.mark.slow

REMOVED_CALL = """\
from vllm import _custom_ops as ops


def step(out, q, kc, vc, heads, scale, tables, lens, size, longest, ks, vs):
    ops.paged_attention_v1(out, q, kc, vc, heads, scale, tables, lens, size, longest, None, "auto", ks, vs)
"""
REWRITTEN_CALL = """\
from paged_attention_shim import paged_attention


def step(out, q, kc, vc, heads, scale, tables, lens, size, longest, ks, vs):
    paged_attention(out, q, kc, vc, heads, scale, tables, lens, size, longest, None, "auto", ks, vs)
"""
GUARD = """\
import torch

HAVE_KERNEL = hasattr(torch.ops._C, "paged_attention_v1")
"""
LOOK_ALIKE = """\
def paged_attention_v1(query, cache):
    return cache.lookup(query)


print(paged_attention_v1(1, {}))
"""
REGISTRATION = """\
TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.impl("paged_attention_v1", torch::kCUDA, &paged_attention_v1);
}
"""
STUB = "def paged_attention_v1(out, query) -> None: ...\n"


def notebook(*source: str) -> str:
    cell: dict[str, object] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    cells = [{**cell, "source": source}]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


CALLING_NOTEBOOK = notebook("%pip install vllm\n", "from vllm import _custom_ops as o\n", "o.paged_attention_v1(*b)")


def run(*command: str | Path, cwd: Path, check: bool = True, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=check,
    )


class Project(NamedTuple):
    """A repository whose commits run one of the hooks."""

    root: Path
    store: Path

    def stage(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.root / name).write_text(text, encoding="utf-8")
            run("git", "add", name, cwd=self.root)

    def commit(self) -> subprocess.CompletedProcess[str]:
        """Run the hooks on what is staged."""
        command = (sys.executable, "-m", "pre_commit", "run")
        return run(*command, cwd=self.root, check=False, PRE_COMMIT_HOME=str(self.store))

    def text(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps its environments, so that they are installed once."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def hooks(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the files of this checkout, as they are now, for pre-commit to clone."""
    copy = tmp_path_factory.mktemp("hooks")
    listing = run("git", "ls-files", "-co", "--exclude-standard", cwd=checkout).stdout.splitlines()
    for name in listing:
        if (checkout / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(checkout / name, copy / name)
    run("git", "init", "--quiet", ".", cwd=copy)
    run("git", "add", "--all", cwd=copy)
    identity = ("-c", "user.name=A U Thor", "-c", "user.email=author@example.invalid")
    run("git", *identity, "commit", "--quiet", "--message", "the hooks", cwd=copy)
    return copy


def project_with(hook: str, hooks: Path, store: Path, root: Path) -> Project:
    revision = run("git", "rev-parse", "HEAD", cwd=hooks).stdout.strip()
    run("git", "init", "--quiet", ".", cwd=root)
    config = {"repos": [{"repo": str(hooks), "rev": revision, "hooks": [{"id": hook}]}]}
    (root / ".pre-commit-config.yaml").write_text(json.dumps(config), encoding="utf-8")
    run("git", "add", ".pre-commit-config.yaml", cwd=root)
    run("git", "commit", "--quiet", "--message", "start", cwd=root)
    return Project(root, store)


@pytest.fixture
def checked(hooks: Path, store: Path, tmp_path: Path) -> Project:
    return project_with("paged-attention-check", hooks, store, tmp_path)


@pytest.fixture
def rewritten(hooks: Path, store: Path, tmp_path: Path) -> Project:
    return project_with("paged-attention-rewrite", hooks, store, tmp_path)


def test_check_passes_on_clean_files_of_every_type_it_takes(checked: Project) -> None:
    checked.stage({"plain.py": "print('hello')\n", "lookalike.py": LOOK_ALIKE})
    checked.stage({"book.ipynb": notebook("%time x = 1\n", "x"), "stub.pyi": "def attend(query) -> None: ...\n"})
    result = checked.commit()
    assert result.returncode == 0, result.stdout


def test_check_fails_on_a_removed_name_and_says_what_to_do(checked: Project) -> None:
    checked.stage({"step.py": REMOVED_CALL, "plain.py": "print('hello')\n"})
    result = checked.commit()
    assert result.returncode == 1
    assert "step.py:5:5: PAM102" in result.stdout
    assert "paged_attention_shim.paged_attention" in result.stdout
    assert "paged-attention-migrate rewrite" in result.stdout
    assert "plain.py:" not in result.stdout
    assert checked.text("step.py") == REMOVED_CALL


@pytest.mark.parametrize("name", ["ops.h", "ops.hpp", "ops.cpp", "ops.cu", "ops.mm"])
def test_check_fails_on_a_registration_in_cpp(checked: Project, name: str) -> None:
    checked.stage({name: REGISTRATION})
    result = checked.commit()
    assert result.returncode == 1, result.stdout
    assert f"{name}:2:13: PAM302" in result.stdout
    assert checked.text(name) == REGISTRATION


def test_check_passes_on_clean_files_of_other_languages(checked: Project) -> None:
    checked.stage({"ops.cu": "__global__ void scale(float* x) {}\n", "CMakeLists.txt": "project(ops)\n"})
    checked.stage({"build.yaml": "steps: []\n", "pyproject.toml": "[project]\n", "run.sh": "#!/bin/sh\n"})
    checked.stage({"build.rs": "fn main() {}\n", "ops.pyx": "cdef int one = 1\n"})
    result = checked.commit()
    assert result.returncode == 0, result.stdout
    assert "PAM" not in result.stdout


def test_check_does_not_fail_on_a_document_that_names_what_is_gone(checked: Project) -> None:
    checked.stage({"notes.md": "`paged_attention_v1` was removed.\n"})
    result = checked.commit()
    assert result.returncode == 0, result.stdout


def test_rewrite_leaves_other_languages_to_check(rewritten: Project) -> None:
    rewritten.stage({"ops.h": REGISTRATION})
    result = rewritten.commit()
    assert result.returncode == 0, result.stdout
    assert rewritten.text("ops.h") == REGISTRATION


def test_the_types_of_the_hooks_are_known_to_pre_commit(checkout: Path) -> None:
    from identify.identify import ALL_TAGS

    listed = re.findall(r"types_or: \[(.*)\]", (checkout / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert len(listed) == 2
    assert {tag for line in listed for tag in line.split(", ")} <= ALL_TAGS


def test_check_looks_at_staged_files_only(checked: Project) -> None:
    checked.stage({"plain.py": "print('hello')\n"})
    (checked.root / "step.py").write_text(REMOVED_CALL, encoding="utf-8")
    result = checked.commit()
    assert result.returncode == 0, result.stdout


def test_check_reads_notebooks(checked: Project) -> None:
    checked.stage({"book.ipynb": CALLING_NOTEBOOK})
    result = checked.commit()
    assert result.returncode == 1
    assert "book.ipynb" in result.stdout
    assert "Traceback" not in result.stdout


def test_check_takes_a_declaration_in_a_stub_for_a_mention(checked: Project) -> None:
    checked.stage({"stub.pyi": STUB})
    result = checked.commit()
    assert result.returncode == 0, result.stdout


def test_check_goes_on_after_a_file_that_it_cannot_read(checked: Project) -> None:
    checked.stage({"broken.py": "def (: paged_attention_v1\n", "step.py": REMOVED_CALL})
    checked.stage({"book.ipynb": '{"cells": [ "paged_attention_v1"\n'})
    result = checked.commit()
    assert result.returncode == 1
    assert "broken.py" in result.stdout
    assert "book.ipynb" in result.stdout
    assert "step.py:5:5: PAM102" in result.stdout
    assert "Traceback" not in result.stdout


def test_rewrite_passes_on_clean_files(rewritten: Project) -> None:
    rewritten.stage({"plain.py": "print('hello')\n", "stub.pyi": STUB, "lookalike.py": LOOK_ALIKE})
    result = rewritten.commit()
    assert result.returncode == 0, result.stdout


def test_rewrite_changes_the_file_and_fails_then_passes(rewritten: Project) -> None:
    rewritten.stage({"step.py": REMOVED_CALL})
    result = rewritten.commit()
    assert result.returncode == 1
    assert "step.py" in result.stdout
    assert rewritten.text("step.py") == REWRITTEN_CALL
    run("git", "add", "step.py", cwd=rewritten.root)
    result = rewritten.commit()
    assert result.returncode == 0, result.stdout


def test_rewrite_fails_until_a_person_has_done_the_rest(rewritten: Project) -> None:
    rewritten.stage({"guard.py": GUARD})
    for _ in range(2):
        result = rewritten.commit()
        assert result.returncode == 1
        assert "guard.py:3:37: PAM105" in result.stdout
        assert rewritten.text("guard.py") == GUARD
