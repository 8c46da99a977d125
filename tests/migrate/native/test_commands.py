"""Shell scripts and YAML."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paged_attention_migrate.native import Facts

Report = Callable[..., list[str]]
Tree = Callable[..., Facts]

CASE_44 = """\
    steps:
      - run: python benchmarks/kernels/benchmark_paged_attention.py --version v2 --block-size 16
      - run: pytest tests/kernels/attention/test_attention.py -k "paged_attention and v1"
    """


def test_a_workflow(report: Report) -> None:
    assert report("yaml", CASE_44) == [
        "2:65 PAM304 info --version",
        "3:59 PAM304 info test_attention.py",
    ]


def test_a_script_that_the_repository_has_is_its_own(report: Report, reasons: Report, tree: Tree) -> None:
    own = tree("benchmarks/kernels/benchmark_paged_attention.py", "tests/kernels/attention/test_attention.py")
    assert report("yaml", CASE_44, own) == []
    assert [line.partition(": ")[2] for line in reasons("yaml", CASE_44, own)] == [
        "benchmarks/kernels/benchmark_paged_attention.py is in this repository",
        "tests/kernels/attention/test_attention.py is in this repository",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("python benchmark_paged_attention.py --version v1", ["1:37 PAM304 info --version"]),
        ("python benchmark_paged_attention.py --version=v1", ["1:37 PAM304 info --version"]),
        ("python benchmark_paged_attention.py \\\n  --version v1", ["2:3 PAM304 info --version"]),
        (
            "python benchmark_paged_attention.py \\\n  --seed 1 \\\n  --custom-paged-attn",
            ["3:3 PAM304 info --custom-paged-attn"],
        ),
        ("run: >\n  python benchmark_paged_attention.py\n  --seed 1\n  --version v1", ["4:3 PAM304 info --version"]),
        ('args:\n  - benchmark_paged_attention.py\n  - "--version"\n  - v1', ["3:6 PAM304 info --version"]),
        ("python -m benchmarks.kernels.benchmark_paged_attention --version v2", ["1:56 PAM304 info --version"]),
        (
            "python $VLLM/benchmarks/kernels/benchmark_paged_attention.py",
            ["1:8 PAM304 info benchmark_paged_attention.py"],
        ),
        ("python benchmark_paged_attention.py && tool --version", ["1:8 PAM304 info benchmark_paged_attention.py"]),
        ("python benchmark_paged_attention.py\ntool --version", ["1:8 PAM304 info benchmark_paged_attention.py"]),
        ("python benchmark_paged_attention.py --version-check x", ["1:8 PAM304 info benchmark_paged_attention.py"]),
    ],
)
def test_runs_of_the_benchmark(report: Report, text: str, expected: list[str]) -> None:
    assert report("shell", text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "pytest tests/kernels/test_attention.py -k v1",
        "pytest -q tests/kernels/attention/test_attention.py -k 'v2 and not fp8'",
        'pytest tests/kernels/attention/test_attention.py::test_paged_attention -k="v1"',
        "pytest 'tests/kernels/attention/test_attention.py::test_paged_attention[v1-7-num_heads0]'",
        'pytest test_attention.py -k "paged_attention and v1"',
    ],
)
def test_selections_of_the_test(report: Report, text: str) -> None:
    (found,) = report("shell", text)
    assert found.endswith(" PAM304 info test_attention.py")


@pytest.mark.parametrize(
    "text",
    [
        "python my_benchmark_paged_attention.py --version v1",
        "python benchmark_paged_attention_v3.py --version v1",
        "# python benchmark_paged_attention.py --version v1",
        "  - name: the benchmark_paged_attention job",
        "pytest tests/kernels/attention/test_attention.py",
        "pytest tests/kernels/attention/test_attention.py -k rocm",
        "pytest tests/unit/test_attention.py -k v1",
        "pytest test_attention.py -k v1",
        "pytest tests/kernels/my_test_attention.py -k v1",
        "pytest tests/kernels/attention/test_attention_selector.py -k v1",
        "echo kvcompress_paged_attention_v1",
    ],
)
def test_what_is_nothing(report: Report, text: str) -> None:
    assert report("shell", text) == []


def test_names_as_words(report: Report) -> None:
    text = """\
        grep paged_attention_v1 log  # then paged_attention_v2
        echo "# paged_attention_v2" ${x#paged_attention_v1}
        echo a#paged_attention_v1
        # paged_attention_v1
        """
    assert report("shell", text) == [
        "1:6 PAM304 info paged_attention_v1",
        "1:37 PAM305 info paged_attention_v2",
        "2:9 PAM304 info paged_attention_v2",
        "2:33 PAM304 info paged_attention_v1",
        "3:8 PAM304 info paged_attention_v1",
        "4:3 PAM305 info paged_attention_v1",
    ]


def test_a_script_that_compiles_a_deleted_source(report: Report, tree: Tree) -> None:
    text = "nvcc -c csrc/attention/paged_attention_v1.cu -o x.o\n# csrc/attention/paged_attention_v2.cu\n"
    assert report("shell", text) == [
        "1:9 PAM303 error paged_attention_v1.cu",
        "2:3 PAM305 info paged_attention_v2.cu",
    ]
    assert report("shell", text, tree("csrc/attention/paged_attention_v1.cu")) == [
        "2:3 PAM305 info paged_attention_v2.cu"
    ]
