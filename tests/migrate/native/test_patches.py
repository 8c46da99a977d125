"""Patch files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paged_attention_migrate.native import Facts, findings_in

Report = Callable[..., list[str]]

PYTHON = """\
    diff --git a/model.py b/model.py
    --- a/model.py
    +++ b/model.py
    @@ -1,3 +1,4 @@
     ops.paged_attention_v1(a)
    -ops.paged_attention_v2(b)
    +{}
    """


@pytest.mark.parametrize(
    "line",
    [
        "ops.paged_attention_v2(c)",
        "from vllm._custom_ops import paged_attention_v2",
        "import vllm._custom_ops.paged_attention_v2",
        "run(ops.paged_attention_v2)",
    ],
)
def test_an_added_use_is_a_warning_and_the_rest_a_mention(report: Report, line: str) -> None:
    first, second, third = report("patch", PYTHON.format(line))
    assert first == "5:6 PAM305 info paged_attention_v1"
    assert second == "6:6 PAM305 info paged_attention_v2"
    assert third.startswith("7:")
    assert third.endswith(" PAM301 warning paged_attention_v2")


@pytest.mark.parametrize(
    "line",
    [
        "# ops.paged_attention_v2(c)",
        'log("paged_attention_v2(c)")',
        "def paged_attention_v2(c):",
        "ops.paged_attention_v2_kernel(c)",
    ],
)
def test_an_added_line_without_a_use(report: Report, line: str) -> None:
    assert "warning" not in "\n".join(report("patch", PYTHON.format(line)))


def test_a_patch_that_defines_what_it_calls(report: Report) -> None:
    text = """\
        --- a/csrc/ops.cu
        +++ b/csrc/ops.cu
        @@ -1 +1,4 @@
        +void paged_attention_v1(int x) {
        +}
        +void go() { paged_attention_v1(1); }
        +void gone() { paged_attention_v2(1); }
        """
    assert report("patch", text) == [
        "4:7 PAM305 info paged_attention_v1",
        "6:14 PAM301 info paged_attention_v1",
        "7:16 PAM301 warning paged_attention_v2",
    ]


def test_a_patch_to_a_deleted_source(report: Report) -> None:
    text = """\
        diff --git a/csrc/attention/attention_kernels.cu b/csrc/attention/attention_kernels.cu
        --- a/csrc/attention/attention_kernels.cu
        +++ b/csrc/attention/attention_kernels.cu
        @@ -1 +1 @@
        -int a;
        +int b;
        """
    assert report("patch", text) == [
        "1:12 PAM305 info attention_kernels.cu",
        "2:5 PAM305 info attention_kernels.cu",
        "3:5 PAM305 info attention_kernels.cu",
    ]


def test_a_patch_to_a_source_that_the_repository_has(report: Report, tree: Callable[..., Facts]) -> None:
    text = "--- a/csrc/attention/attention_kernels.cu\n+++ b/csrc/attention/attention_kernels.cu\n"
    assert len(report("patch", text)) == 2
    assert report("patch", text, tree("csrc/attention/attention_kernels.cu")) == []


def test_text_around_the_hunks_adds_nothing(report: Report) -> None:
    text = "Subject: paged_attention_v1(x)\n+paged_attention_v2(x)\n"
    assert report("patch", text) == ["1:10 PAM305 info paged_attention_v1", "2:2 PAM305 info paged_attention_v2"]


def test_an_added_line_that_looks_like_a_header(report: Report) -> None:
    text = """\
        --- a/a.cpp
        +++ b/a.cpp
        @@ -1 +1,2 @@
        +++ i; paged_attention_v1(i);
        """
    assert report("patch", text) == ["4:8 PAM301 warning paged_attention_v1"]


def test_the_message_says_what_to_call() -> None:
    text = b"--- a/a.py\n+++ b/a.py\n@@ -0,0 +1 @@\n+ops.paged_attention_v2(x)\n"
    (found,) = findings_in("a.patch", "patch", text)
    assert found.message == (
        "the patch adds a use of paged_attention_v2 to a.py: paged_attention_v2 is gone since vLLM 0.25.0 (#47361); "
        "call paged_attention_shim.paged_attention without exp_sum, max_logits and tmp_out"
    )
