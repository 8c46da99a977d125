"""The README's diffs are what a rewrite does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from paged_attention_migrate.cli import main

README = Path(__file__).parents[2] / "README.md"
DIFFS = re.findall(r"^```diff\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def side(diff: str, sign: str) -> str:
    """The text before (-) or after (+) the change."""
    return "".join(f"{line[1:]}\n" for line in diff.splitlines() if not line or line[0] in f" {sign}")


@pytest.mark.parametrize("diff", DIFFS)
def test_a_rewrite_does_what_the_readme_shows(diff: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = tmp_path / "shown.py"
    shown.write_text(side(diff, "-"), encoding="utf-8")
    result = CliRunner().invoke(main, ["rewrite", "shown.py"])
    assert result.exit_code in {0, 1}, result.output
    assert shown.read_text(encoding="utf-8") == side(diff, "+")


def test_the_readme_shows_diffs() -> None:
    assert len(DIFFS) >= 5


def test_the_readme_names_the_hooks_that_there_are(checkout: Path) -> None:
    offered = re.findall(
        r"^- id: (\S+)", (checkout / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert set(re.findall(r"- id: (\S+)", README.read_text(encoding="utf-8"))) == set(offered)
