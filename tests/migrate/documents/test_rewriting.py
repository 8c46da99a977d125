"""What a rewrite makes of the examples of a document, and every byte that it must leave as it is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paged_attention_migrate import project
from paged_attention_migrate.findings import Finding
from paged_attention_migrate.module import Facts
from paged_attention_migrate.settings import Settings
from paged_attention_migrate.study import Wanted, study_file

pytest.importorskip("markdown_it", reason="the extra `native` is not installed")

IMPORT = "from vllm._custom_ops import paged_attention_v1"
REST = "query, keys, values, 8, 0.1, tables, lens, 16, 1024, None, 'auto', 1.0, 1.0"
CALL = f"paged_attention_v1(out, {REST})"
NEW_IMPORT = "from paged_attention_shim import paged_attention"
NEW_CALL = f"paged_attention(out, {REST})"
IMPORT_V2 = "from vllm._custom_ops import paged_attention_v2"
MADE = "sums = torch.empty(8)\nmaxima = torch.empty_like(sums)\nparts = torch.empty(8, 64)"
CALL_V2 = f"paged_attention_v2(out, sums, maxima, parts, {REST})"

_OURS = re.compile(rb"import|attention|torch|if|else")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rewrite(data: bytes, name: str = "README.md", unsafe: bool = True) -> tuple[bytes, list[Finding]]:
    """The new bytes, which a second run must leave alone, and what was found."""
    Path(name).write_bytes(data)
    result = project.rewrite(project.Options(unsafe=unsafe))
    if not result.changes:
        return data, list(result.findings)
    (change,) = result.changes
    Path(name).write_bytes(change.after)
    assert project.rewrite(project.Options(unsafe=unsafe)).changes == ()
    told = sorted(each for each in change.findings if not each.fixed)
    assert told == sorted(project.check(project.Options()).findings)
    return change.after, list(result.findings)


def fence(*lines: str, language: str = "python") -> str:
    return "\n".join((f"```{language}", *lines, "```\n"))


def new(text: str) -> str:
    return text.replace(IMPORT, NEW_IMPORT).replace(CALL, NEW_CALL)


def inside(prefix: str, first: str = "") -> Callable[[str], str]:
    """Puts a text into a quotation or a list item."""

    def put(text: str) -> str:
        lines = [f"{prefix}{line}".rstrip() for line in text.splitlines()]
        return "\n".join([(first or prefix) + lines[0][len(prefix) :], *lines[1:]]) + "\n"

    return put


PLACES: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "between text": lambda text: f"# Of paged_attention_v1\n\nText  \n\n{text}\n\n* more\n",
    "tildes": lambda text: text.replace("```", "~~~~"),
    "quotation": inside("> "),
    "tight quotation": inside(">"),
    "list": inside("  ", "- "),
    "numbered list": inside("    ", "10. "),
    "quotation in a list": inside("  > ", "- > "),
    "admonition": lambda text: '!!! note "a"\n\n' + inside("    ")(text),
    "no closing fence": lambda text: text.removesuffix("```\n"),
    "nor a newline": lambda text: text.removesuffix("\n```\n"),
    "no final newline": lambda text: text.removesuffix("\n"),
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "old carriage returns": lambda text: text.replace("\n", "\r"),
    "byte order mark": lambda text: f"\ufeff{text}",
    "all at once": lambda text: "\ufeffä\n\n" + inside("  > ", "- > ")(text).removesuffix("\n").replace("\n", "\r\n"),
}


@pytest.mark.parametrize("place", PLACES)
def test_every_byte_around_the_code_stays(place: str) -> None:
    text = PLACES[place](fence(IMPORT, "", f"if ready:  # größer {chr(0x1F600)}", f"    {CALL}", "", "print(out)"))
    after, _ = rewrite(text.encode())
    assert after.decode() == new(text)


@pytest.mark.parametrize("place", PLACES)
def test_the_last_line_ends_as_it_did(place: str) -> None:
    text = PLACES[place](fence(IMPORT, CALL))
    assert rewrite(text.encode())[0].decode() == new(text)


@pytest.mark.parametrize("place", PLACES)
def test_a_line_that_comes_and_lines_that_go_have_what_is_around_them(place: str) -> None:
    head, made = ["import torch", "from vllm import _custom_ops as ops", ""], MADE.splitlines()
    first = fence(
        *head, "ops.rms_norm(x)", "", *made, "if long:", f"    ops.{CALL}", "else:", f"    ops.{CALL_V2}", "end()"
    )
    wanted = fence(head[0], NEW_IMPORT, *head[1:], "ops.rms_norm(x)", "", *made, NEW_CALL, "end()")
    after, _ = rewrite(PLACES[place](first).encode())
    assert after.decode() == PLACES[place](wanted)


def test_a_line_that_comes_last_in_a_document_without_final_newline() -> None:
    text = f"{fence(IMPORT)}```py\nif x: {CALL}"
    assert rewrite(text.encode())[0].decode() == new(text)


@pytest.mark.parametrize(
    "language", ["py", "{code-cell} ipython3\n:tags: [a]", "{python}\n#| echo: false", "Python {1}"]
)
def test_languages(language: str) -> None:
    text = fence(IMPORT, CALL, language=language)
    assert rewrite(text.encode())[0].decode() == new(text)


def test_a_last_line_that_goes_from_a_document_without_final_newline() -> None:
    text = f"```py\n{IMPORT}\n{CALL}\n{IMPORT}"
    assert rewrite(text.encode())[0].decode() == f"```py\n{NEW_IMPORT}\n{NEW_CALL}"


def test_line_endings_of_several_kinds() -> None:
    text = f"```py\r\nx\n{IMPORT}\n{CALL}\r\ny\n```"
    assert rewrite(text.encode())[0].decode() == new(text)


@pytest.mark.parametrize("name", ["a.md", "a.MD", "a.mdx", "a.markdown", "a.qmd"])
def test_suffixes(name: str) -> None:
    text = fence(IMPORT, CALL)
    assert rewrite(text.encode(), name)[0].decode() == new(text)


def test_restructured_text() -> None:
    first = f".. code-block:: python\n   :linenos:\n\n   {IMPORT}\n\n   {CALL}\n"
    text = f"A\n=\n\n{first}\n* b\n\n  .. code:: py\n\n     {CALL}"
    assert rewrite(text.encode(), "a.rst")[0].decode() == new(text)


def test_names_flow_from_one_example_to_the_next() -> None:
    text = f"{fence(IMPORT)}\nThen\n\n{fence('x = 1')}\n{fence('def step():', f'    {CALL}', language='py')}"
    assert rewrite(text.encode())[0].decode() == new(text)


def test_each_case_is_rewritten_as_in_a_file_or_left() -> None:
    put, done = inside("  > ", "- > "), 0
    for path in sorted((Path(__file__).parent.parent / "cases").glob("*.py")):
        case = re.split(r"(?m)^# (?:output|findings)", path.read_text(encoding="utf-8"))[0].strip()
        Path("case.py").write_text(f"{case}\n", encoding="utf-8")
        Path("a.md").write_text(put(fence(case)), encoding="utf-8")
        in_file = project.rewrite(project.Options(("case.py",), unsafe=True)).changes
        for change in project.rewrite(project.Options(("a.md",), unsafe=True)).changes:
            # What went from the top of a file takes the empty lines below it along, and in an example one stays.
            after = change.after.decode().replace("```python\n  >\n", "```python\n")
            assert after == put(fence(in_file[0].after.decode().removesuffix("\n"))), path.name
            done += 1
    assert done > 200


def test_magics_and_part_of_a_function() -> None:
    text = fence("!pip install vllm", IMPORT) + fence(f"    {CALL}", "    return out")
    assert rewrite(text.encode())[0].decode() == new(text)


def test_the_same_import_in_two_examples_is_replaced_in_each() -> None:
    text = fence(IMPORT, CALL) + fence(IMPORT, CALL)
    assert rewrite(text.encode())[0].decode() == new(text)


def test_a_finding_has_its_place_and_says_how_it_is_rewritten() -> None:
    text = f"Of paged_attention_v1\n\n- > ```py\n  > {IMPORT}\n  > {CALL}\n  > ```\n"
    after, findings = rewrite(text.encode(), unsafe=False)
    assert after == text.encode()
    assert [(each.line, each.column, each.code, each.severity, each.fix) for each in findings] == [
        (1, 4, "PAM305", "info", None),
        (4, 34, "PAM101", "info", "unsafe"),
        (5, 5, "PAM102", "info", "unsafe"),
    ]
    assert findings[2].source_line == f"  > {CALL}"
    assert "it is an example, and the text around it may speak of it" in findings[2].reasons


def test_lines_in_messages_are_those_of_the_document() -> None:
    text = f"# A\n\n{fence('import torch', IMPORT_V2, *MADE.splitlines(), CALL_V2)}\n{fence('print(sums)')}"
    after, findings = rewrite(text.encode())
    assert after == text.encode()
    assert any("`sums` is read at line 13" in each.message for each in findings)


def test_files_of_their_own_share_nothing() -> None:
    text = fence(IMPORT, CALL, language='python title="a.py"') + fence(CALL, language='python title="b.py"')
    wanted = fence(NEW_IMPORT, NEW_CALL, language='python title="a.py"') + fence(CALL, language='python title="b.py"')
    assert rewrite(text.encode())[0].decode() == wanted


def test_a_name_that_a_module_of_the_repository_hands_on(here: Path) -> None:
    (here / "kernels.py").write_text(f"{IMPORT_V2}\n")
    Path("README.md").write_text(fence("import kernels", f"kernels.{CALL_V2}"))
    findings = [each for each in project.check(project.Options()).findings if each.path == "README.md"]
    assert [(each.line, each.code, each.fix) for each in findings] == [(3, "PAM102", "unsafe")]


def test_what_a_document_registers_does_not_keep_other_files(here: Path) -> None:
    (here / "a.py").write_text(f"import torch\n\ntorch.ops._C.{CALL[:-1]}, 0, 0, 0, 64, 0)\n")
    define = 'torch.library.define("_C::paged_attention_v1", "(Tensor! out) -> ()")'
    Path("README.md").write_text(fence("import torch", define))
    assert [each.path for each in project.rewrite(project.Options()).changes] == ["a.py"]


# What must not change


@pytest.mark.parametrize(
    "text",
    [
        fence(IMPORT, CALL, language="text"),
        fence(IMPORT, CALL, language=""),
        fence(IMPORT, CALL, language="bash"),
        fence(f"-{IMPORT}", f"+{NEW_IMPORT}", language="diff"),
        fence(f">>> {IMPORT}", f">>> {CALL}", language="pycon"),
        fence(f">>> {IMPORT}", f">>> {CALL}"),
        fence(IMPORT, CALL, "else:"),
        fence("from mine import paged_attention_v1", CALL),
        fence("from aiter import paged_attention_v1", CALL),
        fence(CALL),
        fence(f"ops.{CALL}"),
        fence("def paged_attention_v1(*a): ...", CALL),
        fence(f"# {IMPORT}", f"# {CALL}"),
        fence(f"text = '{IMPORT}'"),
        fence(f"{IMPORT}  # paged-attention: keep", f"{CALL}  # paged-attention: keep"),
        fence(NEW_IMPORT, NEW_CALL, language="python"),
        f"    {IMPORT}\n    {CALL}\n",
        f"<!--\n{fence(IMPORT, CALL)}-->\n",
        f"- ```python\n\t{IMPORT}\n\t{CALL}\n  ```\n",
        fence(f"# \ue0001\n{IMPORT}", CALL),
    ],
)
def test_what_must_not_change(text: str) -> None:
    after, _ = rewrite(text.encode())
    assert after.decode() == text


def test_a_document_in_another_encoding_does_not_change() -> None:
    data = f"\xe9\n{fence(IMPORT, CALL)}".encode("latin-1")
    after, findings = rewrite(data)
    assert after == data
    assert {each.code for each in findings} == {"PAM305"}


@pytest.mark.parametrize(
    "rest", [fence(f">>> {CALL}", language="pycon"), fence("else:", f"    {CALL}"), fence("!echo paged_attention_v1")]
)
def test_a_name_that_an_example_needs_which_cannot_be_read_does_not_go(rest: str) -> None:
    text = fence(IMPORT, CALL) + rest
    assert rewrite(text.encode())[0].decode() == text


@pytest.mark.parametrize(
    "text",
    [
        fence(f"{IMPORT} as attend", f"attend(out, {REST})") + fence("from mine import attend"),
        fence("attend = other") + fence(f"{IMPORT} as attend") + fence(f"attend(out, {REST})"),
        fence("print(sums)") + fence("import torch", IMPORT_V2, *MADE.splitlines()) + fence(CALL_V2),
    ],
)
def test_what_depends_on_the_order_of_the_examples_is_for_a_person(text: str) -> None:
    after, findings = rewrite(text.encode())
    assert after.decode() == text
    assert any("each example may be read by itself" in each.message for each in findings)


@given(
    pieces=st.lists(
        st.sampled_from(
            ["```python\n", "```\n", "```\n", "~~~py\n", "~~~\n", "```{code-cell}\n:a: b\n", ".. code:: py\n\n",
             IMPORT, CALL, f"    {CALL}", IMPORT_V2, f"{MADE}\n", CALL_V2, "> ", "  ", "   ", "- ", "\t", "\n", "\n",
             "\n\n", "\r\n", "\r", "!!! note\n", "if x:\n", "else:\n", ">>> ", "!ls\n", "%%time\n", "<!--", "\0", "\f",
             "é", "\u2028", "'''", "\\\n"]
        ),
        max_size=30,
    ),
    name=st.sampled_from(["a.md", "a.mdx", "a.rst"]),
)  # fmt: skip
def test_whatever_a_document_holds(pieces: list[str], name: str) -> None:
    data = "".join(pieces).encode()
    wanted = Wanted(rewrite=True, unsafe=True)
    studied = study_file(name, data, Settings(), Facts(), wanted)
    assert {each.severity for each in studied.findings} <= {"info"}
    if studied.after is None:
        return
    assert study_file(name, studied.after, Settings(), Facts(), wanted).after is None
    before, after = (re.split(rb"\r\n|\r|\n", each) for each in (data, studied.after))
    assert [line for line in after if not _OURS.search(line)] == [line for line in before if not _OURS.search(line)]


# Around it

TOOL = [sys.executable, "-m", "paged_attention_migrate"]


def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(arguments, capture_output=True, check=False, env=environment)


def test_git_applies_the_patch_and_undo_takes_it_back() -> None:
    text = f"Of paged_attention_v1\n\n{inside('> ')(fence(IMPORT, CALL))}".removesuffix("\n")
    Path("README.md").write_text(text, newline="")
    run("git", "init", "-q")
    run("git", "add", "-A")
    run("git", "-c", "user.name=a", "-c", "user.email=a@example.invalid", "commit", "-qm", "x")
    assert run(*TOOL, "check").returncode == run(*TOOL, "rewrite").returncode == 0
    assert Path("README.md").read_text() == text
    patch = run(*TOOL, "rewrite", "--unsafe", "--diff").stdout
    assert Path("README.md").read_text() == text
    assert subprocess.run(["git", "apply"], input=patch, check=False).returncode == 0
    assert Path("README.md").read_text() == new(text)
    run("git", "checkout", "-q", ".")
    done = run(*TOOL, "rewrite", "--unsafe", "--output-format", "json")
    assert done.returncode == 0
    assert [each["fixed"] for each in json.loads(done.stdout)["findings"]] == [True, True]
    assert Path("README.md").read_text() == new(text)
    assert run(*TOOL, "undo").returncode == 0
    assert Path("README.md").read_text() == text


def test_check_says_which_command_rewrites_it() -> None:
    Path("README.md").write_text(fence(IMPORT, CALL))
    done = run(*TOOL, "check", "--info")
    assert done.returncode == 0
    assert done.stdout.count(b"= rewrite --unsafe makes this edit: read its diff") == 2
    assert b"2 for `paged-attention-migrate rewrite --unsafe`, whose diff needs a reader" in done.stderr


@pytest.mark.parametrize(
    ("rest", "told"),
    [
        ("", ""),
        (fence(f">>> {CALL}", language="pycon"), "3 places in examples of documents stay"),
        (fence("from vllm.ops import x", "x.paged_attention_v1(1)"), ""),
    ],
)
def test_a_rewrite_says_that_examples_stay(rest: str, told: str) -> None:
    Path("README.md").write_text(fence(IMPORT, CALL) + rest)
    done = run(*TOOL, "rewrite", "--unsafe", "--diff").stderr.decode()
    assert (f"{told} as written: --info shows them with the reasons" in done) == bool(told)
    assert "as written" not in run(*TOOL, "rewrite", "--unsafe", "--diff", "--info").stderr.decode()


def test_without_the_parser_it_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    for name in ("a.md", "b.md"):
        Path(name).write_text(fence(IMPORT, CALL))
    result = project.rewrite(project.Options(unsafe=True))
    assert result.changes == ()
    assert {each.code for each in result.findings} == {"PAM305"}
    assert [each for each in result.notices if "paged-attention-migrate[native]" in each] == list(result.notices)
    assert len(result.notices) == 1
