"""Strings that name a source which vLLM deleted."""

from __future__ import annotations

import pytest

from paged_attention_migrate.native.deleted_files import (
    deleted_source,
    deleted_source_message,
    deleted_source_severity,
)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("csrc/attention/paged_attention_v1.cu", "csrc/attention/paged_attention_v1.cu"),
        (
            "csrc/libtorch_stable/attention/paged_attention_v2.cu",
            "csrc/libtorch_stable/attention/paged_attention_v2.cu",
        ),
        ("csrc/attention/attention_kernels.cuh", "csrc/attention/attention_kernels.cuh"),
        ("attention_kernels.cu", "attention_kernels.cu"),
        ("./csrc/../csrc/attention/attention_kernels.cu", "csrc/attention/attention_kernels.cu"),
        ("../../vllm/csrc/attention/paged_attention_v1.cu", "vllm/csrc/attention/paged_attention_v1.cu"),
        ("/opt/vllm/csrc/attention/paged_attention_v1.cu", "opt/vllm/csrc/attention/paged_attention_v1.cu"),
        (r"C:\vllm\csrc\attention\paged_attention_v1.cu", "vllm/csrc/attention/paged_attention_v1.cu"),
        ("${VLLM}/csrc/attention/paged_attention_v1.cu", "csrc/attention/paged_attention_v1.cu"),
        ("$ENV{VLLM}/csrc/attention/paged_attention_v1.cu", "csrc/attention/paged_attention_v1.cu"),
        ("{root}/csrc/attention/paged_attention_v1.cu", "csrc/attention/paged_attention_v1.cu"),
        ("@VLLM@/csrc/attention/paged_attention_v1.cu", "csrc/attention/paged_attention_v1.cu"),
    ],
)
def test_a_path_to_a_deleted_file(text: str, path: str) -> None:
    assert deleted_source(text) == path


@pytest.mark.parametrize(
    "text",
    [
        "",
        "csrc/attention/attention_utils.cuh",
        "csrc/attention/merge_attn_states.cu",
        "csrc/rocm/attention_kernels.cuh",
        "src/paged_attention_v1.cuh",
        "src/paged_attention_v1.cpp",
        "paged_attention_v1.cu.o",
        "my_paged_attention_v1.cu",
        "paged-attention_kernels.cu",
        "decode/attention_kernels.cu",
        "csrc/attention/*.cu",
        "paged_attention_v1",
        "see csrc/attention/paged_attention_v1.cu",
        "csrc/attention/paged_attention_v1.cu, for example",
        "csrc/attention/paged_attention_v1.cu/",
    ],
)
def test_what_is_no_path_to_one(text: str) -> None:
    assert deleted_source(text) is None


def test_what_is_said_about_one() -> None:
    assert deleted_source_message("csrc/attention/paged_attention_v1.cu") == (
        "csrc/attention/paged_attention_v1.cu is gone since vLLM 0.25.0 (#47361): "
        "drop it and call paged_attention_shim.paged_attention, or keep a copy of the source in this repository"
    )
    assert "0.6.4" in deleted_source_message("attention_kernels.cu")


@pytest.mark.parametrize(
    ("path", "severity"),
    [
        ("csrc/attention/attention_kernels.cu", "error"),
        ("vllm/attention/attention_kernels.cu", "error"),
        ("paged_attention_v1.cu", "error"),
        ("attention_kernels.cuh", "warning"),
        ("kernels/attention/attention_kernels.cu", "warning"),
    ],
)
def test_a_name_that_other_projects_use_is_no_certain_break(path: str, severity: str) -> None:
    assert deleted_source_severity(path) == severity
