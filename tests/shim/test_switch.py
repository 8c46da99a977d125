"""PAGED_ATTENTION_SHIM in the environment, and what starts because of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from paged_attention_shim import install, switch, uninstall, vllm_plugin
from paged_attention_shim.forward import Options
from paged_attention_shim.switch import VARIABLE, Wanted

EVERY = Wanted("forward", Options(fill_scratch=True, from_version="0.4.2", rocm=True))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("off", None),
        ("", None),
        (" error ", Wanted("error")),
        ("forward", Wanted("forward")),
        ("forward, fill_scratch", Wanted("forward", Options(fill_scratch=True))),
        ("forward,from=0.4.2,rocm,fill_scratch", EVERY),
    ],
)
def test_what_it_means(monkeypatch: pytest.MonkeyPatch, text: str, wanted: Wanted | None) -> None:
    monkeypatch.setenv(VARIABLE, text)
    assert switch.read() == wanted


@pytest.mark.parametrize("wanted", [Wanted("error"), Wanted("forward"), EVERY])
def test_it_is_written_as_it_is_read(monkeypatch: pytest.MonkeyPatch, wanted: Wanted) -> None:
    monkeypatch.setenv(VARIABLE, switch.text(wanted))
    assert switch.read() == wanted


@pytest.mark.parametrize("text", ["on", "forward;rocm", "off,rocm", "forward,fast", "error,from=", "forward,from=x"])
def test_what_it_cannot_mean_is_said_in_one_line_and_nothing_stops(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    monkeypatch.setenv(VARIABLE, text)
    monkeypatch.setattr(switch, "_complained", False)
    finders = list(sys.meta_path)
    switch.on()
    switch.on()
    told = capsys.readouterr().err
    assert told.startswith("paged-attention-shim: ")
    assert told.count("\n") == 1
    assert told.endswith("accepted; it stays off\n")
    assert sys.meta_path == finders


def test_processes_started_later_do_the_same() -> None:
    install("forward", rocm=True)
    assert os.environ[VARIABLE] == "forward,rocm"
    install("error")
    assert os.environ[VARIABLE] == "error"
    uninstall()
    assert VARIABLE not in os.environ


def test_what_the_environment_said_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "off")
    install("forward")
    uninstall()
    assert os.environ[VARIABLE] == "off"


@pytest.mark.parametrize(("text", "mode"), [("", "error"), ("error", "error"), ("forward", "forward"), ("off", "off")])
def test_vllms_plugin(monkeypatch: pytest.MonkeyPatch, text: str, mode: str) -> None:
    finders = len(sys.meta_path)
    monkeypatch.setenv(VARIABLE, text)
    vllm_plugin.load()
    vllm_plugin.load()
    assert len(sys.meta_path) - finders == (mode != "off")
    assert os.environ[VARIABLE] == (mode if mode != "off" else "off")


def test_importing_the_shim_starts_nothing_and_loads_nothing_heavy() -> None:
    program = (
        "import sys; before = list(sys.meta_path); import paged_attention_shim; "
        "assert sys.meta_path == before; "
        "heavy = {'torch', 'triton', 'numpy', 'libcst', 'click', 'paged_attention_kernels'} & set(sys.modules); "
        "assert not heavy, heavy; paged_attention_shim.install('forward'); "
        "heavy = {'torch', 'triton', 'numpy', 'paged_attention_kernels', 'vllm'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    shim = Path(switch.__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": str(shim), VARIABLE: "forward"}
    subprocess.run((sys.executable, "-c", program), env=environment, check=True)
