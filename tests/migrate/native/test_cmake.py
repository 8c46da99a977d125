"""CMake lists."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paged_attention_migrate.native import Facts

Report = Callable[..., list[str]]
Tree = Callable[..., Facts]

CASE_28 = """\
    set(MY_SRC
      csrc/attention/paged_attention_v1.cu
      csrc/attention/paged_attention_v2.cu
      csrc/cache_kernels.cu)
    """


def test_each_line_that_takes_a_deleted_source(report: Report) -> None:
    assert report("cmake", CASE_28) == [
        "2:3 PAM303 error paged_attention_v1.cu",
        "3:3 PAM303 error paged_attention_v2.cu",
    ]


def test_a_source_that_the_repository_has_is_its_own(report: Report, reasons: Report, tree: Tree) -> None:
    vendored = tree("csrc/attention/paged_attention_v1.cu")
    assert report("cmake", CASE_28, vendored) == ["3:3 PAM303 error paged_attention_v2.cu"]
    assert reasons("cmake", CASE_28, vendored) == [
        "2:3 paged_attention_v1.cu: csrc/attention/paged_attention_v1.cu is in this repository"
    ]


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ('list(APPEND SRC "csrc/attention/paged_attention_v1.cu")', 18),
        ('set(SRC "a.cu;csrc/attention/paged_attention_v1.cu")', 15),
        ("add_library(x ${VLLM_DIR}/csrc/attention/paged_attention_v1.cu)", 15),
        ('add_library(x "${VLLM_DIR}/csrc/attention/paged_attention_v1.cu")', 16),
        ("add_library(x $<$<BOOL:${GPU}>:csrc/attention/paged_attention_v1.cu>)", 32),
        ("add_library(x [=[csrc/attention/paged_attention_v1.cu]=])", 18),
        ("set(\n  # why\n  SRC csrc/attention/paged_attention_v1.cu)", 0),
    ],
)
def test_forms_of_an_entry(report: Report, line: str, column: int) -> None:
    (found,) = report("cmake", line)
    assert found.endswith(" PAM303 error paged_attention_v1.cu")
    assert not column or found.startswith(f"1:{column} ")


@pytest.mark.parametrize(
    "text",
    [
        "# csrc/attention/paged_attention_v1.cu",
        "set(SRC a.cu # csrc/attention/paged_attention_v1.cu\n)",
        "#[[ off\n csrc/attention/paged_attention_v1.cu\n]]",
        "#[==[ ]] csrc/attention/paged_attention_v1.cu ]==]",
        'message(STATUS "csrc/attention/paged_attention_v1.cu")',
        "message(STATUS csrc/attention/paged_attention_v1.cu)",
        'set(WHY "built from csrc/attention/paged_attention_v1.cu until 0.24")',
        "set(WHY [[\n built from csrc/attention/paged_attention_v1.cu ]])",
        "list(REMOVE_ITEM SRC csrc/attention/paged_attention_v1.cu)",
        "list(FILTER SRC EXCLUDE REGEX csrc/attention/paged_attention_v1.cu)",
        "if(EXISTS ${VLLM_DIR}/csrc/attention/paged_attention_v1.cu)",
    ],
)
def test_what_takes_no_source(report: Report, text: str) -> None:
    (found,) = report("cmake", text)
    assert found.endswith(" PAM305 info paged_attention_v1.cu")


@pytest.mark.parametrize(
    "text",
    [
        "set(SRC csrc/attention/merge_attn_states.cu)",
        "set(SRC csrc/rocm/attention_kernels.cuh)",
        "file(GLOB SRC csrc/attention/*.cu)",
        "add_test(paged_attention_v1_test x)",
    ],
)
def test_what_is_nothing(report: Report, text: str) -> None:
    assert report("cmake", text) == []


def test_a_quoted_string_may_hold_a_hash(report: Report) -> None:
    text = 'set(A "#") \nset(SRC csrc/attention/paged_attention_v1.cu)\nadd_executable(paged_attention_v2 x.cu)'
    assert report("cmake", text) == [
        "2:9 PAM303 error paged_attention_v1.cu",
        "3:16 PAM305 info paged_attention_v2",
    ]
