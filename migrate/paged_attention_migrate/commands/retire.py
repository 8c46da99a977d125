"""Delete the removed functions from a tree that defines them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paged_attention_migrate.commands.options import COLOR
from paged_attention_migrate.commands.writing import write

if TYPE_CHECKING:
    from paged_attention_migrate.settings import Settings


@click.command(short_help="Delete the functions from a tree that defines them.")
@click.argument("root", default=".")
@click.option(
    "--diff", is_flag=True, help="Print a patch for `git apply` and write nothing; exit with 1 if there is one."
)
@click.option("--why", metavar="PATH", help="Say why this file is deleted, edited or kept; writes nothing.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out files that match; repeatable.")
@click.option("--allow-dirty", is_flag=True, help="Write to files that have uncommitted changes, too.")
@click.option("-q", "--quiet", is_flag=True, help="Print what was done and failures, nothing else.")
@COLOR
@click.pass_context
def retire(
    ctx: click.Context,
    root: str,
    diff: bool,
    why: str | None,
    exclude: tuple[str, ...],
    allow_dirty: bool,
    quiet: bool,
    color: str,
) -> None:
    """Delete the removed functions from ROOT, a vLLM or a fork of it, and move the callers that stay.

    Exits with 1 if anything is left for you. Needs the extra `native`.
    """
    from paged_attention_migrate.report.terminal import Terminal
    from paged_attention_migrate.retire.running import Asked, run

    asked = Asked(root, _settings(root, exclude), diff, why)
    ctx.exit(run(asked, lambda changes: write(changes, allow_dirty), Terminal(color, quiet)))


def _settings(root: str, exclude: tuple[str, ...]) -> Settings:
    from paged_attention_migrate import settings
    from paged_attention_migrate.report.failure import Failure

    try:
        loaded = settings.load(root)
    except settings.SettingsError as error:
        raise Failure(str(error)) from None
    # What else the project calls removed has nothing to do with the functions that the tree defines.
    return loaded._replace(exclude=(*loaded.exclude, *exclude), removed=())
