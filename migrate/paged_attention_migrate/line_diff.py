"""Which lines differ between two versions of a file: the shortest script, as git's own diffs are.

difflib takes seconds for a long file of repeated lines, and then prints it whole, twice.
Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986: the time goes with the number of changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import AnyStr, NamedTuple

_AT_ONCE = 500


class Change(NamedTuple):
    """Lines `start` to `end` of the old version became lines `new_start` to `new_end` of the new one."""

    start: int
    end: int
    new_start: int
    new_end: int


class Hunk(NamedTuple):
    """Changes that lie near each other, with the lines around them: `start` to `end`, `new_start` to `new_end`."""

    changes: tuple[Change, ...]
    start: int
    end: int
    new_start: int
    new_end: int


def hunks(old: Sequence[AnyStr], new: Sequence[AnyStr], context: int = 3) -> Iterator[Hunk]:
    """All changes in groups, none of which shares a line with the next."""
    group: list[Change] = []
    for change in changes(old, new):
        if group and change.start - group[-1].end > 2 * context:
            yield _hunk(group, len(old), context)
            group = []
        group.append(change)
    if group:
        yield _hunk(group, len(old), context)


def changes(old: Sequence[AnyStr], new: Sequence[AnyStr]) -> list[Change]:
    """All changes, in order, none touching the next."""
    numbers: dict[AnyStr, int] = {}
    a = [numbers.setdefault(line, len(numbers)) for line in old]
    b = [numbers.setdefault(line, len(numbers)) for line in new]
    steps: list[Change] = []
    x = y = 0
    while x < len(a) or y < len(b):
        # The time goes with the square of the changes, so many of them are looked for a part at a time.
        trace, far_x, far_y = _reach(a[x:], b[y:])
        steps += (
            Change(x + one, x + two, y + three, y + four) for one, two, three, four in _steps(trace, far_x, far_y)
        )
        x, y = x + far_x, y + far_y
    return _joined(steps)


def _hunk(group: list[Change], length: int, context: int) -> Hunk:
    first, last = group[0], group[-1]
    lead, trail = min(context, first.start), min(context, length - last.end)
    return Hunk(tuple(group), first.start - lead, last.end + trail, first.new_start - lead, last.new_end + trail)


def _reach(a: list[int], b: list[int]) -> tuple[list[list[int]], int, int]:
    """How far each diagonal gets with 0, 1, 2, ... changes, and the farthest point: the end, or where it stopped."""
    trace: list[list[int]] = []
    furthest = {1: 0}
    for count in range(_AT_ONCE + 1):
        for diagonal in range(-count, count + 1, 2):
            x = _next(furthest, diagonal, count)
            y = x - diagonal
            while x < len(a) and y < len(b) and a[x] == b[y]:
                x, y = x + 1, y + 1
            furthest[diagonal] = x
            if x >= len(a) and y >= len(b):
                return trace, x, y
        trace.append([furthest[diagonal] for diagonal in range(-count, count + 1, 2)])
    inside = [(x, x - diagonal) for diagonal, x in zip(range(-count, count + 1, 2), trace.pop(), strict=True)]
    x, y = max((point for point in inside if point[0] <= len(a) and point[1] <= len(b)), key=sum)
    return trace, x, y


def _next(furthest: dict[int, int], diagonal: int, count: int) -> int:
    """Where a diagonal starts: below its upper neighbour (an insertion) or right of its lower one (a deletion)."""
    if diagonal == -count or (diagonal != count and furthest[diagonal - 1] < furthest[diagonal + 1]):
        return furthest[diagonal + 1]
    return furthest[diagonal - 1] + 1


def _steps(trace: list[list[int]], x: int, y: int) -> list[Change]:
    """The way back through the trace: one line inserted or deleted in each step."""
    steps = []
    for count in range(len(trace), 0, -1):
        furthest = dict(zip(range(1 - count, count, 2), trace[count - 1], strict=True))
        end = _next(furthest, x - y, count)
        new_end = end - (x - y)
        inserted = furthest.get(x - y + 1) == end
        x, y = (end, new_end - 1) if inserted else (end - 1, new_end)
        steps.append(Change(x, end, y, new_end))
    return steps[::-1]


def _joined(steps: list[Change]) -> list[Change]:
    joined: list[Change] = []
    for step in steps:
        if joined and joined[-1].end == step.start and joined[-1].new_end == step.new_start:
            step = joined.pop()._replace(end=step.end, new_end=step.new_end)
        joined.append(step)
    return joined
