"""The bar shows up late, never too often, and leaves nothing behind."""

from __future__ import annotations

import io
import time

import pytest

from paged_attention_migrate.report.progress import Progress, bar


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_a_short_run_shows_nothing(clock: list[float]) -> None:
    stream = io.StringIO()
    with Progress(stream) as shown:
        for done in range(100):
            clock[0] += 0.019
            shown(done, 100)
    assert stream.getvalue() == ""


def test_a_long_run_shows_a_bar_and_wipes_it(clock: list[float]) -> None:
    stream = io.StringIO()
    with Progress(stream) as shown:
        clock[0] += 2.5
        shown(50, 100)
        assert stream.getvalue() == "\r" + bar(50, 100)
        shown(51, 100)
        assert stream.getvalue().count("\r") == 1
        clock[0] += 0.2
        shown(52, 100)
        assert stream.getvalue().count("\r") == 2
    assert stream.getvalue().endswith("\r" + " " * len(bar(52, 100)) + "\r")
    assert "\n" not in stream.getvalue()


def test_it_is_wiped_when_the_run_fails(clock: list[float]) -> None:
    stream = io.StringIO()

    def fail() -> None:
        with Progress(stream) as shown:
            clock[0] += 3
            shown(1, 2)
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        fail()
    assert stream.getvalue().endswith(" \r")


def test_it_fits_a_narrow_terminal(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    stream = io.StringIO()
    with Progress(stream) as shown:
        clock[0] += 3
        shown(1, 3519)
    assert max(len(part) for part in stream.getvalue().split("\r")) < 20


def test_no_files_is_no_bar(clock: list[float]) -> None:
    stream = io.StringIO()
    with Progress(stream) as shown:
        clock[0] += 3
        shown(0, 0)
    assert stream.getvalue() == ""


def test_what_the_bar_looks_like() -> None:
    assert bar(0, 3) == "[------------------------------] 0 of 3 files"
    assert bar(3519, 7038) == "[###############---------------] 3519 of 7038 files"
    assert bar(9, 3).startswith("[##############################]")
