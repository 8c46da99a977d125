"""The removed names that can be imported from the shim, and what they say."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import paged_attention_shim
from paged_attention_shim import stubs

HERE = Path(__file__).parent


def removed_calls() -> list[tuple[str, str, str]]:
    """Full name, release without it and pull request of every removed function and class, from the sources' list.

    Of two classes of one name the stub speaks for the one that went last.
    """
    found: list[tuple[str, str, str]] = []
    for line in (HERE / "removed_homes.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            path, _, _, style, removed_in, pull_request = line.split()
            is_class = style == "value" and path.rpartition(".")[2] in {*dir(stubs)}
            if path == "vllm.model_executor.layers.attention.PagedAttention":
                continue
            if style != "value" or is_class:
                found.append((path, removed_in, pull_request))
    return found


def stub_of(path: str) -> object:
    owner, name = path.split(".")[-2:]
    return getattr(getattr(stubs, owner), name) if hasattr(stubs, owner) else getattr(stubs, name)


def test_the_module_is_made_from_the_table() -> None:
    command = (sys.executable, "-m", "paged_attention_shim.removed", "stubs")
    made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert made == Path(inspect.getfile(stubs)).read_text()


@pytest.mark.parametrize(("path", "removed_in", "pull_request"), removed_calls())
def test_every_removed_function_and_class_says_what_became_of_it(path: str, removed_in: str, pull_request: str) -> None:
    stub = stub_of(path)
    assert callable(stub)
    with pytest.raises(paged_attention_shim.RemovedAPIError) as caught:
        stub(1, out=2)
    text = str(caught.value)
    assert text.startswith(f"{path.rpartition('.')[2]} is gone since vLLM {removed_in}")
    assert pull_request == "-" or f"https://github.com/vllm-project/vllm/pull/{pull_request}" in text
    assert "`paged-attention-migrate " in text
    assert getattr(stub, "__deprecated__", "").startswith(f"Gone since vLLM {removed_in}. ")


def test_the_whole_message() -> None:
    with pytest.raises(RuntimeError) as caught:
        paged_attention_shim.paged_attention_v2()
    assert str(caught.value) == (
        "paged_attention_v2 is gone since vLLM 0.25.0 (https://github.com/vllm-project/vllm/pull/47361). "
        "Call paged_attention_shim.paged_attention without exp_sum, max_logits and tmp_out. "
        "`paged-attention-migrate rewrite PATH` makes the edit."
    )


def test_what_was_a_value_or_a_module_is_explained_where_it_is_looked_up() -> None:
    with pytest.raises(AttributeError, match=r"_PARTITION_SIZE is gone since vLLM 0\.12\.0 .*Write 512"):
        paged_attention_shim._PARTITION_SIZE  # noqa: B018
    with pytest.raises(AttributeError, match=r"attention_ops is gone since vLLM 0\.2\.3"):
        paged_attention_shim.attention_ops  # noqa: B018


def test_other_names_are_not_explained() -> None:
    with pytest.raises(AttributeError, match=r"has no attribute 'paged_attention_v3'$"):
        paged_attention_shim.paged_attention_v3  # noqa: B018
    assert not hasattr(paged_attention_shim, "__path_of_nothing__")
