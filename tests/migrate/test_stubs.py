"""Stubs: their imports are rewritten, unless a type checker would lose a name by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from paged_attention_migrate import project

HEAD = "from typing import Any\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def rewrite(text: str) -> str:
    Path("ops.pyi").write_text(text, encoding="utf-8")
    changes = project.rewrite(project.Options(unsafe=True)).changes
    return changes[0].after.decode() if changes else text


def test_a_name_that_the_stub_uses_is_rewritten() -> None:
    before = "from vllm._custom_ops import paged_attention_v1\ndef f(impl: object = paged_attention_v1) -> None: ...\n"
    after = "from paged_attention_shim import paged_attention\ndef f(impl: object = paged_attention) -> None: ...\n"
    assert rewrite(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "from vllm._custom_ops import paged_attention_v1 as paged_attention_v1\n",
        "from vllm._custom_ops import paged_attention_v2 as paged_attention_v2\n",
        "from vllm._custom_ops import paged_attention_v1 as paged_attention_v1, rms_norm as rms_norm\n",
        "def paged_attention_v1(out: Any) -> None: ...\n",
        "class Ops:\n    def paged_attention_v2(self, *args: Any) -> None: ...\n",
        "from ._ops import paged_attention_v1 as paged_attention_v1\n",
        "# from vllm._custom_ops import paged_attention_v1\n",
        "paged_attention_v1: Any\n",
    ],
)
def test_what_must_not_change(text: str) -> None:
    assert rewrite(HEAD + text) == HEAD + text


def test_a_module_that_is_handed_on_stays() -> None:
    text = "from vllm import _custom_ops as _custom_ops\nattend = _custom_ops.paged_attention_v1\n"
    after = rewrite(text)
    assert "from vllm import _custom_ops as _custom_ops\n" in after
    assert "attend = paged_attention\n" in after


def test_a_definition_is_said_to_be_one_and_no_call() -> None:
    Path("ops.pyi").write_text(f"{HEAD}def paged_attention_v1(out: Any) -> None: ...\n", encoding="utf-8")
    assert [each.code for each in project.check(project.Options()).findings] == ["PAM307"]
