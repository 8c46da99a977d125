"""Positions, encodings, and input that nobody expects."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paged_attention_migrate.native import KINDS, findings_in, left_alone, may_concern

Report = Callable[..., list[str]]

FRAGMENTS = st.sampled_from(
    [
        "paged_attention_v1", "paged_attention_v2", "single_query_cached_kv_attention", "attention_kernels.cu",
        "csrc/attention/paged_attention_v1.cu", "benchmark_paged_attention.py --version v1", "test_attention.py -k v1",
        "TORCH_LIBRARY(_C, m) {", "m.def(", "m.impl(", "#include ", '"', "'", '"""', "(", ")", "{", "}", "[[", "]]",
        "//", "/*", "*/", "#", "#[[", 'R"(', ')"', "::", "&", "<", ">", ";", ",", "\\", "\n", "\r\n", "\r", " ", "+",
        "--- a/x.py\n+++ b/x.py\n", "```python", "import ", "def ", "é", "\x00", "\ufeff", "_C::", "https://x/blob/main/",
    ]
)  # fmt: skip


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_file_without_the_names_is_nothing(kind: str) -> None:
    assert findings_in("a", kind, b"int main() { return 0; } # nothing") == []
    assert left_alone("a", kind, b"") == []
    assert not may_concern(b"paged_attention_rocm")


@given(kind=st.sampled_from(sorted(KINDS)), parts=st.lists(FRAGMENTS, max_size=30))
def test_whatever_stands_there_a_finding_marks_a_place_in_the_file(kind: str, parts: list[str]) -> None:
    data = "".join(parts).encode()
    lines = data.decode().removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    seen = set()
    for each in findings_in("a", kind, data):
        assert 1 <= each.line <= each.end_line <= len(lines)
        line = lines[each.line - 1]
        assert 1 <= each.column <= len(line)
        assert each.source_line == line
        assert (each.line, each.name) not in seen
        seen.add((each.line, each.name))
    left_alone("a", kind, data)


@given(kind=st.sampled_from(sorted(KINDS)), data=st.binary(max_size=40))
def test_bytes_of_any_kind(kind: str, data: bytes) -> None:
    for each in findings_in("a", kind, data + b" paged_attention_v1(" + data):
        assert each.line >= 1


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"\xef\xbb\xbfpaged_attention_v1", "1:1"),
        ("é paged_attention_v1".encode(), "1:3"),
        ("é paged_attention_v1".encode("latin-1"), "1:3"),
        ("é\r\nü\rpaged_attention_v1".encode("latin-1"), "3:1"),
        (b"\tpaged_attention_v1", "1:2"),
    ],
)
def test_columns_count_characters(report: Report, data: bytes, place: str) -> None:
    assert report("markdown", data) == [f"{place} PAM305 info paged_attention_v1"]


def test_a_name_on_a_line_is_found_once_and_at_its_worst(report: Report) -> None:
    text = "/* paged_attention_v1 */ run(); paged_attention_v1(x); paged_attention_v1(y); // paged_attention_v2\n"
    assert report("c++", text) == ["1:33 PAM301 warning paged_attention_v1", "1:82 PAM305 info paged_attention_v2"]


def test_an_unknown_kind_is_read_as_text(report: Report) -> None:
    assert report("dockerfile", "RUN paged_attention_v1") == ["1:5 PAM305 info paged_attention_v1"]


@pytest.mark.parametrize("opening", ["paged_attention_v1(", '{"paged_attention_v1", ', "/* paged_attention_v1 "])
def test_nesting_without_end_is_one_finding(opening: str) -> None:
    assert len(findings_in("a", "c++", opening.encode() * 2000)) == 1
