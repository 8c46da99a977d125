"""Colours on a terminal only, unless somebody asks."""

from __future__ import annotations

import io

import pytest

from paged_attention_migrate.report.colour import Paint, wanted


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def test_a_terminal_gets_them_and_a_file_does_not() -> None:
    assert wanted("auto", Screen())
    assert not wanted("auto", io.StringIO())


def test_a_dumb_terminal_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert not wanted("auto", Screen())


@pytest.mark.parametrize(
    ("environment", "terminal", "expected"),
    [
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": ""}, False, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
    ],
)
def test_the_environment(
    environment: dict[str, str], terminal: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wanted("auto", Screen() if terminal else io.StringIO()) is expected


def test_the_option_is_stronger_than_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert wanted("always", io.StringIO())
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert not wanted("never", Screen())


def test_paint() -> None:
    assert Paint(False)("x", "error") == "x"
    assert Paint(True)("x", "added") == "\x1b[32mx\x1b[0m"
