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
        "4:28 PAM301 warning paged_attention_v2",
    ]


def test_cython_over_the_dispatcher(report: Report) -> None:
    assert report("cython", "import torch\ntorch.ops._C.paged_attention_v1(x)") == [
        "2:14 PAM301 error paged_attention_v1"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "from vllm import _custom_ops as ops\nops.paged_attention_v1(x)",
        "import torch, vllm._custom_ops as ops\nops.paged_attention_v1(x)",
        "import numpy; from vllm import _custom_ops\n_custom_ops.paged_attention_v1(x)",
        "cimport vllm.ops\nvllm.ops.paged_attention_v1(x)",
        "from vllm.ops cimport other\ncdef class A:\n    def go(self):\n        return self.ops.paged_attention_v1(x)",
        "from torch import ops\nops._C.paged_attention_v1(x)",
        "from mine import _C\n_C.ops.paged_attention_v1(x)",
        "import importlib\nops = importlib.import_module('vllm._custom_ops')\nops.paged_attention_v1(x)",
        "from vllm import ops\ncdef object f = ops.paged_attention_v1",
        "from vllm import ops\ncpdef go(x): return ops.paged_attention_v1(x)",
        "from vllm import ops\ncdef extern from 'a.h':\n    int a(int)\ndef f():\n    return paged_attention_v1(x)",
    ],
)
def test_cython_that_has_it_from_vllm_by_any_way(report: Report, text: str) -> None:
    assert report("cython", text)[-1].endswith(" PAM301 error paged_attention_v1")


@pytest.mark.parametrize(
    "text",
    [
        "from vllm import ops\ngetattr(ops, 'paged_attention_v1')",
        "from vllm import ops\ngetattr(torch.ops, '_C::paged_attention_v1')",
        "patch('vllm._custom_ops.paged_attention_v1')",
        "find('_C::paged_attention_v1')",
    ],
)
def test_cython_that_looks_the_name_up(report: Report, text: str) -> None:
    assert report("cython", text)[-1].endswith(" PAM301 warning paged_attention_v1")


@pytest.mark.parametrize(
    "text",
    [
        "OPS = ['paged_attention_v1']",
        "from vllm import ops\nlog('no paged_attention_v1')",
        "x('mine.paged_attention_v1')",
    ],
)
def test_cython_strings_that_are_mentions(report: Report, text: str) -> None:
    assert report("cython", text)[-1].endswith(" PAM305 info paged_attention_v1")


@pytest.mark.parametrize(
    "text",
    [
        "import vllm\ncpdef paged_attention_v1(x):\n    pass",
        "import vllm\ncdef inline void paged_attention_v1(float* x) nogil:\n    pass",
        "import vllm\ncdef class A:\n    def paged_attention_v1(self): pass",
        "import vllm\ncdef extern from 'own.h' nogil:\n    void paged_attention_v1(float* out)",
        "import vllm\ndef paged_attention_v1(x): pass\npaged_attention_v1(1)",
        "import vllm\ntorch.ops.aiter.paged_attention_v1(x)",
    ],
)
def test_cython_look_alikes_beside_vllm(report: Report, text: str) -> None:
    assert {each.split(" ", 1)[1] for each in report("cython", text)} == {"PAM301 info paged_attention_v1"}


def test_an_import_from_vllm_outweighs_a_definition(report: Report) -> None:
    text = "from vllm.ops import paged_attention_v1\ndef paged_attention_v1(x): pass\npaged_attention_v1(1)"
    assert [each.split(" ")[2] for each in report("cython", text)] == ["error", "info", "error"]


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
