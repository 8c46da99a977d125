"""Comments at what is left for a person."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from paged_attention_migrate import project
from paged_attention_migrate.todo import with_todos

MARK = "# TODO(paged-attention-migrate):"
HEAD = "import torch\nfrom vllm import _custom_ops as ops\n\n\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def marked(text: str, *, newline: str = "\n", encoding: str = "utf-8") -> str:
    """The file after a rewrite with comments, whose lines besides the comments are those of one without."""
    data = text.replace("\n", newline).encode(encoding)
    Path("a.py").write_bytes(data)
    plain = [change.after for change in project.rewrite(project.Options()).changes] or [data]
    changes = project.rewrite(project.Options(add_todo=True)).changes
    result = changes[0].after if changes else data
    lines = result.decode(encoding).splitlines(keepends=True)
    assert "".join(line for line in lines if MARK not in line) == plain[0].decode(encoding)
    ast.parse(result)
    Path("a.py").write_bytes(result)
    assert project.rewrite(project.Options(add_todo=True)).changes == ()
    Path("a.py").unlink()
    return result.decode(encoding)


GUARD = 'hasattr(torch.ops._C, "paged_attention_v1")'


@pytest.mark.parametrize(
    ("body", "above"),
    [
        (f"HAVE = {GUARD}\n", "HAVE ="),
        (f"def f():\n    if x:\n        return {GUARD}\n", "        return"),
        (f"if a and {GUARD}: b()\n", "if a and"),
        (f"a = 1; b = {GUARD}\n", "a = 1"),
        (f"a = '''\n  x\n'''; b = {GUARD}\n", "a = '''"),
        (f"a = [\n    1,\n    {GUARD},\n]\n", "a = ["),
        (f"a = 1 + \\\n    {GUARD}\n", "a = 1"),
        (f"@one\n@two({GUARD})\n@three\ndef f():\n    pass\n", "@one"),
        (f"@one\ndef f(a={GUARD}):\n    pass\n", "@one"),
        (f"class A:\n    @one\n    def g(self, a={GUARD}): ...\n", "    @one"),
        (f"try:\n    a()\nexcept {GUARD}:\n    pass\n", "except"),
        (f"if a:\n    b()\nelif {GUARD}:\n    pass\n", "elif"),
        (f"# why\nHAVE = {GUARD}\n", "HAVE ="),
        (f"if a:\n\tb = {GUARD}\n", "\tb ="),
    ],
)
def test_above_the_statement(body: str, above: str) -> None:
    lines = marked(HEAD + body).splitlines()
    place = next(number for number, line in enumerate(lines) if MARK in line)
    assert lines[place + 1].startswith(above)
    indentation = above[: len(above) - len(above.lstrip())]
    assert lines[place].startswith(f"{indentation}{MARK} PAM105 ")
    assert sum(MARK in line for line in lines) == 1


def test_rewritten_and_left_in_one_file() -> None:
    text = f"{HEAD}def f(*a):\n    ops.paged_attention_v1(*a)\n\n\nHAVE = {GUARD}\n"
    new = marked(text)
    assert "    paged_attention(*a)\n" in new
    assert new.splitlines()[-2].startswith(f"{MARK} PAM105")


def test_why_it_is_left_and_no_more_than_a_line() -> None:
    text = f"{HEAD}def f(o, e, x, t, rest):\n    ops.paged_attention_v2(o, e, x, t, *rest)\n    return e\n"
    comment = next(line for line in marked(text).splitlines() if MARK in line)
    assert comment.startswith(f"    {MARK} PAM401 `e` is read at line")
    assert len(comment) <= 120


def test_newlines_and_encodings() -> None:
    text = f"# coding: latin-1\n# caf\xe9\n{HEAD}HAVE = {GUARD}\n"
    assert marked(text, newline="\r\n", encoding="latin-1").count("\r\n") == len(text.splitlines()) + 1


def test_what_does_not_parse_stays() -> None:
    Path("a.py").write_text("from vllm import _custom_ops as ops\nops.paged_attention_v1(\n")
    assert project.rewrite(project.Options(add_todo=True)).changes == ()
    assert with_todos("x = (\n", ()) == "x = (\n"


def test_not_without_being_asked() -> None:
    Path("a.py").write_text(f"{HEAD}HAVE = {GUARD}\n")
    assert project.rewrite(project.Options()).changes == ()
