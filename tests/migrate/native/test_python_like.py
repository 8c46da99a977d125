"""Cython and stubs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Report = Callable[..., list[str]]


def test_cython_that_imports_from_vllm(report: Report) -> None:
    text = '''\
        """uses paged_attention_v1"""
        from vllm._custom_ops import paged_attention_v1  # paged_attention_v2
        def go(x):
            paged_attention_v1(x, "paged_attention_v2")
        '''
    assert report("cython", text) == [
        "1:9 PAM305 info paged_attention_v1",
        "2:30 PAM301 error paged_attention_v1",
        "2:52 PAM305 info paged_attention_v2",
        "4:5 PAM301 error paged_attention_v1",
        "4:28 PAM305 info paged_attention_v2",
    ]


def test_cython_over_the_dispatcher(report: Report) -> None:
    assert report("cython", "import torch\ntorch.ops._C.paged_attention_v1(x)") == [
        "2:14 PAM301 error paged_attention_v1"
    ]


@pytest.mark.parametrize(
    "text",
    [
        'cdef extern from "own.h":\n    void paged_attention_v1(float* out)',
        "from own.ops cimport paged_attention_v1",
        "import aiter\ntorch.ops.aiter.paged_attention_v1(x)",
        "from vllm_metal import paged_attention_v1",
    ],
)
def test_cython_of_another_library(report: Report, text: str) -> None:
    (found,) = report("cython", text)
    assert found.endswith(" PAM301 info paged_attention_v1")


def test_a_source_that_cython_takes(report: Report) -> None:
    text = "# distutils: sources = csrc/attention/paged_attention_v1.cu\nsrc = 'csrc/attention/paged_attention_v2.cu'\n"
    assert report("cython", text) == [
        "1:24 PAM305 info paged_attention_v1.cu",
        "2:8 PAM303 error paged_attention_v2.cu",
    ]


def test_a_stub(report: Report, reasons: Report) -> None:
    text = """\
        from vllm._custom_ops import paged_attention_v1
        from vllm._custom_ops import (
            paged_attention_v2 as two,
        )
        import vllm.paged_attention_v1, \\
            vllm.paged_attention_v2
        def paged_attention_v1(out: Tensor) -> None: ...  # paged_attention_v2
        def paged_attention_v1_kernel(out: Tensor) -> None: ...
        paged_attention_v2: Callable[..., None]
        """
    assert report("stub", text) == [
        "7:5 PAM307 info paged_attention_v1",
        "7:53 PAM305 info paged_attention_v2",
        "9:1 PAM307 info paged_attention_v2",
    ]
    assert [each.split(" ")[0] for each in reasons("stub", text)] == ["1:30", "3:5", "5:13", "6:10"]
