"""Documentation and lists of data."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paged_attention_migrate.native import Facts, findings_in

Report = Callable[..., list[str]]
Tree = Callable[..., Facts]


def test_a_mention_and_a_link_on_one_line(report: Report) -> None:
    text = "Ends in [`paged_attention_v1`](https://example.invalid/blob/main/csrc/attention/paged_attention_v1.cu).\n"
    (link, mention) = sorted(findings_in("a.md", "markdown", text.encode()), key=lambda each: each.message)
    assert link.message.startswith("links to ")
    assert report("markdown", text) == [
        "1:11 PAM305 info paged_attention_v1",
        f"1:{text.index('https') + 1} PAM305 info paged_attention_v1.cu",
    ]
    assert mention.message == "the text names paged_attention_v1, gone since vLLM 0.25.0 (#47361)"


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/vllm-project/vllm/blob/v0.6.3/csrc/attention/attention_kernels.cu",
        "https://github.com/vllm-project/vllm/blob/0123456789abcdef/csrc/attention/attention_kernels.cu#L10",
        "https://raw.githubusercontent.com/vllm-project/vllm/v0.6.3/csrc/attention/attention_kernels.cu",
    ],
)
def test_a_link_to_a_revision_still_works(report: Report, reasons: Report, url: str) -> None:
    assert report("markdown", f"See <{url}>.") == []
    (reason,) = reasons("markdown", f"See <{url}>.")
    assert reason.endswith("the link is to a revision that has the file")


def test_a_path_in_the_repository_itself_is_no_dead_one(report: Report, tree: Tree) -> None:
    own = tree("csrc/attention/attention_kernels.cu")
    text = "See csrc/attention/attention_kernels.cu."
    assert report("markdown", text) == ["1:5 PAM305 info attention_kernels.cu"]
    assert report("markdown", text, own) == []
    # A link elsewhere says nothing about this tree.
    assert len(report("markdown", "https://github.com/a/b/blob/main/csrc/attention/attention_kernels.cu", own)) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("```python\nops.paged_attention_v1(x)\n```\n", "an example in python uses"),
        ("~~~\npaged_attention_v1\n~~~\n", "an example uses"),
        ("```py\nx\n```\npaged_attention_v1\n", "the text names"),
        ("````\n```\npaged_attention_v1\n", "an example uses"),
    ],
)
def test_fences(text: str, message: str) -> None:
    (found,) = findings_in("a.md", "markdown", text.encode())
    assert found.message.startswith(message)
    assert found.severity == "info"


@pytest.mark.parametrize(
    "text", ["fused_paged_attention_v1", "paged_attention_v1_kernel", "test_paged_attention_v1", "paged-attention v1"]
)
def test_look_alikes(report: Report, text: str) -> None:
    assert report("markdown", text) == []


def test_letters_of_another_script_do_not_hide_a_name(report: Report) -> None:
    assert report("markdown", "调用paged_attention_v1函数") == ["1:3 PAM305 info paged_attention_v1"]


def test_a_trace_is_one_finding_a_name(report: Report) -> None:
    text = '{"a": "paged_attention_v1"}\n' * 3 + '{"b": "paged_attention_v2", "c": "paged_attention_v2_kernel"}\n'
    assert report("json", text) == ["1:8 PAM305 info paged_attention_v1", "4:8 PAM305 info paged_attention_v2"]
    first = findings_in("a.json", "json", text.encode())[0]
    assert first.message == "names paged_attention_v1, gone since vLLM 0.25.0 (#47361), on 3 lines of this file"


def test_a_list_of_files(report: Report, tree: Tree) -> None:
    text = "csrc/attention/paged_attention_v1.cu\ncsrc/attention/paged_attention_v1.cu\n"
    assert report("json", text) == ["1:1 PAM305 info paged_attention_v1.cu"]
    assert report("json", text, tree("csrc/attention/paged_attention_v1.cu")) == []


def test_a_very_long_line_is_found_and_not_quoted() -> None:
    data = b"[" + b'"x", ' * 1000 + b'"paged_attention_v1"]'
    (found,) = findings_in("a.json", "json", data)
    assert (found.line, found.column, found.source_line) == (1, 5003, "")
