"""Notebooks: cells as one module, and findings at their places in the JSON."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paged_attention_migrate.findings import Finding
from paged_attention_migrate.notebooks import Unreadable, cells, findings_in, modules


def notebook(*sources: str | list[str], **more: Any) -> dict[str, Any]:
    made: list[Any] = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source} for source in sources]
    return {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}


def parse(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)  # what SyntaxWarning was before Python 3.12
        ast.parse(text)


def dumped(content: object, indent: int | None = 1) -> bytes:
    return json.dumps(content, indent=indent, ensure_ascii=False).encode()


def names_in(text: str) -> Iterator[Finding]:
    """Stands for the analysis of Python: it must parse, and every name of the kind is a finding."""
    parse(text)
    for match in re.finditer(r"\bpaged_attention_v[12]\b", text):
        before = re.split("\r\n|\r|\n", text[: match.start()])
        line, column = len(before), len(before[-1]) + 1
        end = column + len(match[0])
        yield Finding("<cells>", line, column, line, end, "PAM102", "error", match[0], "safe", "is gone")


def report(content: object, indent: int | None = 1) -> list[str]:
    """`cell, line: code severity name`, each checked to mark the name in the file."""
    data = content if isinstance(content, bytes) else dumped(content, indent)
    lines = []
    for each in findings_in("a.ipynb", data, names_in):
        assert (each.path, each.fix) == ("a.ipynb", None)
        line = re.split("\r\n|\r|\n", data.decode("utf-8-sig", "replace"))[each.line - 1]
        assert each.source_line == line or len(line) > 2000
        assert line[each.column - 1 : each.end_column - 1] == (each.name or "vllm")
        place = re.match(r"cell (\d+), line (\d+): ", each.message)
        assert place
        lines.append(f"{place[1]}:{place[2]} {each.code} {each.severity} {each.name}")
    return lines


def module(*sources: str | list[str]) -> str:
    """The text of the shared module, without the two empty lines before it."""
    text = modules(cells(dumped(notebook(*sources))))[0].text
    assert text.startswith("\n\n")
    parse(text)
    return text[2:]


CASE_43 = notebook(["%pip install vllm\n", "from vllm import _custom_ops as ops\n", "ops.paged_attention_v1(*batch)\n"])


def test_the_place_is_the_line_of_the_file_and_the_message_says_the_cell() -> None:
    (found,) = findings_in("a.ipynb", dumped(CASE_43), names_in)
    assert found.message == "cell 0, line 3: is gone"
    assert found.source_line == r'    "ops.paged_attention_v1(*batch)\n"'
    assert (found.column, found.end_column) == (10, 28)
    assert dumped(CASE_43).decode().split("\n")[found.line - 1] == found.source_line


@pytest.mark.parametrize("indent", [None, 1, 4])
@pytest.mark.parametrize(
    "source",
    [
        'a = 1\nx = "\\té\\n"; paged_attention_v1(x)\n',
        ["a = 1\n", 'x = "\\té\\n"; paged_attention_v1(x)\n'],
        ["a = 1", "\nx = ", '"\\té\\n"; ', "paged_attention_v1", "(x)"],
    ],
)
def test_a_source_may_be_one_string_or_any_pieces(source: str | list[str], indent: int | None) -> None:
    assert report(notebook("import os", source), indent) == ["1:2 PAM102 error paged_attention_v1"]


def test_escapes_of_every_kind_move_no_column() -> None:
    data = rb'{"cells": [{"cell_type": "code", "source": ["\"\ud83d\ude00 \u00e9 \\\\\"; paged_attention_v1(x)\/1"]}]}'
    assert report(data) == ["0:1 PAM102 error paged_attention_v1"]


def test_a_name_of_one_cell_is_known_in_those_below() -> None:
    assert module("import vllm as v", ["x = 1\n", "y = 2"], "v.f(x)") == "import vllm as v\nx = 1\ny = 2\nv.f(x)\n"


def test_other_cells_keep_out() -> None:
    content = notebook("x = 1")
    content["cells"] += [
        {"cell_type": "markdown", "source": ["see `paged_attention_v1`\n", "and paged_attention_v1_kernel"]},
        {"cell_type": "raw", "source": "paged_attention_v2, paged_attention_v2"},
        {"cell_type": "code", "source": "%%bash\npython -c 'import paged_attention_v1'"},
        {"cell_type": "code", "source": "paged_attention_v1(x)", "metadata": {"vscode": {"languageId": "r"}}},
        {"cell_type": "code"},
        "no cell",
    ]
    assert report(content) == [
        "1:1 PAM306 info paged_attention_v1",
        "2:1 PAM306 info paged_attention_v2",
        "3:2 PAM306 info paged_attention_v1",
        "4:1 PAM306 info paged_attention_v1",
    ]


@pytest.mark.parametrize(
    ("source", "masked"),
    [
        ("%pip install vllm\nx = 1", "pass\nx = 1"),
        ("if x:\n    !ls\n", "if x:\n    pass\n"),
        ("!ls \\\n  -l\nx = 1", "pass\n#\nx = 1"),
        ("files = !ls\nx = %env HOME", "files = None\nx = None"),
        ("?print\nprint?\nprint.x??", "pass\npass\npass"),
        ("%%time\nx = 1", "#     \nx = 1"),
        ("\n%%capture out\nx = 1", "\n#            \nx = 1"),
        ("%%timeit -n 3 y = 1\nx = 1", "#                  \nx = 1"),
        ("%time f(1)", "if 1: f(1)"),
        ("  %timeit -n 10 -r3 f(1)", "  if 1:             f(1)"),
        ("x = %timeit -o f(1)", "x =            f(1)"),
        ("pip install vllm\nx = 1", "pass\nx = 1"),
        ("/f 1\n,g a b", "pass\npass"),
        ("%time for x in y: f(x)", "pass"),
    ],
)
def test_what_only_ipython_reads_is_masked(source: str, masked: str) -> None:
    expected = f"{masked}\n"
    assert module(source) == (f"if 1:\n{expected}" if masked.startswith("  ") else expected)


@pytest.mark.parametrize(
    "source",
    [
        "x = (7\n% 2)",
        "x = 7 \\\n% 2",
        '"""\n%ls\n!ls\n"""',
        "'''a\n%ls ''' + '''\n!ls'''",
        "x != y\nx %= 2\nx = y % 2",
        "print('%d' % 2) # !ls",
        "f(\n  # )\n  '(',\n!r)".replace("!r", "x"),
        "await f()",
        "ls -l",
    ],
)
def test_python_that_resembles_a_magic_is_python(source: str) -> None:
    assert module(source) == f"{source}\n"


def test_a_string_over_lines_hides_no_magic_after_it() -> None:
    assert module('x = """\n%a\\"""\n""" + "\\""\n%ls\ny = [\n"]"\n]\n!ls') == (
        'x = """\n%a\\"""\n""" + "\\""\npass\ny = [\n"]"\n]\npass\n'
    )


def test_python_behind_a_timing_magic_is_read_at_its_column() -> None:
    content = notebook(
        "import vllm\n%timeit -n 10 vllm.paged_attention_v1(1)\nr = %timeit -o vllm.paged_attention_v2(1)"
    )
    assert report(content) == ["0:2 PAM102 error paged_attention_v1", "0:3 PAM102 error paged_attention_v2"]


def test_an_indented_cell_is_read_as_ipython_reads_it() -> None:
    assert report(notebook("x = 1", "  import vllm\n  vllm.paged_attention_v1()")) == [
        "1:2 PAM102 error paged_attention_v1"
    ]


def test_a_program_in_a_cell_is_read_alone() -> None:
    content = notebook("x = 1", "%%writefile run.py\nimport vllm\nvllm.paged_attention_v1()", "%%writefile a.txt\nx")
    assert report(content) == ["1:3 PAM102 error paged_attention_v1"]
    assert modules(cells(dumped(content)))[0].text == "\n\nx = 1\n"


def test_a_cell_that_is_no_python_silences_no_other() -> None:
    content = notebook("print 'paged_attention_v1'", "for", "import vllm as\nx", "paged_attention_v2()")
    found = report(content)
    assert found == [
        "0:1 PAM901 warning paged_attention_v1",
        "2:1 PAM901 warning ",
        "3:1 PAM102 error paged_attention_v2",
    ]


def test_a_comment_is_no_encoding_cookie() -> None:
    assert modules(cells(dumped(notebook("# coding: latin-1\nx = 'é'"))))[0].text.startswith("\n\n# coding")


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"language": "R", "name": "ir"}},
        {"kernelspec": {"language": "julia"}},
        {"language_info": {"name": "scala"}},
    ],
)
def test_another_language_is_nothing(metadata: dict[str, Any]) -> None:
    assert report(notebook("paged_attention_v1(x)", metadata=metadata)) == []


@pytest.mark.parametrize(
    "metadata",
    [{"kernelspec": {"language": "python"}}, {"language_info": {"name": "ipython3"}}, {"kernelspec": 3}, None, []],
)
def test_python_by_any_metadata(metadata: Any) -> None:
    assert report(notebook("paged_attention_v1(x)", metadata=metadata)) == ["0:1 PAM102 error paged_attention_v1"]


@pytest.mark.parametrize(
    ("data", "message", "line"),
    [
        (b"", "the notebook is no valid JSON: Expecting value", 1),
        (b'{"cells": [\n"paged_attention_v1"', "the notebook is no valid JSON: Expecting ',' delimiter", 2),
        (b'{"cells": [\n"a\0b"]}', "the notebook is no valid JSON: Invalid control character at", 2),
        (b'{"cells":\n"\xe9"}', "the notebook is not UTF-8, as JSON has to be", 2),
        (b"[1]", "the file is no notebook: its JSON is no object", 1),
        (b'{"cells": {}}', "the file is no notebook: it has no list of cells", 1),
        (
            b'{"worksheets": [{"cells": []}], "nbformat": 3}',
            "the notebook is in format 3: `jupyter nbconvert --to notebook --inplace` brings it up to date",
            1,
        ),
    ],
)
def test_a_file_that_is_no_notebook_is_one_finding(data: bytes, message: str, line: int) -> None:
    (found,) = findings_in("a.ipynb", data, names_in)
    assert (found.code, found.severity, found.line, found.message) == ("PAM901", "warning", line, message)
    with pytest.raises(Unreadable):
        cells(data)


def test_numbers_and_depth_that_json_refuses() -> None:
    for value in (b"9" * 5000, b"[" * 200_000):
        found = findings_in("a.ipynb", b'{"cells": [], "x": ' + value, names_in)
        assert [each.code for each in found] == ["PAM901"]


def test_a_mark_at_the_start_and_keys_given_twice() -> None:
    data = b'\xef\xbb\xbf{"cells": [], "cells": [{"source": "x", "cell_type": "code", "source": "paged_attention_v1"}]}'
    assert report(data) == ["0:1 PAM102 error paged_attention_v1"]


def test_a_surrogate_alone_and_a_nul_are_no_python() -> None:
    for source in (r"\ud800 paged_attention_v1", r"\u0000 paged_attention_v1"):
        data = b'{"cells": [{"cell_type": "code", "source": "' + source.encode() + b'"}]}'
        assert report(data) == ["0:1 PAM901 warning paged_attention_v1"]


@given(
    sources=st.lists(
        st.lists(
            st.sampled_from(
                ["x = 1", "\n", "%ls", "!ls", "  ", "(", ")", '"""', "'", "#", "\\", "?", "%%time", "%%bash", "é", "\r",
                 "paged_attention_v1(x)", "%timeit ", "if x:", "\f", "vllm"]
            ),
            max_size=12,
        ),
        max_size=4,
    ),
    joined=st.booleans(),
)  # fmt: skip
def test_whatever_cells_hold(sources: list[list[str]], joined: bool) -> None:
    content = notebook(*("".join(source) if joined else source for source in sources))
    found = cells(dumped(content))
    for each in modules(found):
        parse(each.text)
    for cell in found:
        if cell.text:
            assert len(re.findall("\r\n|\r|\n", cell.text)) == len(re.findall("\r\n|\r|\n", cell.source))
    report(content)
    report(content, None)
