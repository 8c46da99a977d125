"""What a run prints, in which order, on which stream."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from paged_attention_migrate.report.summary import (
    NO_UNDO,
    UNDO,
    Counts,
    baseline_summary,
    check_summary,
    rewrite_summary,
)
from paged_attention_migrate.report.text import findings_text, occurrences_text, rewritten_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from paged_attention_migrate.findings import Finding, OwnersOf
    from paged_attention_migrate.project import Result
    from paged_attention_migrate.report.terminal import Terminal

_LONGEST_PATHS = 60


def print_check(
    terminal: Terminal,
    result: Result,
    counts: Counts,
    paths: tuple[str, ...],
    group_of: Callable[[Finding], str] | None = None,
) -> None:
    """Findings, in groups if asked for, then what was left alone; then notices and the summary."""
    if group_of is None:
        found = findings_text(counts.findings, terminal.out, terminal.encoding)
    else:
        from paged_attention_migrate.report.groups import grouped_text

        found = grouped_text(counts.findings, group_of, terminal.out, terminal.encoding)
    alone = occurrences_text(result.occurrences, terminal.out)
    terminal.say("\n".join(text for text in (found, alone) if text))
    tell_notices(terminal, result)
    terminal.tell(baseline_summary(result, terminal.err))
    if counts.findings:
        terminal.tell(check_summary(result, counts, _slugs(), _arguments(paths), terminal.err))


def print_rewrite(terminal: Terminal, result: Result, counts: Counts, paths: tuple[str, ...], undoable: bool) -> None:
    """What was rewritten, then the findings that are left; then notices and the summary."""
    closing = UNDO if undoable else NO_UNDO
    done = rewritten_text(counts.fixed, result.changes, terminal.out)
    left = findings_text(counts.left, terminal.out, terminal.encoding)
    terminal.say("\n".join(text for text in (done, left) if text))
    tell_notices(terminal, result)
    terminal.tell(baseline_summary(result, terminal.err))
    terminal.tell(rewrite_summary(result, counts, _slugs_for(counts), _arguments(paths), closing, terminal.err))


def print_patch(terminal: Terminal, result: Result, counts: Counts, paths: tuple[str, ...]) -> None:
    """The patch alone on standard output; the findings that are left, notices and the summary on the other stream."""
    from paged_attention_migrate.report.patch import coloured, patch, prefix_in_work_tree

    if result.changes:
        text = patch(result.changes, prefix_in_work_tree())
        terminal.say_bytes(coloured(text, terminal.out) if terminal.out.on else text)
    terminal.tell(findings_text(counts.left, terminal.err))
    tell_notices(terminal, result)
    terminal.tell(rewrite_summary(result, counts, _slugs_for(counts), _arguments(paths), "", terminal.err))


def print_json(terminal: Terminal, result: Result, counts: Counts, owners_of: OwnersOf | None = None) -> None:
    """One object on standard output; notices are in it, and on standard error where the run failed."""
    from paged_attention_migrate.report.as_json import as_json

    terminal.say(as_json(result, counts, owners_of))
    if result.failed:
        tell_notices(terminal, result)


def print_sarif(terminal: Terminal, result: Result, counts: Counts, owners_of: OwnersOf | None = None) -> None:
    """One log on standard output; notices are in it, and on standard error where the run failed."""
    from paged_attention_migrate.report.patch import prefix_in_work_tree
    from paged_attention_migrate.report.sarif import as_sarif

    terminal.say(as_sarif(result, counts, prefix_in_work_tree(), owners_of))
    if result.failed:
        tell_notices(terminal, result)


def print_github(terminal: Terminal, result: Result, counts: Counts) -> None:
    """Workflow commands on standard output; notices on standard error, those of a failed run as commands, too."""
    from paged_attention_migrate.report import github
    from paged_attention_migrate.report.patch import prefix_in_work_tree

    terminal.say(github.as_annotations(counts, prefix_in_work_tree(), _slugs_for(counts)))
    if result.failed:
        terminal.say("".join(github.failure(notice) for notice in result.notices))
    tell_notices(terminal, result)


def print_html(terminal: Terminal, result: Result, counts: Counts, paths: tuple[str, ...], written: bool) -> None:
    """One page on standard output; notices are in it, and on standard error where the run failed."""
    from paged_attention_migrate.report.html import Section, as_html

    title = " ".join(paths) or "."
    terminal.say_bytes(as_html([Section(title, result, counts, written)]).encode("ascii"))
    if result.failed:
        tell_notices(terminal, result)


def tell_notices(terminal: Terminal, result: Result) -> None:
    """The sentences that were said once in the run; a failure is said to the quiet, too."""
    from paged_attention_migrate.report.text import printable

    text = "".join(f"paged-attention-migrate: {printable(notice)}\n" for notice in result.notices)
    if result.failed:
        terminal.insist(text)
    else:
        terminal.tell(text)


def _slugs_for(counts: Counts) -> dict[str, str]:
    return _slugs() if counts.left else {}


def _slugs() -> dict[str, str]:
    from paged_attention_migrate.explain import slugs

    return slugs()


def _arguments(paths: tuple[str, ...]) -> str:
    """The paths for a command that is suggested, or nothing where they would fill the line."""
    text = "".join(f" {shlex.quote(path)}" for path in paths)
    return text if len(text) <= _LONGEST_PATHS and text.isprintable() else ""
