"""`rewrite --interactive` as a person uses it: a real process whose standard input is a terminal."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")

_ARGUMENTS = "out, q, kc, vc, 8, scale, tables, lens, 16, longest, None, 'auto', ks, vs"
_ONE = f"ops.paged_attention_v1({_ARGUMENTS})"
_TWO = _ONE.replace("16", "32")
_NEW_ONE = f"paged_attention({_ARGUMENTS})"
_NEW_TWO = _NEW_ONE.replace("16", "32")
_HEAD = "\n\ndef step(out, q, kc, vc, scale, tables, lens, longest, ks, vs):\n"
_OLD_IMPORT = "from vllm import _custom_ops as ops\n"
_NEW_IMPORT = "from paged_attention_shim import paged_attention\n"


def module(imports: str, *calls: str) -> str:
    return imports + _HEAD + "".join(f"    {each}\n" for each in calls)


_BEFORE = module(_OLD_IMPORT, _ONE, _TWO)
_ALL = module(_NEW_IMPORT, _NEW_ONE, _NEW_TWO)


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Rewrite = Callable[..., Ran]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def committed(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "add", "."], cwd=root, check=True)
    subprocess.run(["git", "commit", "-q", "-m", "files"], cwd=root, check=True)


def texts(root: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in root.glob("*.py")}


@pytest.fixture
def started(root: Path, checkout: Path) -> Callable[..., tuple[subprocess.Popen[str], int]]:
    """Starts the command; also the other end of its terminal."""

    def start(*options: str) -> tuple[subprocess.Popen[str], int]:
        ours, theirs = pty.openpty()
        path = os.pathsep.join(str(checkout / name) for name in ("migrate", "shim"))
        process = subprocess.Popen(
            [sys.executable, "-m", "paged_attention_migrate", "rewrite", "--interactive", *options],
            cwd=root,
            env={**os.environ, "PYTHONPATH": path},
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.close(theirs)
        return process, ours

    return start


@pytest.fixture
def rewrite(started: Callable[..., tuple[subprocess.Popen[str], int]]) -> Rewrite:
    def run(keys: str, *options: str) -> Ran:
        process, terminal = started(*options)
        os.write(terminal, keys.encode())
        try:
            out, err = process.communicate(timeout=120)
        finally:
            os.close(terminal)
        return Ran(process.returncode, out, err)

    return run


@pytest.mark.parametrize(
    ("keys", "expected", "code"),
    [
        ("y\ny\n", _ALL, 0),
        ("a\n", _ALL, 0),
        ("y\na\n", _ALL, 0),
        ("y\nn\n", module(_OLD_IMPORT + _NEW_IMPORT, _NEW_ONE, _TWO), 1),
        ("y\nq\n", module(_OLD_IMPORT + _NEW_IMPORT, _NEW_ONE, _TWO), 1),
        ("y\nd\n", module(_OLD_IMPORT + _NEW_IMPORT, _NEW_ONE, _TWO), 1),
        ("n\ny\n", module(_OLD_IMPORT + _NEW_IMPORT, _ONE, _NEW_TWO), 1),
        ("n\na\n", module(_OLD_IMPORT + _NEW_IMPORT, _ONE, _NEW_TWO), 1),
        ("n\nn\n", _BEFORE, 1),
        ("d\n", _BEFORE, 1),
        ("q\n", _BEFORE, 1),
        ("\x04", _BEFORE, 1),
        ("y\n\x04", module(_OLD_IMPORT + _NEW_IMPORT, _NEW_ONE, _TWO), 1),
    ],
)
def test_the_keys(root: Path, rewrite: Rewrite, keys: str, expected: str, code: int) -> None:
    committed(root, {"a.py": _BEFORE})
    ran = rewrite(keys)
    assert sorted(texts(root)["a.py"].splitlines()) == sorted(expected.splitlines()), ran
    assert ran.code == code


def test_a_question_shows_the_place_the_message_and_the_hunk(root: Path, rewrite: Rewrite) -> None:
    committed(root, {"a.py": _BEFORE})
    ran = rewrite("q\n")
    assert "a.py:5:5: PAM102" in ran.out
    assert f"-    {_ONE}\n" in ran.out
    assert f"+    {_NEW_ONE}\n" in ran.out
    assert f"-    {_TWO}" not in ran.out
    assert "(1 of 2)" in ran.out
    assert "(2 of 2)" not in ran.out


def test_colours_where_they_are_wanted(root: Path, rewrite: Rewrite) -> None:
    committed(root, {"a.py": _BEFORE})
    assert f"\x1b[32m+    {_NEW_ONE}" in rewrite("q\n", "--color", "always").out


@pytest.mark.parametrize("key", ["?", "", "z"])
def test_help_asks_again(root: Path, rewrite: Rewrite, key: str) -> None:
    committed(root, {"a.py": _BEFORE})
    ran = rewrite(f"{key}\na\n")
    assert "leave this place and the rest of its file" in ran.out
    assert ran.out.count("(1 of 2)") == 2
    assert texts(root)["a.py"] == _ALL


def test_x_explains_the_code_and_asks_again(root: Path, rewrite: Rewrite) -> None:
    committed(root, {"a.py": _BEFORE})
    ran = rewrite("x\nq\n")
    assert "PAM102 call" in ran.out
    assert texts(root)["a.py"] == _BEFORE


def test_d_goes_on_with_the_next_file(root: Path, rewrite: Rewrite) -> None:
    committed(root, {"a.py": _BEFORE, "b.py": _BEFORE})
    ran = rewrite("d\na\n")
    assert texts(root) == {"a.py": _BEFORE, "b.py": _ALL}
    assert ran.code == 1
    assert "Left for you: 2 places in 1 file." in ran.err


def test_ctrl_c_writes_nothing(root: Path, started: Callable[..., tuple[subprocess.Popen[str], int]]) -> None:
    committed(root, {"a.py": _BEFORE})
    process, terminal = started()
    os.write(terminal, b"y\n")
    assert process.stdout is not None
    seen = ""
    while "(2 of 2)" not in seen and (more := process.stdout.read(1)):
        seen += more
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    os.close(terminal)
    assert process.returncode not in (0, 1)
    assert "Traceback" not in err
    assert texts(root)["a.py"] == _BEFORE


def test_what_is_left_is_told_as_what_a_rewrite_can_do(root: Path, rewrite: Rewrite) -> None:
    committed(root, {"a.py": _BEFORE})
    ran = rewrite("n\ny\n")
    assert "rewrite makes this edit" in ran.out
    assert "Rewrote 1 place in 1 file" in ran.err
    assert "undo" in ran.err


def test_a_second_run_asks_for_what_was_left(root: Path, rewrite: Rewrite) -> None:
    committed(root, {"a.py": _BEFORE})
    rewrite("n\ny\n")
    rewrite("y\n", "--allow-dirty")
    assert texts(root)["a.py"] == _ALL


def test_changed_files_are_refused_before_a_question(root: Path, rewrite: Rewrite) -> None:
    committed(root, {"a.py": "import os\n"})
    (root / "a.py").write_text(_BEFORE, encoding="utf-8")
    ran = rewrite("a\n")
    assert ran.code == 2
    assert "a.py has uncommitted changes" in ran.err
    assert "Make this edit" not in ran.out
    assert texts(root)["a.py"] == _BEFORE


def test_calls_through_one_variable_are_asked_as_one(root: Path, rewrite: Rewrite) -> None:
    text = module(
        _OLD_IMPORT,
        "attend = ops.paged_attention_v2",
        f"attend({_ARGUMENTS.replace('out,', 'out, sums, logits, tmp,')})",
    ).replace("def step(", "def step(sums, logits, tmp, ")
    committed(root, {"a.py": text})
    ran = rewrite("n\n", "--unsafe")
    assert "(1 of 1)" in ran.out
    assert texts(root)["a.py"] == text


def test_files_that_hand_a_name_on_are_asked_as_one(root: Path, rewrite: Rewrite) -> None:
    home = "from vllm._custom_ops import paged_attention_v1 as attend\n\n__all__ = ['attend']\n"
    caller = module("from home import attend\n", f"attend({_ARGUMENTS})")
    files = {"home.py": home, "caller.py": caller}
    committed(root, files)
    ran = rewrite("n\n")
    assert "(1 of 1)" in ran.out
    assert texts(root) == files


_KEEP = "# paged-attention: keep"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("k\ny\n", module(_OLD_IMPORT + _NEW_IMPORT, f"{_KEEP}\n    {_ONE}", _NEW_TWO)),
        ("y\nk\n", module(_OLD_IMPORT + _NEW_IMPORT, _NEW_ONE, f"{_KEEP}\n    {_TWO}")),
        ("k\na\n", module(_OLD_IMPORT + _NEW_IMPORT, f"{_KEEP}\n    {_ONE}", _NEW_TWO)),
        ("k\nn\n", module(_OLD_IMPORT, f"{_KEEP}\n    {_ONE}", _TWO)),
        ("n\nk\n", module(_OLD_IMPORT, _ONE, f"{_KEEP}\n    {_TWO}")),
        ("k\nk\n", module(_OLD_IMPORT, f"{_KEEP}\n    {_ONE}", f"{_KEEP}\n    {_TWO}")),
        ("k\nq\n", module(_OLD_IMPORT, f"{_KEEP}\n    {_ONE}", _TWO)),
    ],
)
def test_k_puts_a_remark_above_a_place(root: Path, rewrite: Rewrite, keys: str, expected: str) -> None:
    committed(root, {"a.py": _BEFORE})
    ran = rewrite(keys)
    assert sorted(texts(root)["a.py"].splitlines()) == sorted(expected.splitlines()), ran
    assert "to keep a place" in ran.err
    assert ran.code == (1 if "n" in keys or "q" in keys else 0)
    again = rewrite("n\n" * 2, "--allow-dirty")
    assert again.out.count("Make this edit") == keys.count("n\n") + keys.count("q\n")


def test_what_k_did_is_told_and_taken_back(root: Path, rewrite: Rewrite, checkout: Path) -> None:
    committed(root, {"a.py": _BEFORE, "b.py": _BEFORE})
    ran = rewrite("k\ny\nk\nn\n")
    assert "a.py:6:5: PAM102 rewritten" in ran.out
    assert "b.py:7:5: PAM102" in ran.out
    assert "Rewrote 1 place in 1 file and added 2 remarks to keep a place" in ran.err
    path = os.pathsep.join(str(checkout / name) for name in ("migrate", "shim"))
    command = [sys.executable, "-m", "paged_attention_migrate", "undo"]
    subprocess.run(command, cwd=root, env={**os.environ, "PYTHONPATH": path}, check=True, capture_output=True)
    assert texts(root) == {"a.py": _BEFORE, "b.py": _BEFORE}


def test_a_remark_keeps_the_whole_statement_so_nothing_of_it_is_asked_for_again(root: Path, rewrite: Rewrite) -> None:
    before = module(_OLD_IMPORT, f"held = [{_ONE}, {_TWO}]", _ONE)
    committed(root, {"a.py": before})
    kept = f"    {_KEEP}\n    held = [{_ONE}, {_TWO}]\n    {_NEW_ONE}\n"
    ran = rewrite("k\ny\n")
    assert ran.out.count("Make this edit") == 2
    assert texts(root)["a.py"].endswith(kept)
    subprocess.run(["git", "checkout", "-q", "."], cwd=root, check=True)
    rewrite("k\na\n")
    assert texts(root)["a.py"].endswith(kept)


def test_k_asks_again_where_it_would_keep_what_was_wanted(root: Path, rewrite: Rewrite) -> None:
    committed(root, {"a.py": module(_OLD_IMPORT, f"held = [{_ONE}, {_TWO}]")})
    ran = rewrite("y\nk\nn\n")
    assert "which you said y to" in ran.out
    assert texts(root)["a.py"].endswith(f"    held = [{_NEW_ONE}, {_TWO}]\n")


def test_what_is_left_beside_a_remark_is_told_as_what_a_rewrite_can_do(root: Path, rewrite: Rewrite) -> None:
    committed(root, {"a.py": _BEFORE})
    ran = rewrite("k\nn\n")
    assert "rewrite makes this edit" in ran.out
    assert "by hand" not in ran.out + ran.err


def test_k_in_a_notebook_asks_again(root: Path, rewrite: Rewrite) -> None:
    before = notebook(_OLD_IMPORT.strip(), _ONE)
    committed(root, {"a.ipynb": before})
    ran = rewrite("k\nn\n")
    assert "A remark to keep is put into Python files alone" in ran.out
    assert ran.out.count("(1 of 1)") == 2
    assert (root / "a.ipynb").read_text(encoding="utf-8") == before


def notebook(imports: str, *cells: str) -> str:
    sources = (f'{{"cell_type": "code", "source": "{each}"}}' for each in (imports, *cells))
    return f'{{"cells": [{", ".join(sources)}]}}\n'


def document(imports: str, *examples: str) -> str:
    head = f"# Of paged_attention_v1\n\n```py\n{imports}\n```\n"
    return head + "".join(f"\n- > ```py\n  > {each}\n  > ```\n" for each in examples)


NEEDS_MARKDOWN = pytest.mark.skipif(
    importlib.util.find_spec("markdown_it") is None, reason="the extra `native` is not installed"
)


@pytest.mark.parametrize(
    ("name", "whole"), [("a.ipynb", notebook), pytest.param("README.md", document, marks=NEEDS_MARKDOWN)]
)
@pytest.mark.parametrize(
    ("keys", "is_made", "code"), [("y\nn\nn\n", True, 1), ("n\ny\ny\n", False, 1), ("a\n", True, 0)]
)
def test_notebooks_and_documents_are_asked_as_a_whole(
    root: Path, rewrite: Rewrite, name: str, whole: Callable[..., str], keys: str, is_made: bool, code: int
) -> None:
    before, after = whole(_OLD_IMPORT.strip(), _ONE, _TWO), whole(_NEW_IMPORT.strip(), _NEW_ONE, _NEW_TWO)
    committed(root, {name: before, "z.py": _BEFORE})
    ran = rewrite(keys, "--unsafe")
    assert "(1 of 3)" in ran.out
    assert (root / name).read_text(encoding="utf-8") == (after if is_made else before), ran
    assert texts(root)["z.py"] == (_ALL if keys != "y\nn\nn\n" else _BEFORE)
    # A document that is left breaks nothing.
    assert ran.code == (0 if name == "README.md" and not is_made else code)


def test_documents_are_not_asked_for_without_unsafe(root: Path, rewrite: Rewrite) -> None:
    committed(root, {"README.md": document(_OLD_IMPORT, _ONE)})
    assert "Make this edit" not in rewrite("").out


def test_nothing_to_do_asks_nothing(root: Path, rewrite: Rewrite) -> None:
    committed(root, {"a.py": "import os\n"})
    ran = rewrite("")
    assert ran.code == 0
    assert "Make this edit" not in ran.out


def test_no_terminal_is_refused_in_one_sentence(root: Path, checkout: Path) -> None:
    committed(root, {"a.py": _BEFORE})
    path = os.pathsep.join(str(checkout / name) for name in ("migrate", "shim"))
    command = [sys.executable, "-m", "paged_attention_migrate", "rewrite", "--interactive"]
    ran = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, "PYTHONPATH": path},
        input="y\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "standard input is none" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
    assert texts(root)["a.py"] == _BEFORE


@pytest.mark.parametrize(
    "options", [["--diff"], ["--add-todo"], ["--output-format", "json"], ["--output-format", "sarif"]]
)
def test_what_it_does_not_go_with(root: Path, rewrite: Rewrite, options: list[str]) -> None:
    committed(root, {"a.py": _BEFORE})
    ran = rewrite("y\n", *options)
    assert ran.code == 2
    assert f"it does not go with {' '.join(options)}" in ran.err
    assert texts(root)["a.py"] == _BEFORE
