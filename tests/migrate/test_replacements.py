"""Two versions of a file as stretches with new text."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from paged_attention_migrate.findings import Replacement
from paged_attention_migrate.replacements import replacements
from paged_attention_migrate.source import Source

TEXTS = st.lists(st.sampled_from(["ab", "a", "é", "\n", "\r\n", "\r", "\t", "x y"]), max_size=12).map("".join)


def applied(text: str, edits: tuple[Replacement, ...]) -> str:
    starts = [0, *(match.end() for match in re.finditer("\r\n|\n|\r", text))]
    for each in reversed(edits):
        start, end = starts[each.line - 1] + each.column - 1, starts[each.end_line - 1] + each.end_column - 1
        assert start <= end
        text = text[:start] + each.text + text[end:]
    return text


@given(TEXTS, TEXTS)
def test_they_make_the_new_text(before: str, after: str) -> None:
    edits = replacements(Source(before.encode()), after)
    assert applied(before, edits) == after
    assert (edits == ()) == (before == after)


def test_they_are_as_short_as_can_be() -> None:
    source = Source(b"one\ntwo = f(a, b)\nthree\n")
    assert replacements(source, "one\ntwo = g(a, b)\nthree\n") == (Replacement(2, 7, 2, 8, "g"),)
    assert replacements(source, "zero\none\ntwo = f(a, b)\nthree\n") == (Replacement(1, 1, 1, 1, "zero\n"),)
    assert replacements(source, "one\nthree\n") == (Replacement(2, 1, 3, 1, ""),)


def test_the_two_characters_of_a_line_end_stay_together() -> None:
    source = Source(b"one\r\ntwo\r\n")
    assert replacements(source, "one\rtwo\r\n") == (Replacement(1, 4, 2, 1, "\r"),)
    assert replacements(source, "one\ntwo\r\n") == (Replacement(1, 4, 2, 1, "\n"),)
