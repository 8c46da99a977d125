"""What differs between two versions of a file, as stretches of the old one with their new text."""

from __future__ import annotations

from itertools import pairwise

from paged_attention_migrate.edits import Edit
from paged_attention_migrate.findings import Replacement
from paged_attention_migrate.line_diff import changes
from paged_attention_migrate.source import Source, line_starts


def replacements(source: Source, after: str) -> tuple[Replacement, ...]:
    """The stretches of a file that make it `after`, in order, each as short as can be."""
    return tuple(
        Replacement(*source.position(edit.start), *source.position(edit.end), edit.new)
        for edit in edits_between(source.text, after)
    )


def edits_between(before: str, after: str) -> list[Edit]:
    """The edits that make one text of another, in order, each as short as can be."""
    old_starts, new_starts = [*line_starts(before), len(before)], [*line_starts(after), len(after)]
    found = []
    for change in changes(_lines(before, old_starts), _lines(after, new_starts)):
        start, end = old_starts[change.start], old_starts[change.end]
        new = after[new_starts[change.new_start] : new_starts[change.new_end]]
        found.append(Edit(*_trimmed(before, start, end, new)))
    return found


def _lines(text: str, starts: list[int]) -> list[str]:
    return [text[start:end] for start, end in pairwise(starts)]


def _trimmed(text: str, start: int, end: int, new: str) -> tuple[int, int, str]:
    """A stretch and its new text without the characters that both begin or end with."""
    same = _same(text[start:end], new)
    if same and text[start + same - 1] == "\r":
        same -= 1  # the two characters of a line end stay together
    start, new = start + same, new[same:]
    same = _same(text[start:end][::-1], new[::-1])
    if same and text[end - same : end - same + 1] == "\n" and text[end - same - 1 : end - same] == "\r":
        same -= 1
    return start, end - same, new[: len(new) - same]


def _same(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (first, second) in pairs if first != second), min(len(one), len(other)))
