"""C++ and CUDA apart from registrations: what a name does where it stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paged_attention_migrate.native import Facts, findings_in, survey

Report = Callable[..., list[str]]
Tree = Callable[..., Facts]

LOOK_ALIKES = [
    "void kvcompress_paged_attention_v1(int);",
    "fused_paged_attention_v1(x);",
    "consolidated_paged_attention_v2(x);",
    "paged_attention_v2_online_primitive(x);",
    "paged_attention_v3(x);",
    "paged_attention_v1_C(x);",
    "vllm::paged_attention_v1_kernel<scalar_t, 64><<<grid, block, 0, stream>>>(x);",
    "template <typename T> void paged_attention_v1_launcher(T x);",
    "ref_single_query_cached_kv_attention(x);",
    "paged_attention_rocm(x); paged_attention(x);",
    '#include "attention_dtypes.h"',
    '#include "attention_kernels_hip.cuh"',
    '#include "rocm/attention_kernels.cuh"',
    '#include "my_attention_kernels.cuh"',
    '#include "decoder-attention_kernels.cuh"',
    'const char* file = "attention_kernels.cu.orig";',
]


@pytest.mark.parametrize("line", LOOK_ALIKES)
def test_a_name_that_only_resembles_a_removed_one_is_nothing(report: Report, line: str) -> None:
    assert report("c++", line) == []


@pytest.mark.parametrize(
    "line",
    [
        "void paged_attention_v1(torch::Tensor& out);",
        "std::vector<at::Tensor> paged_attention_v1(at::Tensor q);",
        "at::Tensor *paged_attention_v1(at::Tensor q);",
        "at::Tensor& paged_attention_v1(at::Tensor q) const noexcept;",
        'extern "C" void paged_attention_v1(void* out);',
        "void (*paged_attention_v1)(int);",
        "bool paged_attention_v1 = false;",
        "void paged_attention_v1(int x) { run(x); }",
        "void Ops::paged_attention_v1(int x) const { run(x); }",
        "auto paged_attention_v1(int x) -> void { run(x); }",
        "template <int N> __global__ void paged_attention_v1(float* out) {}",
        "[[kernel]] void paged_attention_v1(device float* out) {}",
        "#define paged_attention_v1 my_attention",
        "struct paged_attention_v1 { int x; };",
    ],
)
def test_what_a_project_declares_or_defines_is_its_own(report: Report, line: str) -> None:
    (found,) = report("c++", line)
    assert found.endswith(" PAM301 info paged_attention_v1")


@pytest.mark.parametrize(
    "line",
    [
        "ops.paged_attention_v1(out);",
        "self->paged_attention_v1(out);",
        "aiter::paged_attention_v1(out);",
        "ffi::vllm::paged_attention_v1(out);",
        "auto mode = Kind::paged_attention_v1;",
    ],
)
def test_another_scope_or_an_object_is_not_vllm(report: Report, line: str) -> None:
    (found,) = report("c++", line)
    assert found.endswith(" PAM301 info paged_attention_v1")


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("  paged_attention_v1(out, q);", 3),
        ("  ::paged_attention_v1(out, q);", 5),
        ("  vllm::paged_attention_v1(out, q);", 9),
        ("  return paged_attention_v1(out, q);", 10),
        ("  if (ok && paged_attention_v1(out, q)) {}", 13),
        ("  paged_attention_v1<float, 64>(out, q);", 3),
        ("  paged_attention_v1<<<1, 2>>>(out, q);", 3),
        ("  run([&] { paged_attention_v1(out, q); });", 13),
        ("  auto f = &paged_attention_v1;", 13),
        ("  else paged_attention_v1(out, q);", 8),
        ("  using ::paged_attention_v1;", 11),
    ],
)
def test_a_use_without_a_definition_in_the_tree_is_for_a_person(report: Report, line: str, column: int) -> None:
    assert report("c++", f"//\n{line}") == [f"2:{column} PAM301 warning paged_attention_v1"]


def test_a_use_of_what_the_same_file_defines_is_its_own(report: Report) -> None:
    text = """\
        static void paged_attention_v1(int x) { run(x); }
        void both() { paged_attention_v1(1); }
        """
    assert report("c++", text) == ["1:13 PAM301 info paged_attention_v1", "2:15 PAM301 info paged_attention_v1"]


def test_a_use_of_what_another_file_of_the_tree_defines_is_its_own(report: Report) -> None:
    kernel = b"void paged_attention_v2(int x) {\n}\n"
    facts = survey([("kernel.cu", "c++", kernel), ("notes.md", "markdown", kernel)])
    assert facts.defined == {"paged_attention_v2"}
    assert report("c++", "run(); paged_attention_v2(1);", facts) == ["1:8 PAM301 info paged_attention_v2"]
    assert report("c++", "run(); paged_attention_v1(1);", facts) == ["1:8 PAM301 warning paged_attention_v1"]


def test_comments_are_mentions(report: Report) -> None:
    text = """\
        // paged_attention_v1(out);
        /* paged_attention_v1(a);
           paged_attention_v2(b); */ int x;
        int y; // goes on \\
        paged_attention_v2(c);
        """
    assert report("c++", text) == [
        "1:4 PAM305 info paged_attention_v1",
        "2:4 PAM305 info paged_attention_v1",
        "3:4 PAM305 info paged_attention_v2",
        "5:1 PAM305 info paged_attention_v2",
    ]


def test_strings_are_mentions(report: Report) -> None:
    text = """\
        const char* a = "paged_attention_v1 // no comment";
        const char* b = R"x(
          paged_attention_v1(out) "quoted" )"
          paged_attention_v2 )x"; char q = '"'; int n = 1'000'000; paged_attention_v2(n);
        """
    assert report("c++", text) == [
        "1:18 PAM305 info paged_attention_v1",
        "3:3 PAM305 info paged_attention_v1",
        "4:60 PAM301 warning paged_attention_v2",
    ]


def test_looking_the_operator_up_breaks(report: Report) -> None:
    text = 'auto op = c10::Dispatcher::singleton().findSchemaOrThrow("_C::paged_attention_v1", "");'
    assert report("c++", text) == [f"1:{text.index('_C::') + 5} PAM301 error paged_attention_v1"]
    assert report("c++", 'log("_C::paged_attention_v1");') == ["1:10 PAM301 warning paged_attention_v1"]
    assert report("c++", 'find("aiter::paged_attention_v1");') == ["1:14 PAM305 info paged_attention_v1"]
    registering = survey([("a.cpp", "c++", b'TORCH_LIBRARY(_C, m) { m.def("paged_attention_v1(int x) -> ()"); }')])
    (found,) = report("c++", text, registering)
    assert " PAM301 info " in found


@pytest.mark.parametrize(
    "line",
    [
        '#include "attention_kernels.cuh"',
        '  #  include "attention_kernels.cuh"',
        "#include <attention_kernels.cuh>",
        '#include "../attention/attention_kernels.cuh"',
    ],
)
def test_an_include_of_a_deleted_file(report: Report, reasons: Report, tree: Tree, line: str) -> None:
    (found,) = report("c++", line)
    assert found.endswith(" PAM303 warning attention_kernels.cuh")
    vendored = tree("third_party/attention/attention_kernels.cuh")
    assert report("c++", line, vendored) == []
    (reason,) = reasons("c++", line, vendored)
    assert reason.endswith("is in this repository")


def test_an_include_that_only_vllm_can_have_is_an_error(report: Report) -> None:
    assert report("c++", '#include "csrc/attention/attention_kernels.cu"') == ["1:11 PAM303 error attention_kernels.cu"]
    assert report("c++", '#include "paged_attention_v1.cu"') == ["1:11 PAM303 error paged_attention_v1.cu"]


def test_a_deleted_file_that_is_only_spoken_of(report: Report) -> None:
    text = """\
        // see attention_kernels.cuh
        #if __has_include("attention_kernels.cuh")
        #endif
        const char* why = "copied from attention_kernels.cu";
        compile("csrc/attention/paged_attention_v1.cu");
        """
    assert report("c++", text) == [
        "1:8 PAM305 info attention_kernels.cuh",
        "2:20 PAM305 info attention_kernels.cuh",
        "4:32 PAM305 info attention_kernels.cu",
        "5:10 PAM303 error paged_attention_v1.cu",
    ]


def test_a_message_says_what_and_since_when_and_what_to_do() -> None:
    (found,) = findings_in("a.cu", "c++", b"x(); single_query_cached_kv_attention(y);")
    assert found.message == (
        "calls single_query_cached_kv_attention, gone since vLLM 0.2.1 (#1348) and defined nowhere in this tree; "
        "call paged_attention_shim.paged_attention from Python, or keep the kernel's source in this repository"
    )
    assert (found.end_line, found.end_column) == (1, 38)
    assert found.source_line == "x(); single_query_cached_kv_attention(y);"


@pytest.mark.parametrize(
    "text",
    [
        'paged_attention_v1("',
        "paged_attention_v1(",
        "/* paged_attention_v1",
        'R"(paged_attention_v1',
        '#include "attention_kernels.cuh',
        "'paged_attention_v1",
    ],
)
def test_text_that_ends_too_early(report: Report, text: str) -> None:
    assert len(report("c++", text)) == 1
