"""Which words differ between lines that took each other's place, and which old line belongs beside which new one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from paged_attention_migrate.line_diff import changes

Pair = tuple[int | None, int | None]
Spans = list[tuple[int, int]]

_TOKEN = re.compile(r"_*[^\W_]+|_+|\s+|[^\w\s]")
_WORD = re.compile(r"[^\W_]+")
_LONGEST = 2000
_MOST_PAIRS = 10_000
_ALIKE = 0.4


def paired(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """Every line once, in order: beside each other those that share the most words, and then what stands between."""
    pairs: list[Pair] = []
    i = j = 0
    for left, right in (*_alike_pairs(old, new), (len(old), len(new))):
        pairs += zip_longest(range(i, left), range(j, right))
        if left < len(old) and right < len(new):
            pairs.append((left, right))
        i, j = left + 1, right + 1
    return pairs


def _alike_pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The lines that belong together, as a chain of the greatest likeness."""
    if len(old) * len(new) > _MOST_PAIRS:
        return
    alike = _likeness(old, new)
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + alike[i][j])
    i = j = 0
    while i < len(old) and j < len(new):
        if alike[i][j] and best[i][j] == best[i + 1][j + 1] + alike[i][j]:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1


def marks(old: str, new: str) -> tuple[Spans, Spans]:
    """The stretches of two lines that the other one has not, in characters; none where the lines are strangers."""
    if max(len(old), len(new)) > _LONGEST or not _likeness([old], [new])[0][0]:
        return [], []
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    found = changes(before, after)
    return (
        list(_spans(before, [(each.start, each.end) for each in found])),
        list(_spans(after, [(each.new_start, each.new_end) for each in found])),
    )


def _likeness(old: Sequence[str], new: Sequence[str]) -> list[list[float]]:
    """How much of their words two lines share, 0 where it is too little to speak of."""
    before, after = ([Counter(_WORD.findall(line[:_LONGEST])) for line in lines] for lines in (old, new))
    return [[_shared(one, other) for other in after] for one in before]


def _shared(one: Counter[str], other: Counter[str]) -> float:
    most = max(one.total(), other.total())
    least = min(one.total(), other.total())
    if not least:
        return 0.0
    common = (one & other).total()
    # A call that lost half of its arguments is still that call.
    share = (common / most + common / least) / 2
    return share if share >= _ALIKE else 0.0


def _spans(tokens: Sequence[str], ranges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    starts = [0]
    for token in tokens:
        starts.append(starts[-1] + len(token))
    yield from ((starts[first], starts[last]) for first, last in ranges if last > first)
