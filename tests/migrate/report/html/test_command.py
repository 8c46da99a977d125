"""The page as the commands print it: one on standard output, and what is written is what was asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from paged_attention_migrate.cli import main

TEXT = """\
from vllm import _custom_ops as ops


def small(out, q, kc, vc, scale, tables, lens, longest, ks, vs):
    ops.paged_attention_v1(out, q, kc, vc, 8, scale, tables, lens, 16, longest, None, "auto", ks, vs)
"""


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "calls.py"
    file.write_text(TEXT)
    return file


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--output-format", "html"])


@pytest.mark.usefixtures("calls")
def test_check_prints_a_page() -> None:
    done = run("check", "calls.py")
    assert done.exit_code == 1
    assert done.stdout.startswith("<!DOCTYPE html>")
    assert 'id="calls.py:5"' in done.stdout
    assert 'class="diff"' not in done.stdout
    assert done.stderr == ""


def test_a_clean_check_prints_a_page_too(calls: Path) -> None:
    calls.write_text("x = 1\n")
    done = run("check")
    assert done.exit_code == 0
    assert "Nothing was found." in done.stdout


def test_a_diff_writes_nothing(calls: Path) -> None:
    done = run("rewrite", "--diff", "calls.py")
    assert done.exit_code == 1
    assert "would be rewritten" in done.stdout
    assert 'class="diff"' in done.stdout
    assert calls.read_text() == TEXT


def test_a_rewrite_writes_and_shows_what(calls: Path) -> None:
    done = run("rewrite", "calls.py")
    assert done.exit_code == 0
    assert "would be" not in done.stdout
    assert "1 file rewritten" in done.stdout
    assert "from paged_attention_shim import paged_attention\n" in calls.read_text()


def test_a_refusal_is_on_the_page_and_on_standard_error(calls: Path) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    done = run("rewrite", "calls.py")
    assert done.exit_code == 2
    assert "calls.py has uncommitted changes, so nothing was written" in done.stderr
    assert "has uncommitted changes, so nothing was written" in done.stdout
    assert "1 file would be rewritten" in done.stdout
    assert calls.read_text() == TEXT


def test_text_output_loads_nothing_of_the_page(calls: Path) -> None:
    code = (
        "import sys; from click.testing import CliRunner; from paged_attention_migrate.cli import main; "
        f"CliRunner().invoke(main, ['check', {str(calls)!r}]); "
        "print(any('report.html' in name for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
