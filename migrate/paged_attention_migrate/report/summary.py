"""The few lines at the end of a run: what was scanned, what was rewritten, what is left and which command goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from paged_attention_migrate.findings import INFO, SAFE, UNSAFE, Finding
from paged_attention_migrate.report.colour import Paint
from paged_attention_migrate.report.text import printable

if TYPE_CHECKING:
    from paged_attention_migrate.fingerprints import Key
    from paged_attention_migrate.project import Result

_FEW = 10
_COMMAND = "paged-attention-migrate"
UNDO = f"`{_COMMAND} undo` takes it back."
NO_UNDO = "`undo` cannot take it back: no record could be kept in a git directory."


class Counts:
    """The findings of a run, counted once for every report.

    `safe`, `unsafe` and `manual` are what is left and matters; a mention that no edit is known for is `info` only.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        self.fixed = tuple(each for each in self.findings if each.fixed)
        self.left = tuple(each for each in self.findings if not each.fixed)
        self.safe = tuple(each for each in self.left if each.fix == SAFE)
        self.unsafe = tuple(each for each in self.left if each.fix == UNSAFE)
        self.info = tuple(each for each in self.left if each.fix is None and each.severity == INFO)
        self.manual = tuple(each for each in self.left if each.fix is None and each.severity != INFO)

    @property
    def failing(self) -> bool:
        """Whether anything is left that makes a run fail."""
        return any(each.severity != INFO for each in self.left)


def check_summary(result: Result, counts: Counts, slugs: Mapping[str, str], paths: str, paint: Paint) -> str:
    """The summary of a check; `paths` are those that the user gave, ready for a shell."""
    shown = counts.findings
    if not shown:
        return ""
    files = len({each.path for each in shown})
    scanned = f"{counted(result.files_scanned, 'file')} scanned"
    head = f"{counted(len(shown), 'finding')} in {counted(files, 'file')}, {scanned}."
    return _lines(paint(head, "heading"), *_what_is_left(counts, slugs, paths))


def rewrite_summary(
    result: Result, counts: Counts, slugs: Mapping[str, str], paths: str, closing: str, paint: Paint
) -> str:
    """The summary of a rewrite; `closing` is said of what was written, and empty where only a patch was printed."""
    scanned = f"{counted(result.files_scanned, 'file')} scanned"
    done = _what_was_done(result, counts, bool(closing)) or "Nothing to rewrite"
    lines = [paint(f"{done}, {scanned}.", "heading")]
    lines += [closing] if closing and result.changes else []
    left = (*counts.safe, *counts.unsafe, *counts.manual)
    if left:
        files = counted(len({each.path for each in left}), "file")
        lines.append(paint(f"Left for you: {counted(len(left), 'place')} in {files}.", "heading"))
        lines += _what_is_left(counts, slugs, paths)
    return _lines(*lines)


def baseline_summary(result: Result, paint: Paint) -> str:
    """What a baseline held back, and which of its entries nothing is left of."""
    tolerated = result.tolerated
    if tolerated is None:
        return ""
    lines = []
    if tolerated.known:
        lines.append(f"Tolerated: {counted(len(tolerated.known), 'finding')} of the baseline.")
    if tolerated.gone:
        count = sum(number for _, number in tolerated.gone)
        verb = "is" if count == 1 else "are"
        lines.append(paint(f"{counted(count, 'finding')} of the baseline {verb} gone:", "heading"))
        lines += [
            f"  {printable(key.path)}: {key.code} {printable(key.text)}" + f" ({number} times)" * (number > 1)
            for key, number in tolerated.gone[:_FEW]
        ]
        if len(tolerated.gone) > _FEW:
            lines.append(f"  and {len(tolerated.gone) - _FEW} more")
        lines.append(f"  `{_COMMAND} baseline --update` takes them out of it.")
    return _lines(*lines)


def told_of_baseline(path: str, before: Counter[Key], now: Counter[Key], is_unknown: bool) -> str:
    """What was written to a baseline; `is_unknown` says that no setting names the file."""
    less, more = (before - now).total(), (now - before).total()
    files = len({key.path for key in now})
    lines = [f"{printable(path)} has {counted(now.total(), 'finding')} in {counted(files, 'file')}"]
    if before:
        lines[0] += f": {less} went, {more} came"
    lines[0] += "."
    if is_unknown:
        lines.append(
            f"`{_COMMAND} check --baseline {printable(path)}` tolerates them, and so does `baseline` in the settings."
        )
    return _lines(*lines)


def _what_was_done(result: Result, counts: Counts, written: bool) -> str:
    """`Rewrote 3 places in 2 files and added 1 TODO comment to 1 file`."""
    rewritten = {each.path for each in counts.fixed}
    files = [each for each in result.changes if each.path in rewritten or not (each.todo_comments or each.keep_remarks)]
    commented = [each for each in result.changes if each.todo_comments]
    done = []
    if files:
        verb = "rewrote" if written else "rewrite"
        done.append(f"{verb} {counted(len(counts.fixed), 'place')} in {counted(len(files), 'file')}")
    if commented:
        comments = sum(each.todo_comments for each in commented)
        done.append(
            f"{'added' if written else 'add'} {counted(comments, 'TODO comment')} to {counted(len(commented), 'file')}"
        )
    remarks = sum(each.keep_remarks for each in result.changes)
    if remarks:
        done.append(f"added {counted(remarks, 'remark')} to keep a place")
    sentence = " and ".join(done)
    return sentence[:1].upper() + sentence[1:] if written or not done else f"Would {sentence}"


def _what_is_left(counts: Counts, slugs: Mapping[str, str], paths: str) -> Iterator[str]:
    if counts.safe:
        yield f"  {len(counts.safe)} for `{_COMMAND} rewrite{paths}`"
    if counts.unsafe:
        yield f"  {len(counts.unsafe)} for `{_COMMAND} rewrite --unsafe{paths}`, whose diff needs a reader"
        yield from _by_code(counts.unsafe, slugs)
    if counts.manual:
        code = min(each.code for each in counts.manual)
        yield f"  {len(counts.manual)} by hand, as `{_COMMAND} explain {code}` says:"
        yield from _by_code(counts.manual, slugs)
    if counts.info:
        yield f"  {len(counts.info)} for information only"


def _by_code(findings: Iterable[Finding], slugs: Mapping[str, str]) -> Iterator[str]:
    for code, count in sorted(Counter(each.code for each in findings).items()):
        yield f"    {count:>4} {code} {slugs.get(code, '')}".rstrip()


def counted(count: int, noun: str) -> str:
    """The number with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _lines(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)
