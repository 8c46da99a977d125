"""Who still calls: one warning and one count for a line, and what is reported of them, from one process or several."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from paged_attention_shim import install, report, uninstall, usage
from paged_attention_shim.usage import Report, Site, totals

Tree = Callable[[dict[str, str]], None]
CALLER = (Path(__file__).parent / "programs" / "caller.py").read_text()
OPS = {"vllm/__init__.py": "", "vllm/_custom_ops.py": "", "caller.py": CALLER}


@pytest.fixture
def caller(tree: Tree) -> Any:
    tree(OPS)
    sys.modules.pop("caller", None)
    install("forward")
    yield importlib.import_module("caller")
    sys.modules.pop("caller", None)


def line(text: str) -> int:
    return 1 + next(number for number, each in enumerate(CALLER.splitlines()) if each.strip().startswith(text))


def test_one_warning_for_a_line_that_points_at_it(caller: ModuleType) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            caller.first()
        caller.Layer().second()
    assert [(each.category, each.filename, each.lineno) for each in caught] == [
        (DeprecationWarning, caller.__file__, line("ops.paged_attention_v1")),
        (DeprecationWarning, caller.__file__, line("ops.paged_attention_v2")),
    ]
    assert str(caught[0].message) == (
        "paged_attention_v1 is gone since vLLM 0.25.0 (https://github.com/vllm-project/vllm/pull/47361); "
        f"this call was forwarded. `paged-attention-migrate rewrite {caller.__file__}` makes the edit."
    )


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_calls_are_counted_by_line(caller: ModuleType) -> None:
    layer = caller.Layer()
    for _ in range(3):
        caller.first()
        layer.third()
    caller.both()
    layer.second()
    path, owner = str(caller.__file__), "Layer." if sys.version_info >= (3, 11) else ""
    home, operators = "vllm._custom_ops", "torch.ops._C"
    assert set(report().sites) == {
        Site(path, line("ops.paged_attention_v1"), "first", "paged_attention_v1", home, 3),
        Site(path, line("torch.ops"), f"{owner}third", "paged_attention_v1", operators, 3),
        Site(path, line("def both") + 1, "both", "paged_attention_v1", home, 2),
        Site(
            path,
            line("ops.paged_attention_v2"),
            f"{owner}second",
            "paged_attention_v2",
            home,
            1,
        ),
    }
    assert [site.calls for site in report().sites] == [3, 3, 2, 1]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_threads_lose_no_call(caller: ModuleType) -> None:
    threads = [threading.Thread(target=lambda: [caller.first() for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [site.calls for site in report().sites] == [200]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_count_outlives_uninstalling(caller: ModuleType) -> None:
    caller.first()
    uninstall()
    assert [site.calls for site in report().sites] == [1]


def test_a_warning_that_is_an_error_stops_the_call(caller: ModuleType) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DeprecationWarning, match="this call was forwarded"):
            caller.first()
        caller.first()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_made_code_does_not_fill_the_memory(caller: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "_MOST_PLACES", 8)
    text = "caller.ops.paged_attention_v1(caller.out, caller.query, *caller.rest)"
    for _ in range(30):
        exec(compile(text, "<made>", "exec"), {"caller": caller})
    assert len(usage._places) <= 9
    assert [(site.path, site.calls) for site in report().sites] == [("<made>", 30)]


# The texts.


def test_the_summary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    sites = (
        Site(str(tmp_path / "serving" / "decode.py"), 41, "step", "paged_attention_v2", "vllm._custom_ops", 1204),
        Site("/elsewhere/kernels.py", 7, "<module>", "paged_attention_v1", "torch.ops._C", 1),
    )
    assert str(Report(sites)) == (
        "paged-attention-shim: 2 lines still called removed names, 1,205 calls:\n"
        f"  {Path('serving', 'decode.py')}:41 in step: paged_attention_v2, 1,204 calls\n"
        "  /elsewhere/kernels.py:7 in <module>: paged_attention_v1, 1 call\n"
        f"`paged-attention-migrate rewrite /elsewhere/kernels.py {Path('serving', 'decode.py')}` "
        "moves them to the call that survives."
    )
    assert str(Report(())) == "paged-attention-shim: no call of a removed name was forwarded."


def test_many_files_are_not_listed_in_the_command() -> None:
    sites = tuple(Site(f"/file{number}.py", 1, "f", "paged_attention_v1", "vllm._custom_ops", 1) for number in range(9))
    assert "`paged-attention-migrate rewrite PATH` moves them" in str(Report(sites))


def test_json() -> None:
    site = Site("/a.py", 3, "f", "paged_attention_v1", "vllm._custom_ops", 5)
    (record,) = [json.loads(each) for each in Report((site,)).to_json().splitlines()]
    assert len(record.pop("run")) == 32
    assert record == {
        "schema": 1, "tool": "paged-attention-shim", "pid": os.getpid(), "path": "/a.py", "line": 3, "function": "f",
        "name": "paged_attention_v1", "home": "vllm._custom_ops", "calls": 5,
    }  # fmt: skip


def test_sites_of_several_processes_are_added() -> None:
    site = Site("/a.py", 3, "f", "paged_attention_v1", "vllm._custom_ops", 5)
    assert totals([site, site._replace(line=4, calls=6), site]) == (
        site._replace(calls=10),
        site._replace(line=4, calls=6),
    )


# Whole programs.


def run(tmp_path: Path, program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    paths = ":".join([str(tmp_path), *sys.path])
    command = (sys.executable, "-c", program)
    wanted = {"PATH": os.environ["PATH"], "PYTHONPATH": paths, **environment}
    return subprocess.run(command, env=wanted, capture_output=True, text=True, check=False, cwd=tmp_path)


def records(path: Path) -> dict[tuple[str, str, int], int]:
    """The last count of every line of every process."""
    found = {}
    for text in path.read_text().splitlines():
        record = json.loads(text)
        found[record["run"], Path(record["path"]).name, record["line"]] = record["calls"]
    return found


START = "import paged_attention_shim; paged_attention_shim.install('forward'); import caller; "


def test_the_summary_at_exit(tree: Tree, tmp_path: Path) -> None:
    tree(OPS)
    done = run(tmp_path, START + "caller.first(); caller.first()")
    assert done.returncode == 0
    assert done.stderr == (
        "paged-attention-shim: 1 line still called removed names, 2 calls:\n"
        f"  caller.py:{line('ops.paged_attention_v1')} in first: paged_attention_v1, 2 calls\n"
        "`paged-attention-migrate rewrite caller.py` moves them to the call that survives.\n"
    )
    assert done.stdout == ""
    quiet = run(tmp_path, START + "pass")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


def test_a_report_of_several_processes(tree: Tree, tmp_path: Path) -> None:
    """Forked and spawned workers, one of which is killed, and many that write at once."""
    tree(OPS)
    program = """
import multiprocessing, os, signal, sys
import paged_attention_shim
paged_attention_shim.install("forward")
import caller

def work(number):
    for _ in range(number + 1):
        caller.first()

def die():
    caller.Layer().second()
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    caller.first()
    for how in ("fork", "spawn"):
        context = multiprocessing.get_context(how)
        workers = [context.Process(target=work, args=(number,)) for number in range(3)]
        for worker in [*workers, context.Process(target=die)]:
            worker.start()
            workers.append(worker)
        for worker in workers:
            worker.join()
"""
    (tmp_path / "program.py").write_text(program)
    report_file = tmp_path / "usage.jsonl"
    command = (sys.executable, "program.py")
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": ":".join([str(tmp_path), *sys.path]),
        "PAGED_ATTENTION_REPORT": "usage.jsonl",
    }
    subprocess.run(command, env=environment, capture_output=True, check=True, cwd=tmp_path)
    found = records(report_file)
    first = [calls for (_, _, number), calls in found.items() if number == line("ops.paged_attention_v1")]
    assert sorted(first) == [1, 1, 1, 2, 2, 3, 3]
    assert [calls for (_, _, number), calls in found.items() if number == line("ops.paged_attention_v2")] == [1, 1]


def test_a_report_that_cannot_be_written_is_said_and_nothing_stops(tree: Tree, tmp_path: Path) -> None:
    tree(OPS)
    done = run(tmp_path, START + "caller.first(); print('on')", PAGED_ATTENTION_REPORT="/nowhere/at/all")
    assert (done.returncode, done.stdout) == (0, "on\n")
    assert "paged-attention-shim: PAGED_ATTENTION_REPORT cannot be written: " in done.stderr


def test_a_fork_while_another_thread_counts(tree: Tree, tmp_path: Path) -> None:
    tree(OPS)
    program = START + (
        "import os, threading; from paged_attention_shim import usage, installing\n"
        "usage._lock.acquire(); installing._lock.acquire()\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    caller.first(); paged_attention_shim.uninstall(); os._exit(len(paged_attention_shim.report().sites))\n"
        "usage._lock.release(); installing._lock.release()\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), len(paged_attention_shim.report().sites))"
    )
    done = run(tmp_path, program)
    assert done.stdout == "1 0\n", done.stderr
