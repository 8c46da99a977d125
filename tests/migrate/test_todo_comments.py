"""Where a comment for a person goes, what it says, and that it is not added twice."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from paged_attention_migrate import project
from paged_attention_migrate.findings import Finding
from paged_attention_migrate.project import Options
from paged_attention_migrate.source import Source
from paged_attention_migrate.todo_comments import START, with_todo_comments

PLACE = "HERE"


def finding(line: int, column: int, message: str = "what to do", **other: object) -> Finding:
    end = column + len(PLACE)
    known = Finding("a.py", line, column, line, end, "PAM401", "error", "paged_attention_v2", None, message)
    return known._replace(**other)  # type: ignore[arg-type]


def at_places(text: str) -> list[Finding]:
    rows = text.split("\n")
    return [finding(line, row.index(PLACE) + 1, f"in {line}") for line, row in enumerate(rows, 1) if PLACE in row]


def commented(text: str) -> str:
    new, _ = with_todo_comments(Source(text.encode()), at_places(text))
    assert ast.dump(ast.parse(new)) == ast.dump(ast.parse(text))
    return new.replace(START, "# ").replace("PAM401 ", "")


POSITIONS = {
    "a line of its own": ("x = 1\nHERE\n", "x = 1\n# in 2\nHERE\n"),
    "an indented line": ("if x:\n\tHERE\n", "if x:\n\t# in 2\n\tHERE\n"),
    "the first line": ("HERE\n", "# in 1\nHERE\n"),
    "no newline at the end": ("x\nHERE", "x\n# in 2\nHERE"),
    "inside an expression": ("x = f(\n    1,\n    HERE,\n)\n", "# in 3\nx = f(\n    1,\n    HERE,\n)\n"),
    "inside a string": ('f(f"""\n\n{HERE}""")\n', '# in 3\nf(f"""\n\n{HERE}""")\n'),
    "behind a string over several lines": ('x = """\n"""; HERE\n', '# in 2\nx = """\n"""; HERE\n'),
    "behind a backslash": ("x = 1 + \\\n    HERE\n", "# in 2\nx = 1 + \\\n    HERE\n"),
    "a backslash before the statement": ("x\n\\\nHERE\n", "x\n# in 3\n\\\nHERE\n"),
    "a comment that ends in a backslash": ("# x \\\nHERE\n", "# x \\\n# in 2\nHERE\n"),
    "a body on the line of its if": ("if x: HERE\n", "# in 1\nif x: HERE\n"),
    "the second of two": ("if x: y(); HERE\n", "# in 1\nif x: y(); HERE\n"),
    "a test": ("if HERE:\n    pass\n", "# in 1\nif HERE:\n    pass\n"),
    "an elif": ("if x:\n    pass\nelif HERE:\n    pass\n", "if x:\n    pass\n# in 3\nelif HERE:\n    pass\n"),
    "an else": ("if x: y\nelse: HERE\n", "# in 2\nif x: y\nelse: HERE\n"),
    "a handler": ("try:\n    x\nexcept HERE:\n    y\n", "try:\n    x\n# in 3\nexcept HERE:\n    y\n"),
    "a case": ("match x:\n    case 1: HERE\n", "# in 2\nmatch x:\n    case 1: HERE\n"),
    "a decorator": ("@f\n@HERE\ndef g(): pass\n", "# in 2\n@f\n@HERE\ndef g(): pass\n"),
    "a decorated function": ("@f\ndef g(x=HERE):\n    pass\n", "# in 2\n@f\ndef g(x=HERE):\n    pass\n"),
    "a decorated class": ("@f\n@g\nclass A(HERE): pass\n", "# in 3\n@f\n@g\nclass A(HERE): pass\n"),
    "a decorated body": ("@f\ndef g():\n    HERE\n", "@f\ndef g():\n    # in 3\n    HERE\n"),
    "a form feed": ("if x:\n\f    HERE\n", "if x:\n    # in 2\n\f    HERE\n"),
    "two in one statement": ("f(\n    HERE,\n    HERE,\n)\n", "# in 2\n# in 3\nf(\n    HERE,\n    HERE,\n)\n"),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_a_comment_stands_above_the_statement(name: str) -> None:
    text, expected = POSITIONS[name]
    assert commented(text) == expected


@pytest.mark.parametrize("name", POSITIONS)
def test_a_comment_is_not_added_twice(name: str) -> None:
    text, _ = POSITIONS[name]
    once, added = with_todo_comments(Source(text.encode()), at_places(text))
    assert added == text.count(PLACE) == once.count(START)
    assert with_todo_comments(Source(once.encode()), at_places(once)) == (once, 0)


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_newlines_are_those_of_the_place(newline: str) -> None:
    text = f"x = 1\nif x:{newline}    HERE{newline}"
    new, _ = with_todo_comments(Source(text.encode()), [finding(3, 5)])
    assert new == f"x = 1\nif x:{newline}    {START}PAM401 what to do{newline}    HERE{newline}"


def test_one_that_somebody_wrote_on_is_known_and_one_of_another_code_is_not() -> None:
    known = f"# first\n{START}PAM401 me, on Monday\n# last\nHERE\n"
    assert with_todo_comments(Source(known.encode()), [finding(4, 1)]) == (known, 0)
    other = known.replace("PAM401", "PAM405")
    new, added = with_todo_comments(Source(other.encode()), [finding(4, 1)])
    assert added == 1
    assert new.endswith(f"# last\n{START}PAM401 what to do\nHERE\n")


def test_of_two_in_one_statement_the_one_that_is_missing_is_added() -> None:
    text = f"{START}PAM401 a\nHERE, HERE\n"
    new, added = with_todo_comments(Source(text.encode()), [finding(2, 1, "a"), finding(2, 7, "b")])
    assert (new, added) == (f"{START}PAM401 a\n{START}PAM401 b\nHERE, HERE\n", 1)
    same = [finding(1, 1, "a"), finding(1, 7, "a")]
    assert with_todo_comments(Source(b"HERE, HERE\n"), same) == (f"{START}PAM401 a\nHERE, HERE\n", 1)


GONE = "`vllm._custom_ops.paged_attention_v2` is gone since vLLM 0.25.0 (#47361): "


@pytest.mark.parametrize(
    ("message", "reasons", "expected"),
    [
        ("short", (), "short"),
        (f"{GONE}use the shim", (), f"{GONE.replace(' since vLLM 0.25.0 (#47361)', '')}use the shim"),
        (
            f"{GONE}`a` is read at line 9, in a loop of the caller",
            ("`a` is read at line 9, in a loop of the caller",),
            "`a` is read at line 9, in a loop of the caller",
        ),
        (f"{GONE}{'a ' * 40}, because: b", (f"first, {'a ' * 40}: last",), "first, ... last"),
        (f"{GONE}{'word ' * 40}", (), f"{GONE.replace(' since vLLM 0.25.0 (#47361)', '')}{'word ' * 6}..."),
        ("tab\tand\nline\x1b\u2028", (), "tab and line\\x1b"),
    ],
)
def test_a_message_is_shortened(message: str, reasons: tuple[str, ...], expected: str) -> None:
    new, _ = with_todo_comments(Source(b"HERE\n"), [finding(1, 1, message, reasons=reasons)])
    line = new.split("\n")[0]
    assert line == f"{START}PAM401 {expected}"
    assert len(line) <= 120


def test_deep_in_a_file_some_words_are_left() -> None:
    text = "".join(f"{' ' * 4 * depth}if x:\n" for depth in range(30)) + " " * 120 + "HERE\n"
    new, _ = with_todo_comments(Source(text.encode()), [finding(31, 121, "word " * 40)])
    assert f"{START}PAM401 word word word word word word word ...\n" in new


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "shift_jis"])
def test_a_comment_is_in_the_encoding_of_the_file(encoding: str) -> None:
    data = f"# coding: {encoding}\nHERE\n".encode(encoding)
    source = Source(data)
    new, _ = with_todo_comments(source, [finding(2, 1, "größe/変.py registers it")])
    assert Source(source.encode(new)).text == new


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_that_nothing_is_rewritten_in_get_theirs(here: Path) -> None:
    texts = {
        "bom.py": b"\xef\xbb\xbffrom vllm import _C\r\nx = _C.ops\r\n",
        "stub.pyi": b"from vllm._ipex_ops import ipex_ops\n",
        "broken.py": b"from vllm._C import ops\ndef (\n",
        "mention.py": b'"""As paged_attention_v1 did."""\nx = "see paged_attention_v1"\n',
        "silent.py": b"from vllm._ipex_ops import ipex_ops  # noqa: PAM202, PAM203\n",
    }
    for name, data in texts.items():
        (here / name).write_bytes(data)
    result = project.rewrite(Options(add_todo=True))
    (change,) = result.changes
    assert (change.path, change.todo_comments) == ("bom.py", 1)
    wanted = f"\r\n{START}PAM203 `vllm._C.ops` is gone: import _custom_ops from vllm for what is left of it\r\nx = "
    assert change.after == texts["bom.py"].replace(b"\r\nx = ", wanted.encode())
    assert [each.line for each in change.findings] == [3]
    assert project.rewrite(Options()).changes == ()


def test_the_lines_that_a_comment_names_are_those_of_the_new_text(here: Path) -> None:
    text = (
        "from vllm import _custom_ops as ops\n\nHAVE = hasattr(ops, 'paged_attention_v2')\n\n\n"
        "def f(o, e, x, t, *rest):\n    ops.paged_attention_v2(o, e, x, t, *rest)\n    return e.max()\n"
    )
    (here / "a.py").write_text(text)
    (change,) = project.rewrite(Options(add_todo=True)).changes
    lines = change.after.decode().splitlines()
    assert lines[9] == "    return e.max()"
    assert lines[7] == f"    {START}PAM401 `e` is read at line 10, and the surviving call does not fill it: use `lse=`"
