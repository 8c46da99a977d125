"""The caret stands under the exact columns, whatever the line holds."""

from __future__ import annotations

import pytest

from paged_attention_migrate.report.snippet import snippet


@pytest.mark.parametrize(
    ("line", "target", "shown", "caret"),
    [
        ("ops.call(x)", "call", "ops.call(x)", "    ^^^^"),
        ("\tcall()", "call", "    call()", "    ^^^^"),
        ("ab\tcall()", "call", "ab  call()", "    ^^^^"),
        ("abcd\tcall()", "call", "abcd    call()", "        ^^^^"),
        ("é = call()", "call", "é = call()", "    ^^^^"),
        ("e\u0301 = call()", "call", "e\u0301 = call()", "    ^^^^"),
        ("変換 = call()", "call", "変換 = call()", "       ^^^^"),
        ("x = 変換()", "変換", "x = 変換()", "    ^^^^"),
        ("\uff46 = call()", "call", "\uff46 = call()", "     ^^^^"),
        ("\x0ccall()", "call", "\\x0ccall()", "    ^^^^"),
        ("'\x1b[31m', call()", "call", "'\\x1b[31m', call()", "            ^^^^"),
        ("'\u202e', call()", "call", "'\\u202e', call()", "          ^^^^"),
        ("'\u200b' + call()", "call", "'\\u200b' + call()", "           ^^^^"),
        ("'\U000e0041' + call()", "call", "'\\U000e0041' + call()", "               ^^^^"),
    ],
)
def test_span(line: str, target: str, shown: str, caret: str) -> None:
    start = line.index(target)
    found = snippet(line, start, start + len(target))
    assert found.text == shown
    assert " " * found.start + "^" * (found.end - found.start) == caret


def test_what_the_encoding_lacks_is_escaped_and_counted() -> None:
    line = "'é変' + call()"
    start = line.index("call")
    found = snippet(line, start, start + 4, "ascii")
    assert found.text == "'\\xe9\\u5909' + call()"
    assert found.text[found.start : found.end] == "call"
    assert snippet(line, start, start + 4, "no-such-encoding").text == found.text


@pytest.mark.parametrize(("start", "end"), [(3, 3), (3, 2), (99, 120), (0, 0)])
def test_there_is_always_a_caret(start: int, end: int) -> None:
    found = snippet("abc", start, end)
    assert found.end == found.start + 1
    assert found.start <= 3


def test_blanks_at_the_end_are_not_underlined() -> None:
    found = snippet("call(   \t ", 0, 10)
    assert (found.text, found.start, found.end) == ("call(", 0, 5)


@pytest.mark.parametrize("before", [0, 10, 95, 500, 5000])
@pytest.mark.parametrize("after", [0, 10, 5000])
def test_a_long_line_is_cut_around_the_span(before: int, after: int) -> None:
    line = "x" * before + "call" + "y" * after
    found = snippet(line, before, before + 4)
    assert found.text[found.start : found.end] == "call"
    assert len(found.text) <= 130
    if before + after > 400:
        assert "..." in found.text


def test_a_span_wider_than_the_cut_line_ends_with_it() -> None:
    found = snippet("f(" + "a" * 400 + ")", 0, 403)
    assert found.start == 0
    assert found.end <= len(found.text)


def test_a_long_line_of_wide_characters() -> None:
    line = "変" * 300 + "call()" + "換" * 300
    found = snippet(line, 300, 304)
    assert "call" in found.text
    wide_before = found.text.index("call") - len("...")
    assert found.start == len("...") + 2 * wide_before
