"""Report what breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paged_attention_migrate.commands.options import (
    Given,
    asked_for,
    checked,
    counts_of,
    merges_traces,
    print_in_format,
    read_baseline,
    tells_findings,
    tolerating,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from paged_attention_migrate.findings import Finding, OwnersOf


@click.command(short_help="Report what breaks on vLLM 0.25 and later.")
@tells_findings
@click.option(
    "--account", is_flag=True, help="List every occurrence of a removed name that was left alone, with the reason."
)
@click.option(
    "--group-by",
    type=click.Choice(["owner", "file", "code"]),
    help="Print findings under headings; owners are those of CODEOWNERS.",
)
@merges_traces
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even where there are findings.")
@click.pass_context
def check(
    ctx: click.Context,
    /,
    account: bool,
    group_by: str | None,
    merge_trace: tuple[str, ...],
    exit_zero: bool,
    **shared: Any,
) -> None:
    """Report what breaks on vLLM 0.25 and later; exit with 1 if anything does.

    PATHS are files and directories, the current directory if there are none.
    """
    given = Given(**shared)
    options = asked_for(given)._replace(account=account)
    known = read_baseline(options)
    owners_of = _owners_of(given) if group_by == "owner" else None
    result = tolerating(checked(options, given.quiet, merge_trace), options, known)
    if (
        not (result.findings or result.notices or result.occurrences or result.tolerated)
        and given.output_format == "text"
    ):
        ctx.exit(2 if result.failed else 0)
    from paged_attention_migrate.report.output import print_check
    from paged_attention_migrate.report.terminal import Terminal

    terminal = Terminal(given.color, given.quiet)
    counts = counts_of(result, given)
    if not print_in_format(terminal, given, result, owners_of=owners_of):
        print_check(terminal, result, counts, given.paths, _group_of(group_by, owners_of))
    ctx.exit(2 if result.failed else 1 if counts.failing and not exit_zero else 0)


def _owners_of(given: Given) -> OwnersOf:
    """Who owns a file; raises Failure where nothing says so, or where the format has no place for it."""
    import os

    from paged_attention_migrate import owners
    from paged_attention_migrate.replacing import work_tree
    from paged_attention_migrate.report.failure import Failure

    if given.output_format in ("github", "html"):
        raise Failure(f"--group-by owner goes with the formats text, json and sarif, not with {given.output_format}")
    here = os.getcwd()
    try:
        return owners.load(work_tree(here) or here).of
    except owners.OwnersError as error:
        raise Failure(str(error)) from None


def _group_of(group_by: str | None, owners_of: OwnersOf | None) -> Callable[[Finding], str] | None:
    if group_by is None:
        return None
    from paged_attention_migrate.report.groups import naming

    return naming(group_by, owners_of)
