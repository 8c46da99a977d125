"""Examples that tell of the old code, and so are left to a person though they could be rewritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from paged_attention_migrate import project

pytest.importorskip("markdown_it", reason="the extra `native` is not installed")

IMPORT = "from vllm._custom_ops import paged_attention_v1"
CALL = "paged_attention_v1(out, query, keys, values, 8, 0.1, tables, lens, 16, 1024, None, 'auto', 1.0, 1.0)"
OLD = f"```python\n{IMPORT}\n\n{CALL}\n```\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reasons(text: str, name: str = "a.md") -> set[str]:
    """Why nothing in a document is rewritten."""
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text)
    result = project.rewrite(project.Options(unsafe=True))
    assert result.changes == ()
    return {reason for each in result.findings for reason in each.reasons}


def test_before_and_after() -> None:
    text = f"So it was:\n\n{OLD}\nAfter:\n\n```python\nfrom paged_attention_shim import paged_attention\n```\n"
    assert "the document shows the call that survives as well, and may compare the two" in reasons(text)


def test_text_that_speaks_of_the_call_that_survives() -> None:
    text = f"{OLD}\nToday it is `paged_attention_shim.paged_attention`.\n"
    assert "the document shows the call that survives as well, and may compare the two" in reasons(text)


@pytest.mark.parametrize(
    "name", ["CHANGELOG.md", "docs/Release-notes.md", "MIGRATION.md", "upgrading.rst", "history.md"]
)
def test_a_document_of_the_past(name: str) -> None:
    text = OLD if name.endswith("md") else f".. code:: python\n\n   {IMPORT}\n   {CALL}\n"
    assert "a document of this name tells of old code as well" in reasons(text, name)


def test_a_folder_of_that_name_is_no_doubt() -> None:
    Path("releases").mkdir()
    Path("releases/serving.md").write_text(OLD)
    assert len(project.rewrite(project.Options(unsafe=True)).changes) == 1


@pytest.mark.parametrize(
    "label", ["Before:", "**Before**", "## Old way\n", "Up to 0.24 one used to write\n", "> This fails:\n", "Do not:"]
)
def test_a_label_that_says_so(label: str) -> None:
    assert "the line above the example may say that it is old code" in reasons(f"# A\n\nText\n\n{label}\n{OLD}")


@pytest.mark.parametrize(
    "above",
    [
        "Before you decode, do this:\n\nThen",
        "The threshold:",
        "Call it before decoding:",
        "```\nold\n```",
        "old\n\n# A",
    ],
)
def test_a_label_that_does_not(above: str) -> None:
    Path("a.md").write_text(f"{above}\n\n{OLD}")
    assert len(project.rewrite(project.Options(unsafe=True)).changes) == 1


def test_a_label_that_names_a_source_of_vllm() -> None:
    assert "the example quotes a source of vLLM" in reasons(f"**File**: `/vllm/attention/layer.py`\n\n{OLD}")


@pytest.mark.parametrize("head", ["# vllm/_custom_ops.py", "#  from vllm/attention/ops/paged_attn.py (v0.6)"])
def test_a_source_of_vllm(head: str) -> None:
    text = OLD.replace("```python\n", f"```python\n{head}\n")
    assert "the example quotes a source of vLLM" in reasons(text)


def test_other_examples_of_a_document_that_quotes_vllm() -> None:
    Path("a.md").write_text(f"```python\n# vllm/a.py\nimport torch\n```\n\n{OLD}")
    assert len(project.rewrite(project.Options(unsafe=True)).changes) == 1


@pytest.mark.parametrize("indent", ["", "    "])
def test_the_definition_of_what_was_removed(indent: str) -> None:
    body = f"{indent}def paged_attention_v1(*arguments):\n{indent}    torch.ops._C.paged_attention_v1(*arguments)\n"
    head = "class Ops:\n" if indent else ""
    found = reasons(f"```python\nimport torch\n{head}{body}```\n")
    assert "the example shows the definition of `paged_attention_v1`" in found


@pytest.mark.parametrize("call", ["out, query, keys, values, heads, scale, tables, lens, 16, 1024, ...", "*..."])
def test_arguments_that_are_left_out(call: str) -> None:
    assert reasons(f"```python\n{IMPORT}\npaged_attention_v1({call})\n```\n")


@pytest.mark.parametrize(
    "unread",
    [
        "def attend(q) -> :",
        "attend = other(",
        ">>> from mine import attend",
        "import ops as attend:",
        "else:\n    attend: X = 1",
    ],
)
def test_a_name_that_an_example_which_cannot_be_read_may_bind(unread: str) -> None:
    one = OLD.replace(IMPORT, f"{IMPORT} as attend").replace("paged_attention_v1(out", "attend(out")
    found = reasons(f"```python\n{unread}\n```\n\n{one}")
    assert "`attend` may be bound in an example that is not read as Python" in found


def test_a_name_that_such_an_example_has_in_another_place() -> None:
    one = OLD.replace(IMPORT, f"{IMPORT} as attend").replace("paged_attention_v1(out", "attend(out")
    Path("a.md").write_text(f"```python\n!pip install attend\n```\n\n```python\nf(x.attend ==\n```\n\n{one}")
    assert len(project.rewrite(project.Options(unsafe=True)).changes) == 1


def test_an_import_without_a_use_is_what_the_text_is_about() -> None:
    reasons(f"vLLM registers its kernels as operators:\n\n```python\n{IMPORT}\n```\n")


def test_an_import_whose_only_use_is_in_doubt_stays() -> None:
    quoted = f"```python\n# vllm/attention.py\n{CALL}\n```\n"
    assert "the example quotes a source of vLLM" in reasons(f"```python\n{IMPORT}\n```\n\n{quoted}")
