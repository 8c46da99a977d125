"""vLLM's own tests and benchmark of paged attention, unchanged, on the shim, on an NVIDIA GPU.

    python benchmarks/upstream.py SOURCES [--workers N] [--release 0.24.0] [--json FILE] [-k EXPRESSION]

SOURCES holds vllm-0.24.0 and vllm-0.25.1, as tests/shim/fetch_vllm_sources.py downloads them. Of 0.24.0 the cases of
v1 and v2 run, with removed names forwarded; of 0.25.1 those of paged_attention_rocm, which were written for AMD's GPUs
alone: their guard is told that this is one. vLLM's compiled library is not needed; unbuilt_vllm has the two of its
operators that the tests call beside attention. What vLLM's sources import must be installed, and pytest-xdist for
several workers.

Prints how many cases passed, failed and were skipped. Exits with 1 if an attention case did anything but pass.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import torch

CHECKOUT = Path(__file__).parents[1]
TESTS = "tests/kernels/attention/test_attention.py"
BENCHMARK = "benchmarks/kernels/benchmark_paged_attention.py"
ATTENTION = "test_paged_attention"
WITH = "0.24.0"  # the last release that has the functions


class Module(NamedTuple):
    """A release whose test module runs, and how."""

    release: str
    switch: str
    options: tuple[str, ...]


MODULES = (Module(WITH, "forward", ()), Module("0.25.1", "forward,rocm", ("--guarded-by-rocm",)))


def main() -> None:
    """Run everything, print and write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="?", type=Path)
    parser.add_argument("--release", action="append", choices=[module.release for module in MODULES], help="only this")
    parser.add_argument("--workers", type=int, default=1, help="processes that share the GPU, each with up to 18 GB")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    parser.add_argument("-k", default="", help="run the cases that match only, as pytest does")
    parser.add_argument("--collect-only", action="store_true", help="import the modules and count their cases")
    given = parser.parse_args()
    if given.sources is None or not (torch.cuda.is_available() or given.collect_only):
        print("upstream's tests were not run: they need a folder with vLLM's sources and an NVIDIA GPU")
        return
    sources = given.sources.resolve()
    results: dict[str, Any] = {"device": _device(), "torch": torch.__version__, "modules": [], "benchmarks": []}
    releases = given.release or [module.release for module in MODULES]
    for module in MODULES:
        if module.release in releases:
            results["modules"].append(tested(module, sources, given))
    if WITH in releases and not given.collect_only and not given.k:
        results["benchmarks"] = [benchmarked(sources, version) for version in ("v1", "v2")]
    if given.json:
        given.json.write_text(json.dumps(results, indent=2) + "\n")
    sys.exit(not given.collect_only and not all(each["passed"] for each in results["modules"] + results["benchmarks"]))


def _device() -> str:
    return torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"


def tested(module: Module, sources: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Run the test module of one release."""
    tree = sources / f"vllm-{module.release}"
    digest = hashlib.sha256((tree / TESTS).read_bytes()).hexdigest()
    print(f"vLLM {module.release}, {TESTS} (SHA-256 {digest})", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        found, settings = Path(folder) / "cases.xml", Path(folder) / "pytest.ini"
        settings.write_text("[pytest]\n")  # not those of a project that the sources lie in
        command = [
            sys.executable, "-m", "pytest", TESTS, "-q", "--tb=short", "--durations=3",
            "-c", str(settings), "--rootdir", ".", "-p", "no:cacheprovider",
            "-p", "unbuilt_vllm.pytest_plugin", "-p", "paged_attention_shim.pytest_plugin",
            "--confcutdir", "tests/kernels/attention", "--junitxml", str(found), "-k", given.k, *module.options,
            *(["-n", str(given.workers)] if given.workers > 1 else []),
            *(["--collect-only"] if given.collect_only else []),
        ]  # fmt: skip
        done = subprocess.run(command, cwd=tree, env=_environment(tree, module.switch, folder), check=False)
        cases = {} if given.collect_only or not found.exists() else counted(found)
    for name, outcomes in cases.items():
        print(f"  {name}: {', '.join(f'{number} {outcome}' for outcome, number in outcomes.items())}", flush=True)
    attention = [set(outcomes) for name, outcomes in cases.items() if name.startswith(ATTENTION)]
    return {
        "release": module.release,
        "sha256": digest,
        "cases": cases,
        "passed": bool(attention) and all(outcomes == {"passed"} for outcomes in attention),
        "exit_status": done.returncode,
    }


def counted(cases: Path) -> dict[str, dict[str, int]]:
    """The outcomes of each test function, with the version of the function that it calls."""
    outcomes: dict[str, Counter[str]] = {}
    for case in ET.parse(cases).getroot().iter("testcase"):
        name, _, parameters = case.get("name", "").partition("[")
        version = parameters.rstrip("]").rpartition("-")[2]
        label = f"{name} {version}" if version in {"v1", "v2"} else name
        outcome = next((each.tag for each in case if each.tag in {"failure", "error", "skipped"}), "passed")
        outcomes.setdefault(label, Counter())[{"failure": "failed"}.get(outcome, outcome)] += 1
    return {name: dict(counts) for name, counts in sorted(outcomes.items())}


def benchmarked(sources: Path, version: str) -> dict[str, Any]:
    """Run the benchmark script of the last release with the functions."""
    tree = sources / f"vllm-{WITH}"
    command = [sys.executable, "-m", "unbuilt_vllm", BENCHMARK, "--version", version]
    with tempfile.TemporaryDirectory() as folder:
        environment = _environment(tree, "forward", folder)
        done = subprocess.run(command, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    last = done.stdout.strip().rpartition("\n")[2]
    print(f"vLLM {WITH}, {BENCHMARK} --version {version}: {last}", flush=True)
    return {"version": version, "passed": done.returncode == 0, "output": last}


def _environment(tree: Path, switch: str, folder: str) -> dict[str, str]:
    """Variables of a process that imports a tree; `folder` becomes one of the places that Python imports from."""
    info = Path(folder) / "unbuilt_vllm-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: unbuilt-vllm\nVersion: 0\n")
    (info / "entry_points.txt").write_text("[vllm.platform_plugins]\nunbuilt = unbuilt_vllm.platform:name\n")
    roots = [folder, tree, *(CHECKOUT / root for root in ("shim", "kernels", "benchmarks"))]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*map(str, roots), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "PAGED_ATTENTION_SHIM": switch,
        "VLLM_PLUGINS": "unbuilt",
        "PYTORCH_ALLOC_CONF": "expandable_segments:True",
    }


if __name__ == "__main__":
    main()
