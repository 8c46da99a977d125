"""Notebooks: what a rewrite makes of their cells, and every byte that it must leave as it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from paged_attention_migrate import project
from paged_attention_migrate.findings import Finding

IMPORT = "from vllm._custom_ops import paged_attention_v1"
REST = "query, keys, values, 8, 0.1, tables, lens, 16, 1024, None, 'auto', 1.0, 1.0"
CALL = f"paged_attention_v1(out, {REST})"
NEW_IMPORT = "from paged_attention_shim import paged_attention"
NEW_CALL = f"paged_attention(out, {REST})"
IMPORT_V2 = "from vllm._custom_ops import paged_attention_v2"
SCRATCH = "sums, maxima, parts"
CALL_V2 = f"paged_attention_v2(out, {SCRATCH}, {REST})"
MADE = "sums = torch.empty(8)\nmaxima = torch.empty_like(sums)\nparts = torch.empty(8, 64)"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def notebook(*sources: str | list[str], **more: Any) -> dict[str, Any]:
    cells = [
        {
            "cell_type": "code",
            "execution_count": 3,
            "metadata": {"tags": ["é", "\u2028"]},
            "outputs": [{"text": ["paged_attention_v1\n"]}],
            "source": source if isinstance(source, list) else source.splitlines(keepends=True),
        }
        for source in sources
    ]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}


def dumped(content: object, indent: int | None = 1, ascii_only: bool = False) -> bytes:
    return json.dumps(content, indent=indent, ensure_ascii=ascii_only).encode() + b"\n"


def rewrite(data: bytes, unsafe: bool = False) -> tuple[bytes, list[Finding]]:
    """The new bytes, which a second run must leave alone, and what was found."""
    Path("book.ipynb").write_bytes(data)
    result = project.rewrite(project.Options(unsafe=unsafe))
    if not result.changes:
        return data, list(result.findings)
    (change,) = result.changes
    Path("book.ipynb").write_bytes(change.after)
    assert project.rewrite(project.Options(unsafe=unsafe)).changes == ()
    assert [each for each in change.findings if not each.fixed] == list(project.check(project.Options()).findings)
    return change.after, list(result.findings)


def sources(*given: str | list[str]) -> list[str]:
    """The sources of the cells after a rewrite, the rest of the JSON being as it was."""
    before = notebook(*given)
    after = json.loads(rewrite(dumped(before))[0])
    found = ["".join(cell.pop("source")) for cell in after["cells"]]
    for cell in before["cells"]:
        del cell["source"]
    assert after == before
    return found


def unchanged(*given: str | list[str]) -> list[str]:
    """The messages about a notebook of which no byte changes."""
    data = dumped(notebook(*given))
    after, findings = rewrite(data)
    assert after == data
    return [each.message for each in findings]


def test_cells_are_one_module() -> None:
    assert sources(f"import torch\n{IMPORT}", "x = 1\n", CALL) == [f"import torch\n{NEW_IMPORT}", "x = 1\n", NEW_CALL]


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("indent", [None, 1, 4])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_every_other_byte_stays(indent: int | None, ascii_only: bool, newline: bytes, mark: bytes) -> None:
    content = notebook(f"{IMPORT}  # größer \U0001f600\nx = '\t\"\\\\'", CALL)
    data = mark + dumped(content, indent, ascii_only).replace(b"\n", newline)
    wanted = data.replace(IMPORT.encode(), NEW_IMPORT.encode()).replace(CALL.encode(), NEW_CALL.encode())
    assert rewrite(data)[0] == wanted


def test_escapes_stay_as_they_were_written() -> None:
    text = r"x = '\u0041\/ \u00e9 \ud83d\ude00'; " + CALL
    data = dumped(notebook(IMPORT, "CELL")).replace(b"CELL", text.encode())
    wanted = data.replace(IMPORT.encode(), NEW_IMPORT.encode()).replace(CALL.encode(), NEW_CALL.encode())
    assert rewrite(data)[0] == wanted


def test_a_source_of_one_string_stays_one() -> None:
    content = notebook()
    content["cells"] = [{"cell_type": "code", "source": f"{IMPORT}\n{CALL}\nprint(out)\n"}]
    after = json.loads(rewrite(dumped(content))[0])
    assert after["cells"][0]["source"] == f"{NEW_IMPORT}\n{NEW_CALL}\nprint(out)\n"


def test_a_new_line_is_a_string_of_its_own_with_the_white_space_of_its_neighbours() -> None:
    data = dumped(notebook("import torch\nfrom vllm import _custom_ops as ops\nops.rms_norm(x)", f"ops.{CALL}"), 2)
    text = rewrite(data)[0].decode()
    assert f'\n        "{NEW_IMPORT}\\n",\n        "from vllm import _custom_ops as ops\\n",\n' in text
    assert NEW_CALL in text


@pytest.mark.parametrize(("source", "wanted"), [('["CELL"]', '["NEW","CELL"]'), ('[ "CELL" ]', '[ "NEW", "CELL" ]')])
def test_a_list_of_one_string_gets_a_second_in_its_manner(source: str, wanted: str) -> None:
    old = "from vllm import _custom_ops as ops; ops.rms_norm(x)"
    cells = f'{{"cell_type":"code","source":{source.replace("CELL", old)}}}'
    call = f'{{"cell_type":"code","source":["ops.{CALL}"]}}'
    after = rewrite(f'{{"cells":[{cells},{call}]}}'.encode())[0].decode()
    assert json.loads(after)["cells"][1]["source"] == [NEW_CALL]
    first = "".join(json.loads(after)["cells"][0]["source"])
    assert first.replace(f"{NEW_IMPORT}; ", "").replace(f"{NEW_IMPORT}\n", "") == old
    if len(json.loads(after)["cells"][0]["source"]) == 2:
        assert wanted.replace("NEW", f"{NEW_IMPORT}\\n").replace("CELL", old) in after


def test_lines_that_go_take_their_strings_along() -> None:
    arms = f"if version == 1:\n    {CALL}\nelse:\n    {CALL_V2}\nprint(out)"
    given = f"{IMPORT}\n{IMPORT_V2}\nimport torch\n{MADE}"
    assert sources(given, arms) == [f"{NEW_IMPORT}\nimport torch\n{MADE}", f"{NEW_CALL}\nprint(out)"]


def test_strings_of_several_lines_are_not_cut() -> None:
    content = notebook([f"{IMPORT}\nx = 1\n", f"y = 2\n{CALL}"])
    after = json.loads(rewrite(dumped(content))[0])
    assert after["cells"][0]["source"] == [f"{NEW_IMPORT}\nx = 1\n", f"y = 2\n{NEW_CALL}"]


@pytest.mark.parametrize(
    "around",
    [
        "%load_ext a\nCALL",
        "CALL\n!nvidia-smi",
        "%%time\nCALL",
        "x = !ls\nCALL",
        "CALL;\nout?",
        "  \n\nCALL\n\n",
    ],
)
def test_what_only_ipython_reads_stays_beside_an_edit(around: str) -> None:
    given = (f"%pip install vllm\n{IMPORT}", around.replace("CALL", CALL))
    assert sources(*given) == [f"%pip install vllm\n{NEW_IMPORT}", around.replace("CALL", NEW_CALL)]


def test_python_behind_a_timing_magic_is_rewritten() -> None:
    assert sources(IMPORT, f"%timeit -n 3 {CALL}") == [NEW_IMPORT, f"%timeit -n 3 {NEW_CALL}"]


def test_an_indented_cell_keeps_its_indentation() -> None:
    assert sources(IMPORT, f"    {CALL}\n    y = 2") == [NEW_IMPORT, f"    {NEW_CALL}\n    y = 2"]


def test_a_program_that_a_cell_writes_is_a_module_of_its_own() -> None:
    assert sources(f"%%writefile run.py\n{IMPORT}\n{CALL}\n") == [f"%%writefile run.py\n{NEW_IMPORT}\n{NEW_CALL}\n"]


def test_carriage_returns_in_a_source() -> None:
    assert sources([f"{IMPORT}\r\n", "x = 1\r\n", CALL]) == [f"{NEW_IMPORT}\r\nx = 1\r\n{NEW_CALL}"]


def test_a_cell_that_is_no_python_hinders_no_other() -> None:
    assert sources(IMPORT, "def (", CALL, "%%bash\necho") == [NEW_IMPORT, "def (", NEW_CALL, "%%bash\necho"]


def test_findings_say_the_cell_and_what_is_left_has_its_new_place() -> None:
    data = dumped(
        notebook("import torch\nfrom vllm import _custom_ops as ops\n", f"ops.{CALL}", "ops.paged_attention_v2(1)")
    )
    Path("book.ipynb").write_bytes(data)
    (change,) = project.rewrite(project.Options()).changes
    left = [each for each in change.findings if not each.fixed]
    assert left
    for each in left:
        line = change.after.decode().split("\n")[each.line - 1]
        assert each.source_line == line
        assert each.message.startswith("cell 2, line 1: ")
        assert line[each.column - 1 :].startswith("ops.paged_attention_v2")


def test_lines_in_messages_are_those_of_cells() -> None:
    data = dumped(notebook(f"import torch\n{IMPORT_V2}", f"{MADE}\n{CALL_V2}", "x = 1\nprint(sums)"))
    after, findings = rewrite(data)
    assert after == data
    assert any("cell 2, line 2" in each.message for each in findings)


# What depends on the order in which cells run


@pytest.mark.parametrize(
    "given",
    [
        (f"{IMPORT} as attend", f"attend(out, {REST})", "attend = other"),
        (f"{IMPORT} as attend", f"attend(out, {REST})", "from mine import attend"),
        ("attend = other", f"{IMPORT} as attend", f"attend(out, {REST})"),
        ("from vllm import _custom_ops as ops", f"ops.{CALL}", "import other as ops"),
    ],
)
def test_a_name_of_two_meanings_is_for_a_person(given: tuple[str, ...]) -> None:
    assert any("cells run in any order" in message for message in unchanged(*given))


@pytest.mark.parametrize(
    "given",
    [
        ("print(sums)", f"import torch\n{IMPORT_V2}\n{MADE}", CALL_V2),
        (f"import torch\n{IMPORT_V2}\n{MADE}", f"print(sums)\n{CALL_V2}"),
    ],
)
def test_scratch_that_a_cell_above_reads_is_for_a_person(given: tuple[str, ...]) -> None:
    assert any("cells run in any order" in message for message in unchanged(*given))


@pytest.mark.parametrize("reader", ["%store sums", "!echo {sums}", "%%bash -s $sums\necho", "def (sums"])
def test_scratch_that_ipython_may_read_is_for_a_person(reader: str) -> None:
    unchanged(f"import torch\n{IMPORT_V2}\n{MADE}", CALL_V2, reader)


@pytest.mark.parametrize(
    "reader", ["%lprun -f paged_attention_v1 f()", "?paged_attention_v1", "!echo paged_attention_v1"]
)
def test_a_name_that_ipython_may_read_does_not_go(reader: str) -> None:
    unchanged(IMPORT, CALL, reader)


def test_the_same_import_in_two_cells_is_no_second_meaning() -> None:
    assert sources(IMPORT, CALL, IMPORT, CALL) == [NEW_IMPORT, NEW_CALL, NEW_IMPORT, NEW_CALL]


def test_an_argument_that_is_handed_on_may_have_two_meanings() -> None:
    assert sources(IMPORT, f"out = torch.zeros(1)\n{CALL}", "out = make()") == [
        NEW_IMPORT,
        f"out = torch.zeros(1)\n{NEW_CALL}",
        "out = make()",
    ]


# What must not change


@pytest.mark.parametrize(
    "given",
    [
        ("from mine import paged_attention_v1", CALL),
        ("from aiter import paged_attention_v1", CALL),
        (f"def paged_attention_v1(*a): ...\n{CALL}",),
        (f"# {IMPORT}\n# {CALL}",),
        (f"text = '''\n{IMPORT}\n'''",),
        (f"{IMPORT}  # paged-attention: keep", f"{CALL}  # paged-attention: keep"),
        (f"{IMPORT}  # noqa: PAM101", f"{CALL}  # noqa: PAM102"),
        (f"%%bash\n{IMPORT}",),
        (f"%%html\n{CALL}",),
        (f"!python -c '{IMPORT}'",),
        ("paged_attention_v1",),
        (NEW_IMPORT, NEW_CALL),
        (f"# \ue0001\n{IMPORT}", CALL),
    ],
)
def test_what_must_not_change(given: tuple[str, ...]) -> None:
    unchanged(*given)


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_other_cells_do_not_change(kind: str) -> None:
    content = notebook(f"{IMPORT}\n{CALL}")
    content["cells"][0]["cell_type"] = kind
    assert rewrite(dumped(content))[0] == dumped(content)


@pytest.mark.parametrize(
    "data",
    [
        b"{paged_attention_v1",
        b'["paged_attention_v1"]',
        b'{"cells": "paged_attention_v1"}',
        b'{"worksheets": [{"cells": ["paged_attention_v1"]}], "nbformat": 3}',
        b'{"cells": [{"source": "paged_attention_v1 \xff"}]}',
    ],
)
def test_what_is_no_notebook_is_one_finding(data: bytes) -> None:
    after, findings = rewrite(data)
    assert (after, [each.code for each in findings]) == (data, ["PAM901"])


@pytest.mark.parametrize(
    "cell", [{"cell_type": "code"}, {"cell_type": "code", "source": None}, {"source": [1, "x"]}, 7]
)
def test_a_cell_without_text_hinders_no_other(cell: object) -> None:
    content = notebook(IMPORT, CALL)
    content["cells"].insert(0, cell)
    after = json.loads(rewrite(dumped(content))[0])
    assert after["cells"] == [cell, *notebook(NEW_IMPORT, NEW_CALL)["cells"]]


def test_another_language_does_not_change() -> None:
    content = notebook(IMPORT, CALL, metadata={"kernelspec": {"language": "julia"}})
    assert rewrite(dumped(content)) == (dumped(content), [])


# Around it


TOOL = [sys.executable, "-m", "paged_attention_migrate"]


def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(arguments, capture_output=True, check=False, env=environment)


def test_git_applies_the_patch_and_undo_takes_it_back() -> None:
    data = dumped(notebook(IMPORT, CALL)).rstrip(b"\n")
    Path("book.ipynb").write_bytes(data)
    run("git", "init", "-q")
    run("git", "add", "-A")
    run("git", "-c", "user.name=a", "-c", "user.email=a@example.invalid", "commit", "-qm", "x")
    patch = run(*TOOL, "rewrite", "--diff").stdout
    assert Path("book.ipynb").read_bytes() == data
    assert subprocess.run(["git", "apply"], input=patch, check=False).returncode == 0
    wanted = data.replace(IMPORT.encode(), NEW_IMPORT.encode()).replace(CALL.encode(), NEW_CALL.encode())
    assert Path("book.ipynb").read_bytes() == wanted
    run("git", "checkout", "-q", ".")
    assert run(*TOOL, "rewrite").returncode == 0
    assert Path("book.ipynb").read_bytes() == wanted
    assert run(*TOOL, "undo").returncode == 0
    assert Path("book.ipynb").read_bytes() == data


def test_an_operator_that_the_repository_registers_is_left(here: Path) -> None:
    (here / "ops.cpp").write_text('TORCH_LIBRARY(_C, m) { m.def("paged_attention_v1(Tensor! out) -> ()"); }\n')
    data = dumped(notebook("import torch", f"torch.ops._C.{CALL}"))
    Path("book.ipynb").write_bytes(data)
    assert project.rewrite(project.Options()).changes == ()


def test_what_a_module_of_the_repository_hands_on_is_followed_and_stays_there(here: Path) -> None:
    (here / "kernels.py").write_text(f"{IMPORT} as attend\nattend(out, {REST})\n{IMPORT_V2} as scratched\n")
    given = ("import kernels", f"kernels.attend(out, {REST})", f"kernels.scratched(out, {SCRATCH}, {REST})")
    Path("book.ipynb").write_bytes(dumped(notebook(*given)))
    module, book = sorted(project.rewrite(project.Options()).changes, reverse=True)
    assert (module.path, book.path) == ("kernels.py", "book.ipynb")
    assert b"paged_attention as attend\n" in module.after
    made = ["".join(cell["source"]) for cell in json.loads(book.after)["cells"]]
    assert made == [f"import kernels\n{NEW_IMPORT}", given[1], NEW_CALL]


def test_comments_are_not_added() -> None:
    Path("book.ipynb").write_bytes(dumped(notebook("from vllm._ipex_ops import ipex_ops")))
    result = project.rewrite(project.Options(add_todo=True))
    assert result.changes == ()
    assert result.notices == (
        "--add-todo leaves no comments in notebooks and stubs: 1 place is left there without one",
    )
    assert project.rewrite(project.Options()).notices == ()
