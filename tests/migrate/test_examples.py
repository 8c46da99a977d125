"""The sample repository shows the whole job: everything rewritten that can be, the rest told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from paged_attention_migrate.cli import main


@pytest.fixture
def backend(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy = shutil.copytree(checkout / "examples" / "serving-backend", tmp_path / "backend")
    monkeypatch.chdir(copy)
    return copy


def found(command: str, expected: int) -> list[dict[str, Any]]:
    result = CliRunner().invoke(main, [command, "--output-format", "json"])
    assert result.exit_code == expected, result.output
    findings: list[dict[str, Any]] = json.loads(result.stdout)["findings"]
    return findings


def test_a_rewrite_leaves_only_what_is_for_a_person(backend: Path) -> None:
    found("rewrite", 1)
    left = {(each["path"], each["code"]) for each in found("check", 1)}
    assert left == {("serving/capabilities.py", "PAM105")}
    for path in backend.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        compile(text, str(path), "exec")
        assert "paged_attention_v" not in text or path.name == "capabilities.py"


def test_a_second_rewrite_changes_nothing(backend: Path) -> None:
    found("rewrite", 1)
    before = {path: path.read_bytes() for path in backend.rglob("*.py")}
    found("rewrite", 1)
    assert {path: path.read_bytes() for path in backend.rglob("*.py")} == before


def test_the_file_that_calls_nothing_removed_stays(backend: Path) -> None:
    before = (backend / "serving" / "blocks.py").read_bytes()
    found("rewrite", 1)
    assert (backend / "serving" / "blocks.py").read_bytes() == before
