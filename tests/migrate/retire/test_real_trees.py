"""Real vLLM sources of five eras, retired and held against what pull request #47361 did.

PAGED_ATTENTION_VLLM_SOURCES names a folder that holds them as `vllm-0.24.0` and so on, and may hold forks beside them.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from paged_attention_migrate.cli import main

pytest.importorskip("tree_sitter_cuda", reason="the extra `native` is not installed")

VARIABLE = "PAGED_ATTENTION_VLLM_SOURCES"
SOURCES = os.environ.get(VARIABLE)
ERAS = ("vllm-0.24.0", "vllm-0.8.5", "vllm-0.6.6", "vllm-0.4.2", "vllm-0.2.7")
NAME = re.compile(r"(?<!\w)(?:paged_attention_v[12]|single_query_cached_kv_attention)(?!\w)")
# Operators of AITER and of Intel's extension have the same names, and so has what only speaks of the functions.
OTHERS = re.compile(r"aiter|ipex|torch\.xpu|^\s*#|:\s*#")

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not SOURCES, reason=f"{VARIABLE} names no folder with the sources of vLLM"),
]


def git(tree: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(tree), *arguments], check=True, capture_output=True, text=True).stdout


def copied(name: str, into: Path) -> Path:
    source = Path(SOURCES or "") / name
    if not source.is_dir():
        pytest.skip(f"{source} is not there")
    tree = into / name
    shutil.copytree(source, tree, ignore=shutil.ignore_patterns(".git"), symlinks=True)
    git(into, "init", "-q", str(tree))
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "as released")
    return tree


@pytest.fixture(params=ERAS)
def tree(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = copied(request.param, tmp_path)
    monkeypatch.chdir(found)
    return found


def tool(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def texts(tree: Path, *suffixes: str) -> dict[str, str]:
    names = git(tree, "ls-files").splitlines()
    files = (tree / name for name in names if name.endswith(suffixes))
    return {str(path.relative_to(tree)): path.read_text(errors="replace") for path in files if path.is_file()}


def missing_sources(tree: Path) -> set[str]:
    lists = texts(tree, ".cmake", "CMakeLists.txt", "setup.py")
    named = {path for text in lists.values() for path in re.findall(r'"(csrc/[\w./-]+\.(?:cu|cpp|cc))"', text)}
    return {path for path in named if not (tree / path).exists()}


def undeclared(tree: Path) -> set[str]:
    """Functions that C++ registers and that no file declares or defines."""
    sources = texts(tree, ".cpp", ".cu", ".h", ".cuh", ".hpp")
    words = {path: set(re.findall(r"(\w+)\s*\(", text)) for path, text in sources.items()}
    registered = {
        name
        for path, text in sources.items()
        if "bind" in path
        for name in re.findall(r"(?:impl|def)\([^;]*?&(\w+)", text)
    }
    return {name for name in registered if not any(name in each for path, each in words.items() if "bind" not in path)}


def undefined(tree: Path) -> set[str]:
    """Functions that the header of operators declares and that no source defines."""
    sources = texts(tree, ".cpp", ".cu").values()
    headers = [text for path, text in texts(tree, ".h").items() if path.endswith("ops.h")]
    declared = {name for text in headers for name in re.findall(r"^[\w:]+ (\w+)\(", text, flags=re.MULTILINE)}
    return {name for name in declared if not any(re.search(rf"\s{name}\s*\(", text) for text in sources)}


def test_a_tree_is_consistent_afterwards(tree: Path) -> None:
    missing, unknown, only_declared = missing_sources(tree), undeclared(tree), undefined(tree)
    done = tool("retire")
    assert done.exit_code == 0, done.stdout
    assert missing_sources(tree) <= missing
    assert undeclared(tree) <= unknown
    assert undefined(tree) <= only_declared
    for name in git(tree, "diff", "--name-only", "--diff-filter=M").splitlines():
        if name.endswith(".py"):
            ast.parse((tree / name).read_text())


def test_no_reference_is_left_but_those_of_others(tree: Path) -> None:
    tool("retire")
    left = [
        f"{path}:{line}"
        for path, text in texts(tree, ".py", ".cpp", ".cu", ".h", ".cuh", ".hpp", ".cmake", ".txt").items()
        for line in text.splitlines()
        if NAME.search(line) and not path.endswith("SOURCES.txt")
    ]
    assert [line for line in left if not OTHERS.search(line)] == []


def test_a_second_run_changes_nothing_and_a_check_is_quiet(tree: Path) -> None:
    tool("retire")
    before = git(tree, "diff")
    again = tool("retire", "--allow-dirty")
    assert (again.exit_code, again.stdout) == (0, "")
    assert git(tree, "diff") == before
    checked = tool("check")
    assert (checked.exit_code, checked.stdout) == (0, "")


def test_the_patch_says_the_same_and_undo_takes_it_back(tree: Path) -> None:
    patch = tool("retire", "--diff").stdout
    tool("retire")
    written = git(tree, "diff")
    assert tool("undo").exit_code == 0
    assert git(tree, "status", "--porcelain") == ""
    subprocess.run(["git", "apply", "-"], input=patch, cwd=tree, check=True, text=True)
    assert git(tree, "diff") == written


def test_the_last_release_comes_out_as_the_pull_request_left_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = copied("vllm-0.24.0", tmp_path)
    monkeypatch.chdir(tree)
    tool("retire")
    changed = {}
    for line in git(tree, "diff", "--numstat").splitlines():
        added, deleted, name = line.split("\t")
        changed[name] = int(added), int(deleted)
    attention = "csrc/libtorch_stable/attention"
    by_hand = {"benchmarks/kernels/benchmark_paged_attention.py", "tests/kernels/attention/test_attention.py"}
    assert {name: count for name, count in changed.items() if name not in by_hand} == {
        "CMakeLists.txt": (0, 2),
        f"{attention}/attention_kernels.cuh": (0, 667),
        f"{attention}/paged_attention_v1.cu": (0, 190),
        f"{attention}/paged_attention_v2.cu": (0, 202),
        "csrc/libtorch_stable/ops.h": (0, 26),
        "csrc/libtorch_stable/torch_bindings.cpp": (0, 30),
        "vllm/_custom_ops.py": (0, 94),
    }
    assert by_hand <= set(changed)
    for name in by_hand:
        text = (tree / name).read_text()
        assert "version" not in re.sub(r"only version rocm is left|pytest\.mark", "", text)
        assert "custom_paged_attn" not in text
        assert text.count("paged_attention_rocm(") == 1


@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("regex", "requests", "psutil", "zmq", "torch")),
    reason="vLLM imports regex, requests, psutil, pyzmq and torch",
)
def test_the_wrappers_of_the_last_release_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = copied("vllm-0.24.0", tmp_path)
    monkeypatch.chdir(tree)
    tool("retire")
    code = "import vllm._custom_ops as ops; print(sorted(name for name in dir(ops) if 'paged_attention' in name))"
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.splitlines()[-1] == "['paged_attention_rocm']"
