"""A fleet on a real Dask cluster: a scheduler and two workers of their own, on loopback."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from paged_attention_migrate.fleet.cluster import Unusable, outcomes_there

pytest.importorskip("distributed", reason="distributed, the extra `fleet`, is not installed")
pytestmark = pytest.mark.slow

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def start(tmp_path: Path, environment: dict[str, str]) -> Iterator[Start]:
    """Starts a part of a cluster, and ends all of them after the test."""
    running: list[subprocess.Popen[bytes]] = []

    def process(module: str, *arguments: str, **variables: str) -> subprocess.Popen[bytes]:
        with open(tmp_path / f"{len(running)}.log", "wb") as log:
            running.append(
                subprocess.Popen(
                    [sys.executable, "-m", f"distributed.cli.{module}", *arguments],
                    cwd=tmp_path,
                    env={**environment, **variables},
                    stdout=log,
                    stderr=log,
                )
            )
        return running[-1]

    yield process
    for each in running:
        each.kill()
    for each in running:
        each.wait()


@pytest.fixture
def scheduler(start: Start, tmp_path: Path) -> str:
    """The address of a scheduler."""
    process = start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    for _ in range(600):
        found = re.search(r"tcp://127\.0\.0\.1:\d+", (tmp_path / "0.log").read_text())
        if found:
            return found[0]
        assert process.poll() is None
        time.sleep(0.05)
    raise AssertionError("the scheduler gives no address")


@pytest.fixture
def add_worker(start: Start, scheduler: str, tmp_path: Path) -> Callable[..., None]:
    """Starts a worker and waits until it is known."""

    def worker(**variables: str) -> None:
        distributed: Any = import_module("distributed")

        options = ["--no-nanny", "--nthreads", "2", "--no-dashboard", "--local-directory", str(tmp_path / "dask")]
        with distributed.Client(scheduler, set_as_default=False) as client:
            before = len(client.scheduler_info(n_workers=-1)["workers"])
            start("dask_worker", scheduler, "--host", "127.0.0.1", *options, **variables)
            client.wait_for_workers(before + 1, timeout=60)

    return worker


def failures(run: Any) -> list[str | None]:
    return [each["failure"] for each in run.json["repositories"]]


def test_two_workers_find_what_one_machine_finds(
    fleet: Any, make: Any, add_worker: Any, scheduler: str, journal: Any
) -> None:
    add_worker()
    add_worker()
    listed = [f"file://{make(name)}" for name in "abcdef"] + ["nowhere", "ext::sh -c x"]
    there = fleet(listed, "--cluster", scheduler, "--output-format", "json")
    assert (there.code, len(journal())) == (2, 6)
    assert there.out == fleet(listed, "--output-format", "json", "--restart").out


def test_a_worker_that_is_killed_costs_no_repository(
    fleet: Any, make: Any, add_worker: Any, scheduler: str, odd_git: Any, tmp_path: Path, journal: Any
) -> None:
    # The first git that works on the victim kills the worker above its own process, and goes on as an orphan.
    shell = f"""if mkdir {tmp_path}/once 2>/dev/null; then
        kill -9 $(cut -d ' ' -f 4 /proc/$PPID/stat); sleep 600
    fi"""
    path = odd_git(shell)
    add_worker(PATH=path)
    add_worker(PATH=path)
    listed = [f"file://{make(name)}" for name in [*"abcdef", "victim", *"ghijkl"]]
    run = fleet(listed, "--cluster", scheduler, "--output-format", "json")
    assert (tmp_path / "once").exists()
    assert failures(run) == [None] * 13
    assert [each["repository"] for each in run.json["repositories"]] == listed
    assert [len(each["result"]["findings"]) for each in run.json["repositories"]] == [1] * 13
    assert (run.code, sorted(journal())) == (1, sorted(listed))


def test_a_password_does_not_reach_what_the_cluster_writes(
    fleet: Any, add_worker: Any, scheduler: str, tmp_path: Path
) -> None:
    add_worker()
    run = fleet(["https://me:hunter2@localhost:1/x"], "--cluster", scheduler)
    assert run.code == 2
    logs = "".join(path.read_text() for path in tmp_path.glob("*.log"))
    assert "hunter2" not in run.out + run.err + logs


def test_a_worker_with_another_version_is_said(
    fleet: Any, make: Any, add_worker: Any, scheduler: str, tmp_path: Path
) -> None:
    root = make("one")
    other = tmp_path / "other" / "paged_attention_migrate"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("__version__ = '0.0.1'\n")
    add_worker(PYTHONPATH=str(other.parent))
    run = fleet([root], "--cluster", scheduler)
    assert (run.code, run.out) == (2, "")
    assert "has paged-attention-migrate 0.0.1, and this is" in run.err


def test_a_cluster_without_workers_is_said(fleet: Any, make: Any, scheduler: str) -> None:
    run = fleet([make("one")], "--cluster", scheduler)
    assert (run.code, run.out) == (2, "")
    assert "has no worker" in run.err


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://x", "127.0.0.1"])
def test_a_scheduler_that_is_not_there_is_one_sentence(address: str, fleet: Any, make: Any) -> None:
    run = fleet([make("one")], "--cluster", address, DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT="1s")
    assert (run.code, run.out) == (2, "")
    assert f"the scheduler {address} cannot be reached" in run.err
    assert run.err.count("\n") == 1


def test_distributed_that_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Unusable, match=r"paged-attention-migrate\[fleet\]"):
        next(outcomes_there([], "tcp://127.0.0.1:1"))
