"""Report what breaks."""

from __future__ import annotations

from typing import Any

import click

from paged_attention_migrate.commands.options import (
    Given,
    asked_for,
    counts_of,
    print_in_format,
    read_baseline,
    run,
    tells_findings,
    tolerating,
)


@click.command(short_help="Report what breaks on vLLM 0.25 and later.")
@tells_findings
@click.option(
    "--account", is_flag=True, help="List every occurrence of a removed name that was left alone, with the reason."
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even where there are findings.")
@click.pass_context
def check(ctx: click.Context, /, account: bool, exit_zero: bool, **shared: Any) -> None:
    """Report what breaks on vLLM 0.25 and later; exit with 1 if anything does.

    PATHS are files and directories, the current directory if there are none.
    """
    from paged_attention_migrate import project

    given = Given(**shared)
    options = asked_for(given)._replace(account=account)
    known = read_baseline(options)
    result = tolerating(run(project.check, options, given.quiet), options, known)
    if (
        not (result.findings or result.notices or result.occurrences or result.tolerated)
        and given.output_format == "text"
    ):
        ctx.exit(2 if result.failed else 0)
    from paged_attention_migrate.report.output import print_check
    from paged_attention_migrate.report.terminal import Terminal

    terminal = Terminal(given.color, given.quiet)
    counts = counts_of(result, given)
    if not print_in_format(terminal, given, result):
        print_check(terminal, result, counts, given.paths)
    ctx.exit(2 if result.failed else 1 if counts.failing and not exit_zero else 0)
