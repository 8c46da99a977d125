"""Trees in which something still reads a removed function, or a source of it: nothing of the definitions may go."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from paged_attention_migrate.settings import Settings

pytest.importorskip("tree_sitter_cuda", reason="the extra `native` is not installed")

from paged_attention_migrate.retire.plan import plan

Build = Callable[[dict[str, str]], Path]

TREE = {
    "vllm/__init__.py": "",
    "vllm/_custom_ops.py": (
        "import torch\n\n\ndef paged_attention_v1(out):\n    torch.ops._C.paged_attention_v1(out)\n\n\n"
        "def rms_norm(out):\n    torch.ops._C.rms_norm(out)\n"
    ),
    "CMakeLists.txt": 'set(SRC "csrc/cache.cu" "csrc/attention/paged_attention_v1.cu")\n',
    "csrc/ops.h": "#pragma once\nvoid paged_attention_v1(torch::Tensor& out);\n",
    "csrc/cache.cu": "void swap(int x) {}\n",
    "csrc/bindings.cpp": (
        '#include "ops.h"\n\nTORCH_LIBRARY(_C, ops) {\n  ops.def("paged_attention_v1(Tensor! out) -> ()");\n'
        '  ops.impl("paged_attention_v1", torch::kCUDA, &paged_attention_v1);\n}\n'
    ),
    "csrc/attention/paged_attention_v1.cu": '#include "../ops.h"\n\nvoid paged_attention_v1(torch::Tensor& out) {}\n',
}

# What is added to the tree, or written in the place of a file, and where the reader is.
READERS = {
    "a call in C++": (
        {"csrc/extra.cpp": '#include "ops.h"\nvoid both(torch::Tensor& out) {\n  paged_attention_v1(out);\n}\n'},
        "csrc/extra.cpp:3",
    ),
    "a wrapper for C": (
        {"csrc/extra.cpp": 'extern "C" void attend_C(void* out) { paged_attention_v1(*(torch::Tensor*)out); }\n'},
        "csrc/extra.cpp:1",
    ),
    "a macro": ({"csrc/extra.h": "#define ATTEND(x) paged_attention_v1(x)\n"}, "csrc/extra.h:1"),
    "a pointer to it": ({"csrc/extra.cpp": "static auto attend = &paged_attention_v1;\n"}, "csrc/extra.cpp:1"),
    "a declaration in a function": (
        {"csrc/extra.cpp": "void f() {\n  void paged_attention_v1(torch::Tensor& out);\n}\n"},
        "csrc/extra.cpp:2",
    ),
    "a declaration together with another": (
        {"csrc/ops.h": "void paged_attention_v1(torch::Tensor& out), rms_norm(torch::Tensor& out);\n"},
        "csrc/ops.h:1",
    ),
    "a registration in a chain": (
        {"csrc/chain.cpp": 'TORCH_LIBRARY(_C, m) {\n  m.def("a() -> ()").def("paged_attention_v1() -> ()");\n}\n'},
        "csrc/chain.cpp:2",
    ),
    "a registration of the function under another namespace": (
        {"csrc/more.cpp": 'TORCH_LIBRARY(mine, m) {\n  m.impl("paged_attention_v1", &paged_attention_v1);\n}\n'},
        "csrc/more.cpp:2",
    ),
    "text that no grammar understands": (
        {"csrc/odd.cpp": "void f() {\n  @@ paged_attention_v1 $$ ;;\n}\n"},
        "csrc/odd.cpp:2",
    ),
    "a call in another project that is kept here": (
        {"third_party/bench/run.cpp": "void f(torch::Tensor& out) {\n  paged_attention_v1(out);\n}\n"},
        "third_party/bench/run.cpp:2",
    ),
    "Python of another project that is kept here": (
        {"third_party/bench/run.py": "from vllm import _custom_ops as ops\n\nops.paged_attention_v1(1)  # noqa\n"},
        "third_party/bench/run.py:3",
    ),
    "a call that a noqa silences": (
        {"vllm/attend.py": "from vllm import _custom_ops as ops\n\nops.paged_attention_v1(1)  # noqa: PAM102\n"},
        "vllm/attend.py:3",
    ),
    "a call with arguments that fit nothing": (
        {"vllm/attend.py": "from vllm import _custom_ops as ops\n\nops.paged_attention_v1(1, 2)\n"},
        "vllm/attend.py:3",
    ),
    "an import that hands it on": (
        {"vllm/kernels.py": "from vllm._custom_ops import paged_attention_v2\n"},
        "vllm/kernels.py:1",
    ),
    "a compiled module of the tree": (
        {"vllm/attend.py": "from vllm.fast_ops import kernels\n\nkernels.paged_attention_v1(1)\n"},
        "vllm/attend.py:3",
    ),
    "an object that cannot be followed": (
        {"vllm/attend.py": "def attend(ops, out):\n    ops.paged_attention_v1(out)\n"},
        "vllm/attend.py:2",
    ),
    "an operator in a wrapper that stays": (
        {
            "vllm/_custom_ops.py": TREE["vllm/_custom_ops.py"]
            + "\n\ndef attend(out):\n    torch.ops._C.paged_attention_v1(out)\n"
        },
        "vllm/_custom_ops.py:9",
    ),
    "Rust": ({"rust/src/ffi.rs": 'extern "C" {\n    fn paged_attention_v1(out: *mut f32);\n}\n'}, "rust/src/ffi.rs:2"),
    "Cython": (
        {"vllm/fast.pyx": 'cdef extern from "ops.h":\n    void paged_attention_v1(void* out)\n'},
        "vllm/fast.pyx:2",
    ),
    "a notebook": (
        {
            "try.ipynb": json.dumps(
                {
                    "cells": [
                        {
                            "cell_type": "code",
                            "metadata": {},
                            "outputs": [],
                            "source": ["from vllm import _custom_ops as ops\n", "ops.paged_attention_v1(1)"],
                        }
                    ],
                    "nbformat": 4,
                    "metadata": {},
                },
                indent=1,
            )
        },
        "try.ipynb:9",
    ),
    "Python that does not parse": ({"vllm/old.py": "print 'paged_attention_v1'\n"}, "vllm/old.py:1"),
    "a use in the module of wrappers": (
        {"vllm/_custom_ops.py": TREE["vllm/_custom_ops.py"] + '\n\nKERNELS = {"v1": paged_attention_v1}\n'},
        "vllm/_custom_ops.py:1",
    ),
    "a condition on the file": (
        {"CMakeLists.txt": 'if(EXISTS "csrc/attention/paged_attention_v1.cu")\nendif()\n'},
        "CMakeLists.txt:1",
    ),
    "a library of nothing else": (
        {"CMakeLists.txt": "add_library(attention csrc/attention/paged_attention_v1.cu)\n"},
        "CMakeLists.txt:1",
    ),
    "a script that opens the file": (
        {"tools/read.py": 'text = open("csrc/attention/paged_attention_v1.cu").read()\n'},
        "tools/read.py:1",
    ),
}


@pytest.mark.parametrize("reader", READERS)
def test_nothing_goes_that_still_has_a_reader(reader: str, build: Build) -> None:
    more, place = READERS[reader]
    build({**TREE, **more})
    made = plan(".", Settings())
    assert [f"{each.path}:{each.line}" for each in made.blockers] == [place]
    assert not any(change.deleted for change in made.changes)
    assert not any(change.path.startswith(("csrc/", "CMake", "vllm/_custom")) for change in made.changes)


def test_without_any_of_these_the_tree_is_retired(build: Build) -> None:
    build(TREE)
    made = plan(".", Settings())
    assert made.blockers == ()
    assert [change.path for change in made.changes if change.deleted] == ["csrc/attention/paged_attention_v1.cu"]
    assert [change.path for change in made.changes if not change.deleted] == [
        "CMakeLists.txt",
        "csrc/bindings.cpp",
        "csrc/ops.h",
        "vllm/_custom_ops.py",
    ]


# What looks like a reader and is none: the tree is retired, and these files stay as they are.
LOOK_ALIKES = {
    "csrc/text.cpp": 'void f() { TORCH_CHECK(false, "paged_attention_v1 is not for you"); }\n',
    "csrc/comment.h": "#pragma once\n// paged_attention_v1 was here.\n",
    "csrc/longer.cpp": "void paged_attention_v1_impl(int x) {}\nvoid my_paged_attention_v1(int x) {}\n",
    "csrc/other.cpp": "namespace o { void paged_attention_v1(int x) {} }\nvoid g() { o::paged_attention_v1(1); }\n",
    "csrc/library.cpp": 'TORCH_LIBRARY(mine, m) {\n  m.def("paged_attention_v1(Tensor! out) -> ()");\n}\n',
    "third_party/aiter/pa.cu": "void paged_attention_v1(int x) {}\nvoid h() { paged_attention_v1(1); }\n",
    "third_party/aiter/ops.py": "def attend(ops, out):\n    ops.paged_attention_v1(out)\n",
    "vllm/aiter.py": "import torch\n\ntorch.ops.aiter.paged_attention_v1(1)\n",
    "vllm/foreign.py": "import aiter\n\naiter.paged_attention_v1(1)\n",
    "vllm/_ipex_ops.py": "class ipex_ops:\n    @staticmethod\n    def paged_attention_v1(out):\n        return out\n",
    "vllm/ipex.py": "from vllm._ipex_ops import ipex_ops\n\nipex_ops.paged_attention_v1(1)\n",
    "vllm/own.py": "def paged_attention_v1(out):\n    return out\n\n\npaged_attention_v1(1)\n",
    "vllm/words.py": '"""paged_attention_v1 is gone."""\n\n# paged_attention_v1\nX = "see paged_attention_v1 there"\n',
    "docs/design.md": "The kernel is in `csrc/attention/paged_attention_v1.cu`, `ops.paged_attention_v1` calls it.\n",
}


@pytest.mark.parametrize("path", LOOK_ALIKES)
def test_what_only_looks_like_a_reader_holds_nothing_up_and_stays(path: str, build: Build) -> None:
    build({**TREE, path: LOOK_ALIKES[path]})
    made = plan(".", Settings())
    assert made.blockers == ()
    assert path not in {change.path for change in made.changes}
    assert any(change.deleted for change in made.changes)


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"csrc/pa.cu": TREE["csrc/attention/paged_attention_v1.cu"]}, id="kernels of its own"),
        pytest.param({f"3rdparty/vllm/{path}": text for path, text in TREE.items()}, id="a vLLM inside"),
        pytest.param({"vllm/__init__.py": "", "csrc/ops.h": "void rms_norm(int x);\n"}, id="no definitions"),
    ],
)
def test_a_tree_that_is_no_vllm_with_definitions_is_left_alone(files: dict[str, str], build: Build) -> None:
    build(files)
    made = plan(".", Settings())
    assert made.changes == ()
    assert not (made.defined and made.is_vllm)


def test_a_vllm_inside_another_repository_is_retired_by_its_own_root(build: Build) -> None:
    build({f"inner/{path}": text for path, text in TREE.items()})
    changed = {change.path for change in plan("inner", Settings()).changes}
    assert "inner/csrc/attention/paged_attention_v1.cu" in changed


def test_an_excluded_file_is_no_reader(build: Build) -> None:
    build({**TREE, "stale/attend.py": READERS["a call with arguments that fit nothing"][0]["vllm/attend.py"]})
    assert len(plan(".", Settings()).blockers) == 1
    assert plan(".", Settings(exclude=("stale/*",))).blockers == ()


def test_callers_move_even_where_the_definitions_stay(build: Build) -> None:
    call = "ops.paged_attention_v1(o, q, k, v, 8, 1.0, t, s, 16, 64, None, 'auto', ks, vs)"
    build(
        {
            **TREE,
            "vllm/attend.py": f"from vllm import _custom_ops as ops\n\ndef f(o, q, k, v, t, s, ks, vs):\n    {call}\n",
            "csrc/extra.h": "#define ATTEND(x) paged_attention_v1(x)\n",
        }
    )
    made = plan(".", Settings())
    assert [change.path for change in made.changes] == ["vllm/attend.py"]
    assert b"paged_attention(o, q" in made.changes[0].after


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        pytest.param('#include "kernels.cuh"\n', True, id="an include"),
        pytest.param("#include <attention/kernels.cuh>\n", True, id="an include by search path"),
        pytest.param('#if __has_include("attention/kernels.cuh")\n#endif\n', True, id="a question"),
        pytest.param('#define HEADER "attention/kernels.cuh"\n#include HEADER\n', True, id="an include by macro"),
        pytest.param('// #include "kernels.cuh"\n', False, id="a comment"),
        pytest.param('/*\n#include "kernels.cuh"\n*/\n', False, id="a longer comment"),
        pytest.param('#include "other/kernels.cuh"\n', False, id="another file of that name"),
        pytest.param('#include "my_kernels.cuh"\n', False, id="a longer name"),
    ],
)
def test_a_header_stays_with_whoever_includes_it(text: str, stays: bool, build: Build) -> None:
    header = "csrc/attention/kernels.cuh"
    source = "csrc/attention/paged_attention_v1.cu"
    build(
        {
            **TREE,
            source: f'#include "kernels.cuh"\n{TREE[source]}',
            header: "#pragma once\n",
            "csrc/other/kernels.cuh": "#pragma once\n",
            "csrc/attention/reader.cu": text,
        }
    )
    deleted = {change.path for change in plan(".", Settings()).changes if change.deleted}
    assert source in deleted
    assert (header not in deleted) is stays
