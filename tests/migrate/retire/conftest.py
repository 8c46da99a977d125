"""Small trees, written as texts of several files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

collect_ignore = ["cases"]

Build = Callable[[dict[str, str]], Path]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Writes files by path and makes the tree's root the working directory."""

    def built(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        monkeypatch.chdir(tmp_path)
        return tmp_path

    return built
