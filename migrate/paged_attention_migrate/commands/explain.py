"""Explain a code or a removed name."""

from __future__ import annotations

import click

from paged_attention_migrate.commands.options import COLOR


@click.command(short_help="Explain a code or a removed name.")
@click.argument("subject", required=False, metavar="[CODE|NAME]")
@COLOR
def explain(subject: str | None, color: str) -> None:
    """Explain a code (PAM102), its slug (call), or a removed name; list them all if none is given."""
    from paged_attention_migrate.explain import Unknown, index, page
    from paged_attention_migrate.report.failure import Failure
    from paged_attention_migrate.report.terminal import Terminal, width

    terminal = Terminal(color)
    try:
        terminal.say(page(subject, terminal.out, width()) if subject else index(terminal.out))
    except Unknown as error:
        raise Failure(str(error)) from None
