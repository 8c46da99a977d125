"""The GitHub Action: its description is one that the runner takes, and its steps do what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the steps run in bash")

CALL = "ops.paged_attention_v1(out, q, kc, vc, 8, scale, tables, lens, 16, longest, None, 'auto', ks, vs)"
PYTHON = f"""\
from vllm import _custom_ops as ops


def step(out, q, kc, vc, scale, tables, lens, longest, ks, vs):
    {CALL}
"""
FAKE = """\
#!/bin/sh
PYTHONPATH={path} exec {python} -m paged_attention_migrate "$@"
"""


class Ran(NamedTuple):
    code: int
    output: str
    values: dict[str, str]


@pytest.fixture(scope="module")
def action(checkout: Path) -> Any:
    return yaml.safe_load((checkout / "action.yml").read_text(encoding="utf-8"))


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    """The runner's folder for what a job leaves behind."""
    (tmp_path / "runner").mkdir()
    return tmp_path / "runner"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A checkout of a user's repository."""
    root = tmp_path / "work"
    (root / "sub dir").mkdir(parents=True)
    (root / "a.py").write_text(PYTHON, encoding="utf-8")
    (root / "sub dir" / "b.py").write_text(PYTHON, encoding="utf-8")
    (root / "clean.py").write_text("import os\n", encoding="utf-8")
    return root


Step = Callable[..., Ran]


@pytest.fixture
def step(action: Any, runner: Path, work: Path, checkout: Path) -> Step:
    """Runs the action's last step as the runner does, with inputs."""
    folder = runner / "paged-attention-migrate" / "bin"
    folder.mkdir(parents=True)
    path = os.pathsep.join(str(checkout / name) for name in ("migrate", "shim"))
    (folder / "paged-attention-migrate").write_text(FAKE.format(path=path, python=sys.executable), encoding="utf-8")
    (folder / "paged-attention-migrate").chmod(0o755)

    def run(**given: str) -> Ran:
        inputs = {name: each["default"] for name, each in action["inputs"].items()} | given
        return run_step(action["runs"]["steps"][-1], inputs, runner, work, checkout)

    return run


def run_step(step: Any, inputs: dict[str, str], runner: Path, work: Path, checkout: Path) -> Ran:
    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: inputs[match[1]], text)

    assert step["shell"] == "bash"
    script = runner / "step.sh"
    script.write_text(step["run"], encoding="utf-8")
    (runner / "output").write_text("", encoding="utf-8")
    environment = {
        **os.environ,
        "RUNNER_TEMP": str(runner),
        "GITHUB_ACTION_PATH": str(checkout),
        "GITHUB_OUTPUT": str(runner / "output"),
        **{name: filled(value) for name, value in step.get("env", {}).items()},
    }
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
    done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)
    values = dict(line.split("=", 1) for line in (runner / "output").read_text(encoding="utf-8").splitlines())
    return Ran(done.returncode, done.stdout + done.stderr, values)


def test_it_is_a_composite_action_without_foreign_steps(action: Any) -> None:
    assert {"name", "description", "inputs", "outputs", "runs"} == set(action)
    assert action["runs"]["using"] == "composite"
    assert set(action["inputs"]) == {"paths", "mode", "version"}
    for each in action["inputs"].values():
        assert isinstance(each["default"], str)
        assert each["description"]
    for each in action["runs"]["steps"]:
        assert set(each) <= {"name", "id", "shell", "env", "run"}
        assert "${{" not in each["run"]


def test_every_output_is_that_of_a_step(action: Any) -> None:
    steps = {each["id"] for each in action["runs"]["steps"] if "id" in each}
    for each in action["outputs"].values():
        match = re.fullmatch(r"\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}", each["value"])
        assert match is not None
        assert match[1] in steps


def test_check_annotates_and_fails(step: Step) -> None:
    done = step()
    assert done.code == 1
    assert "::error title=PAM102 call,file=a.py,line=5,endLine=5,col=5,endColumn=27::a.py:5:5: PAM102" in done.output
    assert "file=sub dir/b.py" in done.output
    assert "2 findings in 2 files" in done.output or done.output.count("::error") == 2


def test_check_passes_where_nothing_breaks(step: Step) -> None:
    assert step(paths="clean.py") == Ran(0, "", {})


@pytest.mark.parametrize("paths", ["clean.py\nsub dir", "sub dir\n", "\nsub dir/b.py\nclean.py\n"])
def test_paths_are_one_a_line(step: Step, paths: str) -> None:
    done = step(paths=paths)
    assert done.code == 1
    assert "file=sub dir/b.py" in done.output
    assert "file=a.py" not in done.output


@pytest.mark.parametrize("paths", ["$(touch harm)", "`touch harm`", '"; touch harm; "', "--exit-zero"])
def test_inputs_are_never_run(step: Step, paths: str, work: Path) -> None:
    done = step(paths=paths)
    assert done.code == 2
    assert "there is no such file or directory" in done.output
    assert not (work / "harm").exists()


def test_the_version_is_that_of_the_users_vllm(step: Step) -> None:
    assert step(version="v0.8.5").code == 1
    done = step(version="99")
    assert done.code == 2
    assert "is no release of vLLM" in done.output


def test_rewrite_diff_prints_the_patch_and_writes_nothing(step: Step, work: Path, runner: Path) -> None:
    (work / "a.py").write_text(f"{PYTHON}    # ::error::no command\n", encoding="utf-8")
    done = step(mode="rewrite-diff")
    assert done.code == 1
    assert done.values == {"patch": str(runner / "paged-attention.patch")}
    patch = (runner / "paged-attention.patch").read_text(encoding="utf-8")
    assert patch.startswith("diff --git a/a.py b/a.py\n")
    stop = re.search(r"^::stop-commands::(\w{32})$", done.output, re.MULTILINE)
    assert stop is not None
    assert f"{stop[0]}\n{patch}::{stop[1]}::\n" in done.output
    assert done.output.index("::error title=PAM102 call,file=a.py") < done.output.index(stop[0])
    assert (work / "clean.py").read_text(encoding="utf-8") == "import os\n"
    assert (work / "sub dir" / "b.py").read_text(encoding="utf-8") == PYTHON
    assert step(mode="rewrite-diff", paths="clean.py").code == 0


def test_an_unknown_mode(step: Step) -> None:
    done = step(mode="fix")
    assert (done.code, done.output) == (2, "::error::mode is 'fix'; check or rewrite-diff is accepted\n")


@pytest.mark.slow
def test_it_installs_its_own_checkout(action: Any, runner: Path, work: Path, checkout: Path) -> None:
    first, last = action["runs"]["steps"]
    installed = run_step(first, {}, runner, work, checkout)
    assert installed.code == 0, installed.output
    inputs = {"paths": "a.py", "mode": "check", "version": ""}
    done = run_step(last, inputs, runner, work, checkout)
    assert done.code == 1
    assert "::error title=PAM102 call,file=a.py" in done.output
