"""The command as a user runs it: real processes, real repositories, real terminals."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

_CALL = "ops.paged_attention_v1(out, q, kc, vc, 8, scale, tables, lens, 16, longest, None, 'auto', ks, vs)"
_PYTHON = f"""\
from vllm import _custom_ops as ops


def step(out, q, kc, vc, scale, tables, lens, longest, ks, vs):
    {_CALL}
"""
_GUARD = "import torch\n\nHAVE = hasattr(torch.ops._C, 'paged_attention_v1')\n"
_COMMAND = (sys.executable, "-m", "paged_attention_migrate")

Command = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Files as they come: newlines, encodings, names, no newline at the end."""
    root = tmp_path / "repo sitory"
    (root / "deep er").mkdir(parents=True)
    lf = _PYTHON.encode()
    files = {
        "plain.py": lf,
        "windows.py": lf.replace(b"\n", b"\r\n"),
        "deep er/no newline.py": lf.removesuffix(b"\n"),
        "deep er/größe.py": b"\xef\xbb\xbf" + lf,
        'quo"te.py': b"# coding: latin-1\n# caf\xe9\n" + lf,
        "feed.py": lf.replace(b"\n\n\ndef", b"\n\x0c\n\ndef"),
        "clean.py": b"import os\n",
    }
    for name, data in files.items():
        (root / name).write_bytes(data)
    _git(root, "init", "-q")
    _commit(root)
    return root


@pytest.fixture
def environment(checkout: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(checkout / name) for name in ("migrate", "shim"))}


@pytest.fixture
def command(environment: dict[str, str]) -> Command:
    def run(where: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*_COMMAND, *arguments],
            cwd=where,
            env={**environment, **variables},
            capture_output=True,
            check=False,
            timeout=60,
        )

    return run


def _git(where: Path, *arguments: str, data: bytes = b"") -> bytes:
    return subprocess.run(["git", *arguments], cwd=where, input=data, capture_output=True, check=True).stdout


def _commit(root: Path) -> None:
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "all")


def _bytes(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.py")}


@pytest.mark.parametrize("below", [".", "deep er"])
def test_the_patch_makes_what_the_rewrite_makes(repository: Path, command: Command, below: str) -> None:
    where = repository / below
    patch = command(where, "rewrite", "--diff")
    assert patch.returncode == 1
    assert _git(repository, "status", "--porcelain") == b""
    _git(where, "apply", "--check", data=patch.stdout)
    _git(where, "apply", data=patch.stdout)
    by_patch = _bytes(repository)
    _git(repository, "checkout", "-q", ".")

    done = command(where, "rewrite")
    assert done.returncode == 0, done.stderr
    assert _bytes(repository) == by_patch
    assert not any(b"paged_attention_v1" in data for data in _bytes(where).values())
    assert by_patch["clean.py"] == b"import os\n"
    again = command(where, "rewrite", "--diff", "--allow-dirty")
    assert (again.returncode, again.stdout) == (0, b"")
    assert (command(where, "check").returncode, command(where, "check").stderr) == (0, b"")


def test_undo_gives_every_byte_back_and_leaves_nothing(repository: Path, command: Command) -> None:
    before = _bytes(repository)
    assert b"`paged-attention-migrate undo` takes it back." in command(repository, "rewrite").stderr
    assert _bytes(repository) != before
    done = command(repository / "deep er", "undo")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 6
    assert _bytes(repository) == before
    assert _git(repository, "status", "--porcelain") == b""
    assert command(repository, "undo").returncode == 2


def test_a_dirty_file_stops_the_run(repository: Path, command: Command) -> None:
    (repository / "plain.py").write_bytes(_PYTHON.encode() + b"x = 1\n")
    before = _bytes(repository)
    done = command(repository, "rewrite")
    assert done.returncode == 2
    assert b"plain.py has uncommitted changes, so nothing was written" in done.stderr
    assert done.stdout.startswith(b"diff --git ")
    assert _bytes(repository) == before
    assert command(repository, "rewrite", "--allow-dirty").returncode == 0


def test_a_git_that_cannot_say_stops_the_run(repository: Path, command: Command) -> None:
    index = repository / ".git" / "index"
    whole = index.read_bytes()
    index.write_bytes(b"damaged")
    before = _bytes(repository)
    done = command(repository, "rewrite", "plain.py")
    assert done.returncode == 2
    assert b"git cannot say whether files have uncommitted changes (fatal: " in done.stderr
    assert _bytes(repository) == before
    index.write_bytes(whole)
    assert command(repository, "rewrite", "plain.py").returncode == 0


def test_one_bad_path_does_not_stop_the_others(repository: Path, command: Command) -> None:
    done = command(repository, "check", "nowhere.py", "plain.py")
    assert done.returncode == 2
    assert done.stdout.count(b"PAM102") == 1
    assert b"paged-attention-migrate: nowhere.py: there is no such file or directory\n" in done.stderr
    assert b"Traceback" not in done.stderr


def test_broken_settings_are_one_sentence(repository: Path, command: Command) -> None:
    (repository / "pyproject.toml").write_text("[tool.paged-attention-migrate]\nexclude = 3\n")
    done = command(repository, "check")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"paged-attention-migrate: ")
    assert done.stderr.count(b"\n") == 1


def test_a_file_that_does_not_parse_is_a_finding(repository: Path, command: Command) -> None:
    (repository / "broken.py").write_text("from vllm._custom_ops import paged_attention_v1\nprint 'x'\n")
    done = command(repository, "check", "broken.py", "plain.py")
    assert done.returncode == 1
    assert b"broken.py:1:1: PAM901 " in done.stdout
    assert b"plain.py:5:5: PAM102" in done.stdout


def test_what_is_left_for_a_person(repository: Path, command: Command) -> None:
    (repository / "guard.py").write_text(_GUARD)
    _commit(repository)
    done = command(repository, "rewrite", "--output-format", "json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    left = [each for each in told["findings"] if not each["fixed"]]
    assert [(each["path"], each["line"], each["code"], each["fix"]) for each in left] == [
        ("guard.py", 3, "PAM105", None)
    ]
    assert told["summary"]["manual"] == 1
    assert told["summary"]["files_rewritten"] == 6


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_of_the_output(repository: Path, command: Command, encoding: str) -> None:
    done = command(repository, "check", PYTHONIOENCODING=encoding)
    assert done.returncode == 1
    assert ("größe.py" if encoding != "ascii" else "gr\\xf6\\xdfe.py").encode(encoding) in done.stdout


def test_a_pipe_that_closes_early(repository: Path, environment: dict[str, str]) -> None:
    process = subprocess.Popen(
        [*_COMMAND, "explain", "paged_attention_v2"],
        cwd=repository,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait(timeout=60)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")
def test_a_full_disk_under_the_output(repository: Path, environment: dict[str, str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*_COMMAND, "check", "-q"],
            cwd=repository,
            env=environment,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"paged-attention-migrate: No space left on device\n"


def test_a_clean_check_loads_no_parser_and_no_report(repository: Path, environment: dict[str, str]) -> None:
    code = (
        "import click, sys\nbefore = set(sys.modules)\nfrom paged_attention_migrate.cli import main\n"
        "try: main(['check', 'clean.py'])\nexcept SystemExit: print(*sorted(set(sys.modules) - before))\n"
    )
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, cwd=repository, env=environment, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "paged_attention_migrate.project" in loaded
    assert not loaded & {"libcst", "json", "difflib", "dataclasses", "multiprocessing", "subprocess", "textwrap"}
    assert not {each for each in loaded if each.startswith("paged_attention_migrate.report.")}


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_colours_on_a_terminal(repository: Path, environment: dict[str, str]) -> None:
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*_COMMAND, "check", "plain.py"],
        cwd=repository,
        env={**environment, "TERM": "xterm"},
        stdout=theirs,
        stderr=subprocess.PIPE,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # how Linux says that the other end closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert process.stderr is not None
    summary = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 1
    assert b"\x1b[1mplain.py\x1b[0m:5:5: \x1b[31m\x1b[1mPAM102\x1b[0m " in shown
    assert b"\x1b[" not in summary


def test_todo_comments_are_part_of_a_rewrite(repository: Path, command: Command) -> None:
    guard = "import torch\r\n\r\nif x:\r\n\tHAVE = hasattr(torch.ops._C, 'paged_attention_v1')\r\n"
    (repository / "guard.py").write_bytes(guard.encode())
    assert command(repository, "rewrite", "--add-todo", "guard.py").returncode == 2, "it is not committed"
    _commit(repository)
    before = _bytes(repository)
    patch = command(repository, "rewrite", "--add-todo", "--diff").stdout
    done = command(repository, "rewrite", "--add-todo")
    assert done.returncode == 1
    assert b" and added 1 TODO comment to 1 file, " in done.stderr
    assert b"guard.py:5:31: PAM105 " in done.stdout
    after = _bytes(repository)
    first, comment, last = after["guard.py"].decode().partition("\t# TODO(paged-attention-migrate): PAM105 ")
    assert comment
    assert first + last.partition("\r\n")[2] == guard
    assert b"Nothing to rewrite, " in command(repository, "rewrite", "--add-todo").stderr
    assert _bytes(repository) == after
    assert command(repository, "undo").returncode == 0
    assert _bytes(repository) == before
    _git(repository, "apply", "-", data=patch)
    assert _bytes(repository) == after
