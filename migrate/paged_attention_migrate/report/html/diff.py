"""The change of one file side by side, as a table: old lines left, new ones right, the words that differ marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from paged_attention_migrate.line_diff import Hunk, hunks
from paged_attention_migrate.report.html.escaping import attribute, text
from paged_attention_migrate.report.html.words import Spans, marks, paired
from paged_attention_migrate.report.patch import lines_of

if TYPE_CHECKING:
    from paged_attention_migrate.project import FileChange

_TAB = "\t"
_NOTHING = '<td class="number"></td><td class="none"></td>'


def diff(change: FileChange) -> str:
    """The table, or a sentence where the file is deleted."""
    if change.deleted:
        return '<p class="note">The file is deleted.</p>'
    before, after = _decoded(change.before), _decoded(change.after)
    rows = "".join(row for hunk in hunks(before, after) for row in _hunk(hunk, before, after))
    return (
        '<div class="scroll" tabindex="0" role="region" '
        f'aria-label="Diff of {attribute(change.path)}"><table class="diff">'
        f'<caption class="unseen">Old and new lines of {text(change.path)}</caption>'
        '<colgroup><col class="number"><col class="line"><col class="number"><col class="line"></colgroup>'
        '<thead class="unseen"><tr><th scope="col">Old line</th><th scope="col">Before</th>'
        '<th scope="col">New line</th><th scope="col">After</th></tr></thead>'
        f"{rows}</table></div>\n"
    )


def marked(line: str, spans: Spans, element: str) -> str:
    """The line with the stretches in an element of their own."""
    parts = []
    at = 0
    for start, end in spans:
        parts.append(f"{text(line[at:start], keep=_TAB)}<{element}>{text(line[start:end], keep=_TAB)}</{element}>")
        at = end
    return "".join(parts) + text(line[at:], keep=_TAB)


def _decoded(data: bytes) -> list[str]:
    from paged_attention_migrate.source import Source, Undecodable

    try:
        encoding = Source(data).encoding
    except Undecodable:
        encoding = "utf-8"
    lines = (line.decode(encoding, "backslashreplace") for line in lines_of(data))
    return [line.removesuffix("\n").removesuffix("\r") for line in lines]


def _hunk(hunk: Hunk, before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    yield (
        f'<tbody><tr class="hunk"><td colspan="4">lines {hunk.start + 1} to {hunk.end}, '
        f"now {hunk.new_start + 1} to {hunk.new_end}</td></tr>"
    )
    at, new_at = hunk.start, hunk.new_start
    for change in hunk.changes:
        yield from _same(before, range(at, change.start), new_at - at)
        old, new = before[change.start : change.end], after[change.new_start : change.new_end]
        for left, right in paired(old, new):
            gone, came = ([], []) if left is None or right is None else marks(old[left], new[right])
            yield "<tr>"
            yield _NOTHING if left is None else _cell("old", change.start + left, old[left], gone)
            yield _NOTHING if right is None else _cell("new", change.new_start + right, new[right], came)
            yield "</tr>"
        at, new_at = change.end, change.new_end
    yield from _same(before, range(at, hunk.end), new_at - at)
    yield "</tbody>"


def _same(lines: Sequence[str], numbers: range, moved: int) -> Iterator[str]:
    for number in numbers:
        shown = text(lines[number], keep=_TAB)
        yield (
            f'<tr class="same"><td class="number">{number + 1}</td><td>{shown}</td>'
            f'<td class="number">{number + 1 + moved}</td><td>{shown}</td></tr>'
        )


def _cell(side: str, number: int, line: str, spans: Spans) -> str:
    element, sign, word = ("del", "-", "removed") if side == "old" else ("ins", "+", "added")
    return (
        f'<td class="number {side}"><span class="unseen">{word} </span>{number + 1}</td>'
        f'<td class="{side}"><span class="sign" aria-hidden="true">{sign}</span>{marked(line, spans, element)}</td>'
    )
