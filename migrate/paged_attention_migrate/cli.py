"""The command line: a group that loads the one command that was asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from paged_attention_migrate import __version__

_INTERRUPTED = 130
_COMMANDS = {
    "baseline": "baseline.baseline",
    "check": "check.check",
    "explain": "explain.explain",
    "fleet": "fleet.fleet",
    "retire": "retire.retire",
    "rewrite": "rewrite.rewrite",
    "undo": "undo.take_back",
}


class Commands(click.Group):
    """The group of commands; whatever goes wrong in one of them ends as one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's own signature
        """The names of all commands."""
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name, loaded now: a check pays for no other."""
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name].partition(".")
        command = getattr(import_module(f"paged_attention_migrate.commands.{module}"), name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            click.echo("paged-attention-migrate: interrupted", err=True)
            ctx.exit(_INTERRUPTED)
        except Exception as error:
            from paged_attention_migrate.report.failure import unexpected

            raise unexpected(error) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="paged-attention-migrate", message="%(prog)s %(version)s")
def main() -> None:
    """Moves code off vLLM's removed paged_attention_v1 and paged_attention_v2."""
