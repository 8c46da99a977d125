"""Take the last rewrite back."""

from __future__ import annotations

import click


@click.command("undo", short_help="Take the last rewrite back.")
def take_back() -> None:
    """Take the last rewrite back; refuses where a file was changed since."""
    from paged_attention_migrate import undo
    from paged_attention_migrate.replacing import Refused
    from paged_attention_migrate.report.failure import Failure
    from paged_attention_migrate.report.terminal import Terminal
    from paged_attention_migrate.report.text import printable

    try:
        restored = undo.undo()
    except Refused as error:
        raise Failure(str(error)) from None
    if not restored:
        raise Failure("there is no rewrite to take back here")
    Terminal().say("".join(f"restored {printable(path)}\n" for path in restored))
