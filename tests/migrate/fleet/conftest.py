"""Many small repositories, the command, and a git that misbehaves when it is told to."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

CALL = """\
from vllm import _custom_ops as ops


def step(out, q, kc, vc, scale, tables, lens, longest, ks, vs):
    ops.paged_attention_v1(out, q, kc, vc, 8, scale, tables, lens, 16, longest, None, "auto", ks, vs)
"""


class Run(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Fleet = Callable[..., Run]
Make = Callable[..., Path]
Git = Callable[..., str]


@pytest.fixture
def git() -> Git:
    """Runs git in a folder and gives what it prints."""

    def run(where: Path, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=where, capture_output=True, check=True, text=True)
        return done.stdout.strip()

    return run


@pytest.fixture
def make(tmp_path: Path, git: Git) -> Make:
    """Makes a repository below `origin` with some files, and gives its path."""

    def repository(name: str, **files: str) -> Path:
        root = tmp_path / "origin" / name
        root.mkdir(parents=True)
        git(root, "init", "-q", "-b", "main")
        for file, text in (files or {"a": CALL}).items():
            (root / (file if "." in file else f"{file}.py")).write_text(text)
        git(root, "add", "-A")
        git(root, "commit", "-qm", "all")
        return root

    return repository


@pytest.fixture
def environment(checkout: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(checkout / name) for name in ("migrate", "shim"))}


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., list[str]]:
    """The command line for a list of repositories."""

    def line(repositories: list[object], *arguments: str) -> list[str]:
        listed = tmp_path / "list"
        listed.write_bytes("".join(f"{each}\n" for each in repositories).encode("utf-8", "surrogateescape"))
        head = [sys.executable, "-m", "paged_attention_migrate", "fleet", "--repos", str(listed), "--jobs", "2"]
        return [*head, *arguments]

    return line


@pytest.fixture
def fleet(tmp_path: Path, environment: dict[str, str], command: Callable[..., list[str]]) -> Fleet:
    """Runs the command over a list of repositories."""

    def run(repositories: list[object], *arguments: str, **variables: str) -> Run:
        done = subprocess.run(
            command(repositories, *arguments),
            cwd=tmp_path,
            env={**environment, **variables},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert "Traceback" not in done.stderr
        return Run(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def odd_git(tmp_path: Path) -> Callable[[str], str]:
    """A PATH with a git that runs some shell first, where the repository is called `victim`."""

    def path(shell: str) -> str:
        folder = tmp_path / "odd"
        folder.mkdir(exist_ok=True)
        real = shutil.which("git")
        script = f'#!/bin/sh\ncase "$* $PWD" in *victim*)\n{shell}\n;; esac\nexec {real} "$@"\n'
        (folder / "git").write_text(script)
        (folder / "git").chmod(0o755)
        return f"{folder}{os.pathsep}{os.environ['PATH']}"

    return path


@pytest.fixture
def journal(tmp_path: Path) -> Callable[[], list[str]]:
    """The repositories of the journal, a name for each time that one was done."""

    def repositories() -> list[str]:
        path = tmp_path / ".paged-attention-fleet" / "journal.jsonl"
        lines = path.read_bytes().splitlines() if path.exists() else []
        return [json.loads(line)["repository"] for line in lines]

    return repositories
