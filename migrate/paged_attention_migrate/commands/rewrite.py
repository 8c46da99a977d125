"""Rewrite what can be rewritten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paged_attention_migrate.commands.options import (
    Given,
    asked_for,
    counts_of,
    print_for_machines,
    read_baseline,
    run,
    tells_findings,
    tolerating,
)

if TYPE_CHECKING:
    from paged_attention_migrate.project import FileChange, Result
    from paged_attention_migrate.report.failure import Failure

_NAMED = 5


@click.command(short_help="Rewrite what can be rewritten safely.")
@tells_findings
@click.option(
    "--diff", is_flag=True, help="Print a patch for `git apply` and write nothing; exit with 1 if there is one."
)
@click.option("--unsafe", is_flag=True, help="Make the edits that need a reader, too.")
@click.option("--no-simplify", is_flag=True, help="Leave scratch buffers and branches that have become superfluous.")
@click.option("--add-todo", is_flag=True, help="Leave a TODO comment at each place that is left for you.")
@click.option("--allow-dirty", is_flag=True, help="Write to files that have uncommitted changes, too.")
@click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit with 1 if files were changed.")
@click.pass_context
def rewrite(
    ctx: click.Context,
    /,
    diff: bool,
    unsafe: bool,
    no_simplify: bool,
    add_todo: bool,
    allow_dirty: bool,
    exit_non_zero_on_fix: bool,
    **shared: Any,
) -> None:
    """Rewrite what can be rewritten safely; exit with 1 if anything is left for you.

    PATHS are files and directories, the current directory if there are none.
    """
    from paged_attention_migrate import project
    from paged_attention_migrate.report.output import print_patch, print_rewrite
    from paged_attention_migrate.report.terminal import Terminal

    given = Given(**shared)
    if diff and given.output_format != "text":
        raise click.UsageError(f"--diff prints a patch: it does not go with --output-format {given.output_format}")
    terminal = Terminal(given.color, given.quiet)
    options = asked_for(given)._replace(unsafe=unsafe, simplify=not no_simplify, add_todo=add_todo)
    known = read_baseline(options)
    result = run(project.rewrite, options, given.quiet)
    refusal, undoable = (None, False) if diff else _write(result.changes, allow_dirty)
    if not (diff or refusal):
        result = result.once_written()
    if refusal and given.output_format != "text":
        result = _not_written(result)
    result = tolerating(result, options, known)
    if not print_for_machines(terminal, given, result):
        counts = counts_of(result, given)
        if diff or refusal:
            print_patch(terminal, result, counts, given.paths)
        else:
            print_rewrite(terminal, result, counts, given.paths, undoable)
    if refusal:
        raise refusal
    left = counts_of(result, given).failing or (result.changes and (diff or exit_non_zero_on_fix))
    ctx.exit(2 if result.failed else 1 if left else 0)


def _write(changes: tuple[FileChange, ...], allow_dirty: bool) -> tuple[Failure | None, bool]:
    """Replace the files, all or none: why nothing was written, if so, and whether `undo` can take it back."""
    if not changes:
        return None, False
    from paged_attention_migrate import replacing, undo
    from paged_attention_migrate.report.failure import Failure

    dirty = [] if allow_dirty else replacing.dirty([each.path for each in changes])
    if dirty:
        told = (
            f"{_some(dirty)} uncommitted changes, so nothing was written: commit or stash them, or pass --allow-dirty"
        )
        return Failure(told), False
    files = [(each.path, each.before, each.after) for each in changes]
    try:
        replacing.replace_all(files)
    except replacing.Refused as error:
        return Failure(f"{error}, so nothing was written"), False
    try:
        return None, undo.remember(files)
    except OSError:
        return None, False


def _some(paths: list[str]) -> str:
    named = ", ".join(paths[:_NAMED])
    rest = len(paths) - _NAMED
    if rest > 0:
        return f"{named} and {rest} more have"
    return f"{named} has" if len(paths) == 1 else f"{named} have"


def _not_written(result: Result) -> Result:
    return result._replace(changes=(), findings=tuple(each._replace(fixed=False) for each in result.findings))
