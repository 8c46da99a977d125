"""The page about these names says what happens."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from paged_attention_migrate.module import Facts
from paged_attention_migrate.own.table import KEYS
from paged_attention_migrate.settings import load
from paged_attention_migrate.study import Wanted, study


def blocks(checkout: Path, language: str) -> list[str]:
    text = (checkout / "docs" / "your-own-names.md").read_text(encoding="utf-8")
    return [match[1] for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)]


def test_the_table_makes_the_diff(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(blocks(checkout, "toml")[0], encoding="utf-8")
    lines = blocks(checkout, "diff")[0].splitlines(keepends=True)
    before, after = ("".join(line[1:] or line for line in lines if line[0] != sign) for sign in "+-")
    found = study("case.py", before.encode(), load(str(tmp_path)), Facts(), Wanted(rewrite=True))
    assert found.after is not None
    assert found.after.decode() == after


def test_every_example_is_taken(checkout: Path, tmp_path: Path) -> None:
    for text in blocks(checkout, "toml"):
        (tmp_path / "pyproject.toml").write_text(textwrap.dedent(text), encoding="utf-8")
        assert len(load(str(tmp_path)).removed) == 1


def test_every_key_is_described(checkout: Path) -> None:
    text = (checkout / "docs" / "your-own-names.md").read_text(encoding="utf-8")
    rows = "".join(line for line in text.splitlines() if line.startswith("| `"))
    assert all(f"`{key}`" in rows for key in KEYS)
