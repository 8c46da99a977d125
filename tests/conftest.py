"""What every test may rely on: a git that reads no configuration of the machine, and examples without a clock."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("unhurried", deadline=None)  # a loaded machine is no bug of ours
settings.load_profile("unhurried")


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of whoever runs the tests decides what the code under test does."""
    for name in os.environ:
        if name.startswith(("GIT_", "PAGED_ATTENTION_")) or name in {"NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"}:
            monkeypatch.delenv(name)
    for name, value in {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A U Thor",
        "GIT_AUTHOR_EMAIL": "author@example.invalid",
        "GIT_COMMITTER_NAME": "C O Mitter",
        "GIT_COMMITTER_EMAIL": "committer@example.invalid",
    }.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The root of this checkout."""
    return Path(__file__).parent.parent
