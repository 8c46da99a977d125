"""How long the tool takes beside git grep, ruff and LibCST's own runner.

    python benchmarks/speed.py CLEAN CALLERS

CLEAN is a checkout of a vLLM release without the functions (0.25.1), CALLERS one with them (0.24.0), both git trees.
Every round runs every command once, so that a slow moment of the machine meets them all; medians are printed.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

TOOL = [str(Path(sys.executable).with_name("paged-attention-migrate"))]
CLICK = [sys.executable, "-c", "import click"]
PATTERN = "paged_attention_v[12]"


class Command(NamedTuple):
    """What is timed: where, and what."""

    name: str
    directory: Path
    arguments: Sequence[str]
    once: bool = False


def main() -> None:
    """Time everything and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clean", type=Path)
    parser.add_argument("callers", type=Path)
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    clean, callers = given.clean.resolve(), given.callers.resolve()
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "ruff.toml"
        settings.write_text(_ruff_settings(), encoding="utf-8")
        commands = list(_commands(clean, callers, settings))
        times = _time(commands, given.rounds)
    _print(commands, times, _python_files(clean), _python_files(callers))


def _commands(clean: Path, callers: Path, settings: Path) -> list[Command]:
    twenty = _git(clean, "ls-files", "vllm/model_executor/*.py").split()[:20]
    sample = _git(callers, "ls-files", "*.py").split()[::40]
    sample += [path for path in _git(callers, "grep", "-lE", PATTERN, "--", "*.py").split() if path not in sample]
    runner = [sys.executable, "-m", "libcst.tool", "codemod", "rename.RenameCommand", "-u", "3", "--no-format"]
    renamed = [
        "--old_name",
        "vllm._custom_ops.paged_attention_v1",
        "--new_name",
        "paged_attention_shim:paged_attention",
    ]
    ruff = [sys.executable, "-m", "ruff", "check", "--no-cache", "--quiet", "--config", str(settings), "."]
    return [
        Command("python -c 'import click'", clean, CLICK),
        Command("git grep, clean tree", clean, ["git", "grep", "-lE", PATTERN]),
        Command("check, clean tree", clean, [*TOOL, "check"]),
        Command("check, 20 named files", clean, [*TOOL, "check", *twenty]),
        Command("--version", clean, [*TOOL, "--version"]),
        Command("git grep, tree with callers", callers, ["git", "grep", "-lE", PATTERN]),
        Command("check, tree with callers", callers, [*TOOL, "check", "--force-callers"]),
        Command("rewrite --diff, tree with callers", callers, [*TOOL, "rewrite", "--diff", "--force-callers"]),
        Command("rewrite --diff, every 40th file", callers, [*TOOL, "rewrite", "--diff", "--force-callers", *sample]),
        Command("LibCST's runner, the same files", callers, [*runner, *renamed, *sample], once=True),
        Command("ruff TID251 without cache", callers, ruff),
    ]


def _time(commands: Sequence[Command], rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {command.name: [] for command in commands}
    for number in range(rounds):
        for command in commands:
            if command.once and number:
                continue
            start = time.perf_counter()
            subprocess.run(command.arguments, cwd=command.directory, capture_output=True, check=False)
            times[command.name].append(time.perf_counter() - start)
    return times


def _print(commands: Sequence[Command], times: dict[str, list[float]], clean: int, callers: int) -> None:
    median = {command.name: statistics.median(times[command.name]) for command in commands}
    start = median["python -c 'import click'"]
    bounds = {
        "check, clean tree": (1.5, "git grep, clean tree", start),
        "check, 20 named files": (1.3, "python -c 'import click'", 0.0),
        "--version": (2.0, "python -c 'import click'", 0.0),
        "check, tree with callers": (3.0, "git grep, tree with callers", start),
    }
    print(f"{clean} Python files without callers, {callers} with; medians, Python {sys.version.split()[0]}.\n")
    print("| command | ms | of its bound |\n|---|---|---|")
    for name, seconds in median.items():
        bound = ""
        if name in bounds:
            factor, other, extra = bounds[name]
            allowed = factor * median[other] + extra
            bound = f"{seconds / allowed:.2f} of {factor} x {other}{' + start' if extra else ''}"
        print(f"| {name} | {seconds * 1000:.0f} | {bound} |")
    ratio = median["LibCST's runner, the same files"] / median["rewrite --diff, every 40th file"]
    print(f"\nLibCST's runner, timed once, takes {ratio:.0f} times as long on the same files.")
    print(f"Largest memory of any of these processes: {_largest_memory()} MiB.")


def _largest_memory() -> int:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


def _python_files(tree: Path) -> int:
    return len(_git(tree, "ls-files", "*.py").splitlines())


def _git(tree: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(tree), *arguments], capture_output=True, text=True, check=False).stdout


def _ruff_settings() -> str:
    homes = ("vllm._custom_ops", "torch.ops._C")
    banned = [f'"{home}.paged_attention_{version}".msg = "gone"' for home in homes for version in ("v1", "v2")]
    lines = ['lint.select = ["TID251"]', "[lint.flake8-tidy-imports.banned-api]", *banned]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
