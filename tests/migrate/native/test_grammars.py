"""What a grammar sees and patterns do not, and that the patterns still report where it is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from paged_attention_migrate import native
from paged_attention_migrate.native.layers import CODE, COMMENT, STRING

C_PLUS_PLUS = (
    '#define ATTEND "x" // paged_attention_v1\nvoid f() { /* é */ g(R"(a"b)"); paged_attention_v1(1\'000); }\n'
)


def kinds(path: str, kind: str, text: str) -> list[tuple[int, str]]:
    return [(each.line, each.severity) for each in native.findings_in(path, kind, text.encode())]


@pytest.fixture
def grammars() -> None:
    pytest.importorskip("tree_sitter_rust", reason="the extra `native` is not installed")


def test_strings_and_comments_stand_where_they_do_in_any_encoding(grammars: None) -> None:
    from paged_attention_migrate.native.cpp_text import layers

    del grammars
    source = layers(C_PLUS_PLUS)
    at = C_PLUS_PLUS.index
    assert source.kind(at("x")) == STRING
    assert source.kind(at("paged")) == COMMENT
    assert source.kind(at("é")) == COMMENT
    assert source.content(source.at(at('a"b')) or source.segments[0]) == 'a"b'
    assert source.kind(C_PLUS_PLUS.rindex("paged")) == CODE


def test_a_comment_of_rust_may_hold_another(grammars: None) -> None:
    del grammars
    text = '/* old: /* inner */ .file("csrc/attention/paged_attention_v1.cu") */\nfn main() {}\n'
    assert kinds("build.rs", "rust", text) == [(1, "info")]


def test_a_line_of_a_here_document_is_no_comment(grammars: None) -> None:
    del grammars
    text = "cat <<EOF > run.sh\n# x\npython benchmark_paged_attention.py --version v1\nEOF\n"
    assert [line for line, _ in kinds("make.sh", "shell", text)] == [3]


def test_a_fence_in_a_list_is_one(grammars: None) -> None:
    pytest.importorskip("markdown_it")
    del grammars
    text = "- so:\n\n      ```python\n\n1. like this:\n\n   ```python\n   ops.paged_attention_v1(x)\n   ```\n"
    (finding,) = native.findings_in("a.md", "markdown", text.encode())
    assert "an example in python uses" in finding.message


def test_what_the_grammar_does_not_understand_is_left_to_the_patterns() -> None:
    text = "@@ $$ ;; ))\nvoid f() { paged_attention_v1(x); }\n"
    assert [line for line, _ in kinds("a.cpp", "c++", text)] == [2]


def check(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = [sys.executable, "-c", f"{code}\nfrom paged_attention_migrate.cli import main\nmain(['check'])"]
    return subprocess.run(run, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_without_the_grammars_a_check_reports_and_says_so_once(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text('set(SRC "csrc/attention/paged_attention_v1.cu")\n')
    without = check("import sys; sys.modules['tree_sitter'] = None", tmp_path)
    assert without.returncode == 1
    assert "CMakeLists.txt:1:10: PAM303" in without.stdout
    assert without.stderr.count("pip install 'paged-attention-migrate[native]'") == 1


def test_a_run_that_needs_no_grammar_loads_none(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from vllm import _custom_ops as ops\n\nops.paged_attention_v1(1)\n")
    (tmp_path / "b.cpp").write_text("void attention() {}\n")
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(sorted({'tree_sitter', 'markdown_it'} & set(sys.modules)), file=sys.stderr))"
    )
    assert check(code, tmp_path).stderr.splitlines()[-1] == "[]"
