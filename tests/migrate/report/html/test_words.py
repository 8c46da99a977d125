"""Lines that belong together stand beside each other, and only the words that differ are marked."""

from __future__ import annotations

import pytest

from paged_attention_migrate.report.html.words import marks, paired


def pieces(line: str, spans: list[tuple[int, int]]) -> list[str]:
    return [line[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([], [], []),
        (["a b"], [], [(0, None)]),
        ([], ["a b"], [(None, 0)]),
        (["ops.paged_attention_v1("], ["paged_attention("], [(0, 0)]),
        # The scratch went: the line after it belongs to the last one.
        (["tmp = torch.empty(8)", "ops.f_v2(out, tmp, q)"], ["f(out, q)"], [(0, None), (1, 0)]),
        # Strangers stand beside each other where nothing better is there.
        (["alpha", "beta"], ["gamma"], [(0, 0), (1, None)]),
        (["one two", "three four"], ["new", "three four five"], [(0, 0), (1, 1)]),
        (["one two"], ["new", "one two three", "more"], [(None, 0), (0, 1), (None, 2)]),
    ],
)
def test_lines_are_paired_by_their_words(old: list[str], new: list[str], expected: object) -> None:
    assert paired(old, new) == expected


def test_a_long_change_is_paired_by_its_order() -> None:
    pairs = paired([f"old {i}" for i in range(200)], [f"old {i}" for i in range(1, 100)])
    assert pairs == [(i, i if i < 99 else None) for i in range(200)]


def test_only_what_differs_is_marked() -> None:
    old, new = "x = ops.paged_attention_v1(out, q)", "x = paged_attention(out, q)"
    gone, came = marks(old, new)
    assert pieces(old, gone) == ["ops.", "_v1"]
    assert pieces(new, came) == []


@pytest.mark.parametrize(("old", "new"), [("same", "same"), ("alpha", "beta"), ("", ""), ("a " * 3000, "a b")])
def test_equal_lines_strangers_and_endless_lines_have_no_marks(old: str, new: str) -> None:
    assert marks(old, new) == ([], [])
