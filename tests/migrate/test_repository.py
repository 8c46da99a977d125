"""What one file of a repository says about another: re-exports, registrations, trees that define the functions."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from paged_attention_migrate import project

OPS = "from vllm import _custom_ops as ops\n"
V1 = 'o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs'
V2 = 'o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs'
P = "o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(here: Path, **files: str) -> None:
    for name, text in files.items():
        path = here / name.replace("__", "/").replace("_init", "__init__.py").replace("_py", ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def run(**options: bool) -> tuple[dict[str, str], list[str], project.Result]:
    """The rewritten files, the findings above info as `path:line code fix`, and the whole result."""
    result = project.rewrite(project.Options()._replace(**options))  # type: ignore[arg-type]
    found = [f"{each.path}:{each.line} {each.code} {each.fix}" for each in result.findings if each.severity != "info"]
    changed = {change.path: change.after.decode() for change in result.changes}
    for text in changed.values():
        ast.parse(text)
    return changed, found, result


def test_a_module_that_hands_the_operators_on(here: Path) -> None:
    write(
        here,
        pkg___init="",
        pkg__kernels_py="from vllm import _custom_ops as ops\n",
        pkg__decode_py=f"from pkg.kernels import ops\n\ndef f({P}):\n    ops.paged_attention_v2({V2})\n",
    )
    changed, found, _ = run()
    assert found == ["pkg/decode.py:4 PAM102 safe"]
    assert changed == {
        "pkg/decode.py": f"from paged_attention_shim import paged_attention\n\ndef f({P}):\n    paged_attention({V1})\n"
    }


def test_an_attribute_of_a_module_that_hands_the_operators_on(here: Path) -> None:
    write(
        here,
        pkg___init="",
        pkg__kernels_py=f"{OPS}\ndef f(a):\n    ops.paged_attention_v1(*a)\n",
        pkg__decode_py=f"from pkg import kernels\n\ndef f({P}):\n    kernels.ops.paged_attention_v1({V1})\n",
    )
    changed, found, _ = run()
    assert "pkg/decode.py:4 PAM102 safe" in found
    assert f"    paged_attention({V1})\n" in changed["pkg/decode.py"]
    assert "from vllm import _custom_ops as ops" in changed["pkg/kernels.py"], "pkg.decode took it from there"


def test_a_function_handed_on_under_another_name(here: Path) -> None:
    write(
        here,
        pkg___init="",
        pkg__kernels_py="from vllm._custom_ops import paged_attention_v1 as attend\n",
        pkg__decode_py=f"from .kernels import attend\n\ndef f({P}):\n    attend({V1})\n",
    )
    changed, found, _ = run()
    assert found == ["pkg/kernels.py:1 PAM101 safe"]
    assert changed == {"pkg/kernels.py": "from paged_attention_shim import paged_attention as attend\n"}


def test_v2_handed_on_through_two_modules(here: Path) -> None:
    write(
        here,
        pkg___init="",
        pkg__low_py="from vllm._custom_ops import paged_attention_v2 as split_attend\n",
        pkg__high_py="from pkg.low import split_attend as attend\n",
        pkg__decode_py=f"from pkg.high import attend\n\ndef f({P}):\n    attend({V2})\n",
    )
    changed, found, _ = run()
    assert "pkg/low.py:1 PAM101 None" in found
    assert "pkg/decode.py:4 PAM102 safe" in found
    assert changed["pkg/decode.py"].startswith("from paged_attention_shim import paged_attention\n")
    assert changed["pkg/decode.py"].endswith(f"    paged_attention({V1})\n")


def test_a_star_import_from_a_module_that_hands_on(here: Path) -> None:
    write(
        here,
        pkg___init="",
        pkg__kernels_py="from vllm._custom_ops import paged_attention_v1\n",
        pkg__decode_py=f"from pkg.kernels import *\n\ndef f({P}):\n    paged_attention_v1({V1})\n",
        pkg__old_py=f"from pkg.kernels import *\n\ndef f({P}):\n    paged_attention_v1({V1}, window=1)\n",
    )
    changed, found, _ = run()
    assert changed == {"pkg/kernels.py": "from paged_attention_shim import paged_attention as paged_attention_v1\n"}
    assert found == ["pkg/kernels.py:1 PAM101 safe", "pkg/old.py:4 PAM404 None"]
    for path, text in changed.items():
        (here / path).write_text(text)
    assert run()[:2] == ({}, [])


def test_a_script_beside_a_script(here: Path) -> None:
    write(
        here,
        bench__wrappers_py="from vllm import _custom_ops as kernels\n",
        bench__run_py=f"import wrappers\n\ndef f({P}):\n    wrappers.kernels.paged_attention_v1({V1})\n",
        other__run_py="import wrappers\n\nwrappers.kernels.paged_attention_v1(1)\n",
    )
    changed, _, _ = run()
    assert list(changed) == ["bench/run.py"]


def test_an_operator_that_the_project_registers_stays(here: Path) -> None:
    write(here, call_py=f"import torch\n\ndef f({P}):\n    torch.ops._C.paged_attention_v1({V1}, 0, 0, 0, 64, 0)\n")
    (here / "ops.cpp").write_text(
        "#include <torch/library.h>\nTORCH_LIBRARY_FRAGMENT(_C, m) {\n"
        '  m.def("paged_attention_v1(" "Tensor! out) -> ()");\n}\n'
    )
    changed, found, _ = run()
    assert changed == {}
    assert found == ["call.py:4 PAM406 None", "ops.cpp:3 PAM302 None"]


DEFINITION = "import torch\n\n\ndef paged_attention_v1(*a):\n    torch.ops._C.paged_attention_v1(*a)\n"


def test_a_tree_that_defines_the_functions_is_left_alone(here: Path) -> None:
    write(
        here,
        vllm___init="",
        vllm___custom_ops_py=DEFINITION,
        tests__test_attention_py=f"{OPS}\ndef f({P}):\n    ops.paged_attention_v1({V1})\n",
    )
    (here / "vllm/_custom_ops.py").write_text(DEFINITION)
    changed, found, result = run()
    assert (changed, found) == ({}, [])
    (notice,) = result.notices
    assert notice.startswith("vllm/_custom_ops.py:4 defines paged_attention_v1: this tree defines the functions itself")


def test_force_callers_rewrites_the_callers_of_such_a_tree(here: Path) -> None:
    (here / "vllm").mkdir()
    (here / "vllm/__init__.py").write_text("")
    (here / "vllm/_custom_ops.py").write_text(DEFINITION)
    (here / "vllm/backend.py").write_text(
        f"from vllm import _custom_ops as ops\n\ndef f({P}):\n    ops.paged_attention_v1({V1})\n"
    )
    changed, found, _ = run(force_callers=True)
    assert list(changed) == ["vllm/backend.py"]
    assert found == ["vllm/backend.py:4 PAM102 safe"]


def test_a_vendored_tree_is_left_alone_and_its_user_is_not(here: Path) -> None:
    (here / "third_party/vllm").mkdir(parents=True)
    (here / "third_party/vllm/__init__.py").write_text("")
    (here / "third_party/vllm/_custom_ops.py").write_text(DEFINITION)
    write(here, mine_py=f"from vllm import _custom_ops as ops\n\ndef f({P}):\n    ops.paged_attention_v1({V1})\n")
    changed, _, _ = run()
    assert list(changed) == ["mine.py"]


def test_a_vendored_tree_says_nothing_of_names_that_its_user_takes(here: Path) -> None:
    (here / "third_party/vllm").mkdir(parents=True)
    (here / "third_party/vllm/__init__.py").write_text("")
    (here / "third_party/vllm/_custom_ops.py").write_text(DEFINITION)
    write(
        here,
        mine_py=f"from vllm import _custom_ops as ops\n\ndef f({P}):\n    ops.paged_attention_v1({V1})\n",
        star_py="from vllm._custom_ops import *\n\npaged_attention_v1(1)\n",
    )
    changed, found, _ = run()
    assert list(changed) == ["mine.py"]
    assert found == ["mine.py:4 PAM102 safe", "star.py:3 PAM110 None"]


def test_a_build_list_names_a_deleted_source_unless_the_repository_has_it(here: Path) -> None:
    (here / "CMakeLists.txt").write_text("set(SRC\n  csrc/attention/paged_attention_v1.cu\n  csrc/own.cu)\n")
    _, found, _ = run()
    assert found == ["CMakeLists.txt:2 PAM303 None"]
    (here / "csrc/attention").mkdir(parents=True)
    (here / "csrc/attention/paged_attention_v1.cu").write_text("void other() {}\n")
    _, found, _ = run()
    assert found == []


def test_every_occurrence_is_accounted_for(here: Path) -> None:
    write(
        here,
        case_py='"""About paged_attention_v1."""\n# paged_attention_v2\nimport aiter\naiter.paged_attention_v1(1)\n\n'
        "def paged_attention_v2():\n    pass\n",
    )
    result = project.check(project.Options(account=True))
    assert [(each.line, each.reason) for each in result.occurrences] == [
        (1, "a text"),
        (2, "a comment"),
        (4, "an attribute of something that is not vLLM's"),
        (6, "a definition of this file"),
    ]
