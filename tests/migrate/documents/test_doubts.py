"""Examples that tell of the old code, and so are left to a person though they could be rewritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from paged_attention_migrate import project

IMPORT = "from vllm._custom_ops import paged_attention_v1"
CALL = "paged_attention_v1(out, query, keys, values, 8, 0.1, tables, lens, 16, 1024, None, 'auto', 1.0, 1.0)"
OLD = f"```python\n{IMPORT}\n\n{CALL}\n```\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reasons(text: str) -> set[str]:
    """Why nothing in a document is rewritten."""
    Path("a.md").write_text(text)
    result = project.rewrite(project.Options(unsafe=True))
    assert result.changes == ()
    return {reason for each in result.findings for reason in each.reasons}


def test_before_and_after() -> None:
    text = f"Before:\n\n{OLD}\nAfter:\n\n```python\nfrom paged_attention_shim import paged_attention\n```\n"
    assert "the document shows the call that survives as well, and may compare the two" in reasons(text)


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


def test_an_import_without_a_use_is_what_the_text_is_about() -> None:
    reasons(f"vLLM registers its kernels as operators:\n\n```python\n{IMPORT}\n```\n")


def test_an_import_whose_only_use_is_in_doubt_stays() -> None:
    quoted = f"```python\n# vllm/attention.py\n{CALL}\n```\n"
    assert "the example quotes a source of vLLM" in reasons(f"```python\n{IMPORT}\n```\n\n{quoted}")
