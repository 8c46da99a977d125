"""Explain a code or a removed name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paged_attention_migrate.commands.options import COLOR

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def subjects(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What completes a code, a slug or a removed name; full dotted names once a dot was typed."""
    from click.shell_completion import CompletionItem

    from paged_attention_migrate.explain import known_subjects
    from paged_attention_migrate.settings import SettingsError, load

    try:
        own = load().removed
    except SettingsError:
        own = ()
    return [
        CompletionItem(subject, help=title)
        for subject, title in known_subjects("." in incomplete, own).items()
        if subject.lower().startswith(incomplete.lower())
    ]


@click.command(short_help="Explain a code or a removed name.")
@click.argument("subject", required=False, metavar="[CODE|NAME]", shell_complete=subjects)
@COLOR
def explain(subject: str | None, color: str) -> None:
    """Explain a code (PAM102), its slug (call), or a removed name; list them all if none is given.

    Names that pyproject.toml calls removed are explained as well.
    """
    from paged_attention_migrate.explain import Unknown, index, page
    from paged_attention_migrate.report.failure import Failure
    from paged_attention_migrate.report.terminal import Terminal, width
    from paged_attention_migrate.settings import SettingsError, load

    terminal = Terminal(color)
    try:
        own = load().removed
        terminal.say(page(subject, terminal.out, width(), own) if subject else index(terminal.out, own))
    except (Unknown, SettingsError) as error:
        raise Failure(str(error)) from None
