"""The pytest plugin, in test runs of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

CALLER = (Path(__file__).parent / "programs" / "caller.py").read_text()
TESTS = """
import warnings
import caller


def test_first():
    caller.first()
    caller.first()


def test_second():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        caller.Layer().second()


def test_that_is_not_concerned():
    pass
"""
NAME = "paged_attention_shim.pytest_plugin"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def suite(tmp_path: Path) -> Run:
    """Runs a test suite that calls removed names."""
    files = {"vllm/__init__.py": "", "vllm/_custom_ops.py": "", "caller.py": CALLER, "test_suite.py": TESTS}
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)

    def run(*arguments: str, configured: str = "") -> subprocess.CompletedProcess[str]:
        (tmp_path / "pytest.ini").write_text(f"[pytest]\n{configured}\n")
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": ":".join([str(tmp_path), *sys.path]),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *arguments)
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return run


def line(text: str) -> int:
    return 1 + next(number for number, each in enumerate(CALLER.splitlines()) if each.strip().startswith(text))


def table(done: subprocess.CompletedProcess[str]) -> list[str]:
    lines = done.stdout.splitlines()
    start = next(number for number, text in enumerate(lines) if " removed paged attention " in text)
    return [text for text in lines[start + 1 : start + 5] if not text.startswith(("=", "3 passed"))]


def test_asked_for_by_name(suite: Run) -> None:
    owner = "Layer." if sys.version_info >= (3, 11) else ""
    done = suite("-p", NAME)
    assert done.returncode == 0, done.stdout
    assert table(done) == [
        "paged-attention-shim: 2 lines still called removed names, 3 calls:",
        f"  caller.py:{line('ops.paged_attention_v1')} in first: paged_attention_v1, 2 calls",
        f"  caller.py:{line('ops.paged_attention_v2')} in {owner}second: paged_attention_v2, 1 call",
        "`paged-attention-migrate rewrite caller.py` moves them to the call that survives.",
    ]
    assert "DeprecationWarning" not in done.stdout
    assert done.stderr == ""


def test_as_an_error(suite: Run) -> None:
    done = suite("-p", NAME, "--removed-paged-attention=error")
    assert done.returncode == 1
    assert "3 passed" in done.stdout
    assert "failed by --removed-paged-attention=error" in done.stdout


def test_as_an_error_without_a_call(suite: Run) -> None:
    done = suite("-p", NAME, "--removed-paged-attention=error", "-k", "concerned")
    assert done.returncode == 0
    assert table(done)[0] == "no call of a removed name"


def test_loaded_but_not_asked_for(suite: Run) -> None:
    done = suite("-p", NAME, "--removed-paged-attention=off")
    assert done.returncode == 1
    assert "has no attribute 'paged_attention_v1'" in done.stdout
    assert "removed paged attention" not in done.stdout


def test_configured(suite: Run) -> None:
    done = suite("-p", NAME, configured="removed_paged_attention = error")
    assert done.returncode == 1
    assert "failed by" in done.stdout
    strange = suite("-p", NAME, configured="removed_paged_attention = warn")
    assert strange.returncode == 4
    assert "removed_paged_attention is 'warn'; off, forward, error are accepted" in strange.stderr


@pytest.mark.skipif(find_spec("xdist") is None, reason="pytest-xdist is not installed")
def test_workers_report_to_the_controller(suite: Run) -> None:
    done = suite("-p", "xdist", "-n", "2", "-p", NAME, "--removed-paged-attention=error")
    assert done.returncode == 1, done.stdout
    assert "2 lines still called removed names, 3 calls" in done.stdout
