"""Completion in the shells themselves: bash, zsh and fish, where they are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from paged_attention_migrate.explain import known_subjects, page, rules
from paged_attention_migrate.report.colour import Paint
from paged_attention_shim.removed import REMOVED

COMMAND = "paged-attention-migrate"
SCRIPT = """\
#!/bin/sh
PYTHONPATH={path} exec {python} -c 'from paged_attention_migrate.cli import main; main(prog_name="{command}")' "$@"
"""
# What each shell does with a word on its command line, without a terminal.
BASH = """\
eval "$(_PAGED_ATTENTION_MIGRATE_COMPLETE=bash_source {command})"
COMP_WORDS=({words}) COMP_CWORD={number}
compopt() {{ echo "compopt ${{*: -1}}"; }}
_paged_attention_migrate_completion {command}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """\
compdef() {{ echo "completes $2" }}
_describe() {{ print -l -- "${{(@P)3}}" }}
_path_files() {{ echo "files" }}
compadd() {{ print -l -- "${{(@P)argv[-1]}}" }}
words=({words}) CURRENT=$(({number} + 1))
eval "$(_PAGED_ATTENTION_MIGRATE_COMPLETE=zsh_source {command})"
_paged_attention_migrate_completion
"""
FISH = """\
_PAGED_ATTENTION_MIGRATE_COMPLETE=fish_source {command} | source
complete -C "{line}"
"""
SHELLS = {"bash": BASH, "zsh": ZSH, "fish": FISH}

Complete = Callable[[str], "list[str]"]


@pytest.fixture(params=SHELLS)
def complete(request: pytest.FixtureRequest, checkout: Path, tmp_path: Path) -> Complete:
    """What a shell offers for a command line, the last word unfinished."""
    shell = request.param
    if sys.platform == "win32" or shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    folder = tmp_path / "bin"
    folder.mkdir()
    path = os.pathsep.join(str(checkout / name) for name in ("migrate", "shim"))
    script = folder / COMMAND
    script.write_text(SCRIPT.format(path=path, python=sys.executable, command=COMMAND), encoding="utf-8")
    script.chmod(0o755)

    def offered(line: str) -> list[str]:
        words = line.split(" ")
        quoted = " ".join(f"'{word}'" for word in words)
        text = SHELLS[shell].format(command=COMMAND, words=quoted, number=len(words) - 1, line=line)
        environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
        options = {"bash": ["--noprofile", "--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
        command = [shell, *options, "-c", text]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.stdout.splitlines()

    return offered


@pytest.mark.slow
def test_commands_and_options(complete: Complete) -> None:
    assert any("rewrite" in each for each in complete(f"{COMMAND} rew"))
    assert any("--output-format" in each for each in complete(f"{COMMAND} check --out"))
    assert any("sarif" in each for each in complete(f"{COMMAND} check --output-format sa"))


@pytest.mark.slow
def test_codes_slugs_and_removed_names(complete: Complete) -> None:
    for typed, wanted in (
        ("PAM10", "PAM102"),
        ("op-ob", "op-object"),
        ("paged_attention_v", "paged_attention_v2"),
        ("torch.ops._C.pa", "torch.ops._C.paged_attention_v1"),
    ):
        assert any(wanted in each for each in complete(f"{COMMAND} explain {typed}")), typed
    assert not any("PAM" in each for each in complete(f"{COMMAND} explain zzz"))


@pytest.mark.slow
def test_files(complete: Complete, tmp_path: Path) -> None:
    (tmp_path / "nearby.py").write_text("", encoding="utf-8")
    offered = complete(f"{COMMAND} check near")
    assert {"compopt default", "files", "nearby.py"} & set(offered)


@pytest.mark.slow
def test_releases(complete: Complete) -> None:
    assert any("0.24.0" in each for each in complete(f"{COMMAND} check --from-version 0.24"))


def test_every_subject_has_a_page() -> None:
    subjects = known_subjects(dotted=True)
    assert {rule.code for rule in rules().values()} < set(subjects)
    assert {path for name in REMOVED for path in name.paths} < set(subjects)
    for subject, title in subjects.items():
        assert page(subject, Paint(False))
        assert title
    assert not any("." in subject for subject in known_subjects())
