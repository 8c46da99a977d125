"""The changes rebuild the new version, are as few as possible, and are found quickly."""

from __future__ import annotations

import difflib
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paged_attention_migrate import line_diff
from paged_attention_migrate.line_diff import Change, changes

_FILES = st.lists(st.sampled_from([b"a", b"b", b"c", b"d"]), max_size=25)


def _applied(old: list[bytes], new: list[bytes], found: list[Change]) -> list[bytes]:
    result: list[bytes] = []
    at = 0
    for change in found:
        result += old[at : change.start] + new[change.new_start : change.new_end]
        at = change.end
    return result + old[at:]


def _size(found: list[Change]) -> int:
    return sum(each.end - each.start + each.new_end - each.new_start for each in found)


@given(_FILES, _FILES)
def test_any_two_files(old: list[bytes], new: list[bytes]) -> None:
    found = changes(old, new)
    assert _applied(old, new, found) == new
    assert all(one.end < two.start or one.new_end < two.new_start for one, two in pairwise(found))
    kept = sum(block.size for block in difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks())
    assert _size(found) <= len(old) + len(new) - 2 * kept


@given(_FILES, _FILES)
def test_many_changes_are_found_a_part_at_a_time(old: list[bytes], new: list[bytes]) -> None:
    limit, line_diff._AT_ONCE = line_diff._AT_ONCE, 2
    try:
        assert _applied(old, new, changes(old, new)) == new
    finally:
        line_diff._AT_ONCE = limit


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []),
        ("abc", "abc", []),
        ("", "a", [Change(0, 0, 0, 1)]),
        ("a", "", [Change(0, 1, 0, 0)]),
        ("abc", "axc", [Change(1, 2, 1, 2)]),
        ("abcd", "acd", [Change(1, 2, 1, 1)]),
        ("acd", "abcd", [Change(1, 1, 1, 2)]),
        ("abcde", "xbcdy", [Change(0, 1, 0, 1), Change(4, 5, 4, 5)]),
    ],
)
def test_small_ones(old: str, new: str, expected: list[Change]) -> None:
    assert changes([each.encode() for each in old], [each.encode() for each in new]) == expected


def test_a_long_file_of_repeated_lines() -> None:
    old = [b"" if number % 3 == 0 else b"call(%d)" % (number % 500) for number in range(50_000)]
    new = [b"changed" if number % 500 == 250 else line for number, line in enumerate(old)]
    start = time.perf_counter()
    assert len(changes(old, new)) == 100
    assert time.perf_counter() - start < 2
