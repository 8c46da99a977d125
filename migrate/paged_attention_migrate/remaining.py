"""What is to be said of a file once its new text is written: what was done, at its old place, what is left, at its new.

A study of the new text finds what is left. It no longer finds remarks on what was rewritten, such as that a handler hid
the loss: they are told all the same, as long as their line stands.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from paged_attention_migrate.findings import INFO, Finding, by_place
from paged_attention_migrate.line_diff import changes
from paged_attention_migrate.source import line_starts

_LEFT_ALONE = "PAM902"


def once_written(found: Iterable[Finding], now: Iterable[Finding], before: str, after: str) -> tuple[Finding, ...]:
    """What is to be said, of the findings in the text `before` and those in the text `after` that takes its place."""
    lines = _Lines(before, after)
    waiting = list(now)
    told: list[Finding] = []
    unseen: list[tuple[Finding, Finding | None]] = []
    for each in found:
        if each.fixed:
            told.append(each)
            continue
        moved = lines.moved(each)
        again = next((other for other in waiting if moved is not None and _stands_at(moved, other)), None)
        if again is None:
            unseen.append((each, moved))
        else:
            waiting.remove(again)
            told.append(_as_told(each, again))
    for each, moved in unseen:
        again = next((other for other in waiting if _may_be(each, other)), None)
        if again is not None:
            waiting.remove(again)
            told.append(_as_told(each, again))
        elif moved is not None:
            told.append(moved)
        elif each.severity != INFO:
            # Its line went or was rewritten, and what it said of the line with it.
            told.append(each._replace(fixed=True))
    return tuple(sorted((*told, *waiting), key=by_place))


def _stands_at(moved: Finding, other: Finding) -> bool:
    return (moved.line, moved.column) == (other.line, other.column) and _may_be(moved, other)


def _may_be(finding: Finding, other: Finding) -> bool:
    """Whether both say the same thing; one that was left alone is found as what it was before that."""
    return finding.name == other.name and finding.code in (other.code, _LEFT_ALONE)


def _as_told(finding: Finding, again: Finding) -> Finding:
    """A finding as the new text has it, and where an edit of it failed, with what the first study said of that."""
    if finding.code != _LEFT_ALONE:
        return again
    return again._replace(code=finding.code, fix=finding.fix, message=finding.message, reasons=finding.reasons)


class _Lines:
    """Where the lines of one text stand in another."""

    def __init__(self, before: str, after: str) -> None:
        self._old, self._new = _split(before), _split(after)
        self._changes = changes(self._old, self._new)
        self._starts = [change.start for change in self._changes]

    def moved(self, finding: Finding) -> Finding | None:
        """The finding at its new place; None where its words do not stand there any more."""
        row = finding.line - 1
        index = bisect_right(self._starts, row) - 1
        change = self._changes[index] if index >= 0 else None
        if change is None:
            new_row = row
        elif row >= change.end:
            new_row = row - change.end + change.new_end
        elif change.end - change.start == change.new_end - change.new_start:
            new_row = row - change.start + change.new_start
            end = finding.end_column - 1 if finding.end_line == finding.line else None
            words = slice(finding.column - 1, end)
            if self._old[row][words] != self._new[new_row][words]:
                return None
        else:
            return None
        lines = finding.end_line - finding.line
        source_line = self._new[new_row].rstrip("\r\n")
        return finding._replace(line=new_row + 1, end_line=new_row + 1 + lines, source_line=source_line)


def _split(text: str) -> list[str]:
    starts = line_starts(text)
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
