"""Rewrite what can be rewritten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paged_attention_migrate.commands.options import (
    Function,
    Given,
    asked_for,
    counts_of,
    print_in_format,
    read_baseline,
    run,
    tells_findings,
    tolerating,
)
from paged_attention_migrate.commands.writing import write

if TYPE_CHECKING:
    from paged_attention_migrate.project import Options, Result


_HOW_REWRITTEN = (
    click.option("--unsafe", is_flag=True, help="Make the edits that need a reader, too."),
    click.option(
        "--no-simplify", is_flag=True, help="Leave scratch buffers and branches that have become superfluous."
    ),
    click.option("--add-todo", is_flag=True, help="Leave a TODO comment at each place that is left for you."),
)


def says_how_to_rewrite(function: Function) -> Function:
    """Give a command the options that say how it rewrites: those that `with_rewriting` takes."""
    for option in reversed(_HOW_REWRITTEN):
        function = option(function)
    return function


_SHOW_DIFFS = ("text", "html")


@click.command(short_help="Rewrite what can be rewritten safely.")
@tells_findings
@click.option(
    "--diff",
    is_flag=True,
    help="Write nothing: print a patch for `git apply`, or HTML that shows it; exit with 1 if there is one.",
)
@click.option("--interactive", is_flag=True, help="Ask for each edit whether to make it, as `git add -p` does.")
@says_how_to_rewrite
@click.option("--allow-dirty", is_flag=True, help="Write to files that have uncommitted changes, too.")
@click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit with 1 if files were changed.")
@click.pass_context
def rewrite(
    ctx: click.Context,
    /,
    diff: bool,
    interactive: bool,
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
    if diff and given.output_format not in _SHOW_DIFFS:
        raise click.UsageError(f"--diff prints a patch: it does not go with --output-format {given.output_format}")
    if interactive:
        from paged_attention_migrate.commands.asking import refuse_to_ask

        refuse_to_ask(diff, add_todo, given.output_format)
    terminal = Terminal(given.color, given.quiet)
    options = with_rewriting(asked_for(given), unsafe, no_simplify, add_todo)
    known = read_baseline(options)
    if interactive:
        from paged_attention_migrate.commands.asking import rewrite_what_is_wanted

        result = rewrite_what_is_wanted(options, given, terminal, allow_dirty)
    else:
        result = run(project.rewrite, options, given.quiet)
    refusal, undoable = (None, False) if diff else write(result.changes, allow_dirty)
    if not (diff or refusal):
        result = result.once_written()
    if refusal and given.output_format == "html":
        result = result._replace(notices=(*result.notices, refusal.message))
    elif refusal and given.output_format != "text":
        result = _not_written(result)
    if unsafe and not given.info:
        result = _saying_what_is_left_in_documents(result)
    result = tolerating(result, options, known)
    if not print_in_format(terminal, given, result, not (diff or refusal)):
        counts = counts_of(result, given)
        if diff or refusal:
            print_patch(terminal, result, counts, given.paths)
        else:
            print_rewrite(terminal, result, counts, given.paths, undoable)
    if refusal:
        raise refusal
    left = counts_of(result, given).failing or (result.changes and (diff or exit_non_zero_on_fix))
    ctx.exit(2 if result.failed else 1 if left else 0)


def _saying_what_is_left_in_documents(result: Result) -> Result:
    """The run with a sentence on the examples that stay, which are shown where mentions are."""
    from paged_attention_migrate.files import kind_of

    left = [each for each in result.findings if kind_of(each.path) == "markdown" and not each.fixed]
    count = sum(each.code != "PAM305" or bool(each.reasons) for each in left)
    if not count:
        return result
    places = (
        "1 place in an example of a document stays" if count == 1 else f"{count} places in examples of documents stay"
    )
    return result._replace(notices=(*result.notices, f"{places} as written: --info shows them with the reasons"))


def with_rewriting(options: Options, unsafe: bool, no_simplify: bool, add_todo: bool) -> Options:
    """What a run is asked for, with how it rewrites."""
    return options._replace(unsafe=unsafe, simplify=not no_simplify, add_todo=add_todo, examples=unsafe)


def _not_written(result: Result) -> Result:
    return result._replace(changes=(), findings=tuple(each._replace(fixed=False) for each in result.findings))
