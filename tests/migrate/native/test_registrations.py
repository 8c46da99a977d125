"""Operators that C++ registers, in every era of registering them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paged_attention_migrate.native import Facts, keeps_alive, registers_op, survey

Report = Callable[..., list[str]]
Tree = Callable[..., Facts]

CASE_42 = """\
    #include <torch/library.h>
    void paged_attention_v1(at::Tensor& out, const at::Tensor& q /* ... */);
    TORCH_LIBRARY_FRAGMENT(_C, m) {
      m.def("paged_attention_v1(" "Tensor! out, Tensor query" ") -> ()");
      m.impl("paged_attention_v1", torch::kCUDA, &paged_attention_v1);
    }
    """


def test_a_schema_and_its_kernel(report: Report) -> None:
    assert report("c++", CASE_42) == [
        "2:6 PAM301 info paged_attention_v1",
        "4:10 PAM302 warning paged_attention_v1",
        "5:11 PAM302 info paged_attention_v1",
    ]
    assert registers_op("a.cpp", CASE_42.encode()) == [(4, "paged_attention_v1", "_C")]


def test_vllm_itself_registers_what_it_defines(report: Report, tree: Tree) -> None:
    assert {line.split()[2] for line in report("c++", CASE_42, tree(is_vllm=True))} == {"info"}


def test_a_kernel_without_a_schema_hangs_in_the_air(report: Report) -> None:
    text = """\
        TORCH_LIBRARY_IMPL(_C, PrivateUse1, m) {
          m.impl("paged_attention_v1", &npu_attention);
          m.impl("paged_attention_v2",
                 TORCH_BOX(&paged_attention_v2));
        }
        """
    expected = ["2:11 PAM302 warning paged_attention_v1", "3:11 PAM302 warning paged_attention_v2"]
    assert report("c++", text) == [*expected, "4:21 PAM302 info paged_attention_v2"]
    assert registers_op("a.cpp", text.encode()) == []
    schema = survey([("b.cpp", "c++", b'TORCH_LIBRARY(_C, m) { m.def("paged_attention_v1(int x) -> ()"); }')])
    assert report("c++", text, schema)[0] == "2:11 PAM302 info paged_attention_v1"


@pytest.mark.parametrize(
    ("text", "namespace"),
    [
        ('TORCH_LIBRARY(_C, m) { m.def("paged_attention_v1(Tensor! out) -> ()"); }', "_C"),
        ('TORCH_LIBRARY_FRAGMENT(_C, m) { m.def("paged_attention_v1", &f); }', "_C"),
        ('STABLE_TORCH_LIBRARY_FRAGMENT(_C, ops) { ops.def("paged_attention_v1(Tensor! out) -> ()"); }', "_C"),
        (
            'TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) { ops.def("paged_attention_v1(Tensor x)"); }',
            "TORCH_EXTENSION_NAME",
        ),
        (
            'TORCH_LIBRARY_EXPAND(CONCAT(TORCH_EXTENSION_NAME, _extra), m) { m.def("paged_attention_v1(Tensor x)"); }',
            "CONCAT(TORCH_EXTENSION_NAME,_extra)",
        ),
        ('TORCH_LIBRARY(mini_ops, m) { m.def("paged_attention_v1(Tensor x)"); }', "mini_ops"),
        ('TORCH_LIBRARY(mini_ops, m) { m.def("_C::paged_attention_v1(Tensor x)"); }', "_C"),
        ('TORCH_LIBRARY(_C, m) { m.def(torch::schema("paged_attention_v1(Tensor x)"), {tag}); }', "_C"),
        ('TORCH_LIBRARY(_C, m) { m.def(TORCH_SELECTIVE_SCHEMA("paged_attention_v1.out(Tensor x)")); }', "_C"),
        ('TORCH_LIBRARY(_C, m) { m.def(R"(\n  paged_attention_v1(Tensor x) -> ())"); }', "_C"),
        (
            'TORCH_LIBRARY(_C, m) { m.def("paged_atten" /* split */ "tion_v1(Tensor x)"); /* paged_attention_v1 */ }',
            "_C",
        ),
        ('TORCH_LIBRARY(_C, m) { def(m, "paged_attention_v1", &paged_attention_v1, {0}); }', "_C"),
        ("TORCH_LIBRARY(_C, m) { REGISTER_OP(paged_attention_v1, int x); }", "_C"),
        (
            'TORCH_LIBRARY(_C, m) { all(m); }\nvoid all(torch::Library& m) { m.def("paged_attention_v1(Tensor x)"); }',
            "_C",
        ),
        (
            'auto m = torch::Library(torch::Library::FRAGMENT, "_C", x, y); auto d = m.def("paged_attention_v1(int)");',
            "_C",
        ),
        ('static auto r = torch::RegisterOperators().op("_C::paged_attention_v1(Tensor x)", f);', "_C"),
        ('void all(torch::Library& m) { m.def("paged_attention_v1(Tensor x)"); }', ""),
        ('PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("paged_attention_v1", &f, "Computes."); }', "pybind11"),
        ('void bind(py::module& m) { m.def("paged_attention_v1", &f, py::arg("out")); }', "pybind11"),
        ('#define BIND m.def("paged_attention_v1", &f, "paged_attention_v1(Tensor x)", py::arg("x"))', "pybind11"),
    ],
)
def test_the_namespace_of_a_registration(report: Report, text: str, namespace: str) -> None:
    ((_, name, found),) = registers_op("a.cpp", text.encode())
    assert (name, found) == ("paged_attention_v1", namespace)
    severity = "warning" if keeps_alive(namespace) else "info"
    assert f" PAM302 {severity} paged_attention_v1" in "\n".join(report("c++", text))


def test_kernel_builder_names_its_extension_itself(report: Report) -> None:
    text = 'TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) { ops.def("paged_attention_v1(Tensor x)"); }'
    assert registers_op("hub/torch-ext/bindings.cpp", text.encode()) == [(1, "paged_attention_v1", "torch-ext")]
    (found,) = report("c++", text, path="hub/torch-ext/bindings.cpp")
    assert " PAM302 info " in found


@pytest.mark.parametrize(
    "text",
    [
        '// m.def("paged_attention_v1(Tensor x)");',
        'TORCH_LIBRARY(_C, m) { m.def("paged_attention_v3(Tensor x)"); /* paged_attention_v1 */ }',
        'TORCH_LIBRARY(_C, m) { m.def("attend(Tensor x)", "paged_attention_v1 with more"); }',
        'TORCH_LIBRARY(_C, m) { m.def("attend", &paged_attention_v1); }',
        'log("paged_attention_v1", 1);',
        'names = {"paged_attention_v1", "paged_attention_v2"};',
        'TORCH_LIBRARY(_C, m) { m.def("attend(Tensor x)", TORCH_FN(paged_attention_v1)); }',
        "TORCH_LIBRARY(_C, m) paged_attention_v1",
    ],
)
def test_what_registers_nothing(report: Report, text: str) -> None:
    assert registers_op("a.cpp", text.encode()) == []
    assert "PAM302" not in "\n".join(report("c++", text))


def test_a_survey_keeps_what_was_known_and_says_where() -> None:
    known = Facts(is_vllm=True, defined=frozenset(["paged_attention_v2"]))
    facts = survey([("b/ops.cpp", "c++", CASE_42.encode())], known)
    assert facts.is_vllm
    assert facts.defined == {"paged_attention_v2"}
    assert facts.registered == (("b/ops.cpp", 4, "paged_attention_v1", "_C"),)
