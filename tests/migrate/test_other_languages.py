"""Files that are not Python beside files that are: reported, each at its place, and never edited."""

from __future__ import annotations

from pathlib import Path

import pytest

from paged_attention_migrate import project

NOTEBOOK = r"""{"cells": [{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [],
  "source": ["%pip install vllm\n", "from vllm import _custom_ops as ops\n", "ops.paged_attention_v1(*batch)\n"]}],
 "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
"""
FILES = {
    "build list": (
        "CMakeLists.txt",
        "set(MY_SRC\n  csrc/attention/paged_attention_v1.cu\n  csrc/attention/paged_attention_v2.cu\n  csrc/own.cu)\n",
        ["2:3 PAM303 error", "3:3 PAM303 error"],
    ),
    "build script": (
        "setup.py",
        'VLLM = root / "vllm"\nSOURCES = [str(VLLM / "csrc/attention/paged_attention_v1.cu"), "own.cu"]\n',
        ["2:23 PAM303 error"],
    ),
    "page": (
        "page.md",
        "It ends in [`paged_attention_v1`](https://example.invalid/csrc/attention/paged_attention_v1.cu).\n",
        ["1:14 PAM305 info", "1:35 PAM305 info"],
    ),
    "registration": (
        "ops.cpp",
        'TORCH_LIBRARY_FRAGMENT(_C, m) {\n  m.def("paged_attention_v1(" "Tensor! out) -> ()");\n}\n',
        ["2:10 PAM302 warning"],
    ),
    "notebook": ("book.ipynb", NOTEBOOK, ["2:79 PAM102 error", "2:79 PAM405 info"]),
    "pipeline": (
        "ci.yaml",
        "steps:\n  - run: python benchmarks/kernels/benchmark_paged_attention.py --version v2 --block-size 16\n",
        ["2:65 PAM304 info"],
    ),
    "stub": (
        "ops.pyi",
        "from torch import Tensor\n\ndef paged_attention_v1(out: Tensor) -> None: ...\n",
        ["3:5 PAM307 info"],
    ),
    "names in strings": (
        "names.py",
        '# as in paged_attention_v2_launcher\nOPS = ["paged_attention_v1"]\nDOC = "as paged_attention_v2 does"\n',
        ["2:8 PAM104 warning", "3:7 PAM305 info"],
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_it_is_reported_where_it_stands(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, text, wanted = FILES[name]
    monkeypatch.chdir(tmp_path)
    Path(path).write_text(text, encoding="utf-8")
    result = project.rewrite(project.Options())
    assert [f"{each.line}:{each.column} {each.code} {each.severity}" for each in result.findings] == wanted
    assert {each.path for each in result.findings} == {path}
    assert [change.path for change in result.changes] == [path for _ in (1,) if name == "notebook"]
