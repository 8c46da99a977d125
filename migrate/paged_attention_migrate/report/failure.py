"""A run that failed, told in one sentence."""

from __future__ import annotations

import os
from typing import IO, Any

import click

_SWITCH = "PAGED_ATTENTION_MIGRATE_TRACEBACK"


class Failure(click.ClickException):
    """The run itself failed; the exit code is 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the sentence to standard error."""
        from paged_attention_migrate.report.text import printable

        click.echo(f"paged-attention-migrate: {printable(self.message)}", file=file, err=True)


def unexpected(error: Exception) -> Failure:
    """The sentence for an exception that nothing expected; the exception itself where the environment asks for it."""
    if os.environ.get(_SWITCH):
        raise error
    if isinstance(error, OSError) and error.strerror:
        about = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        return Failure(f"{about}{error.strerror}")
    path = _file_at_work(error)
    where = f" while it worked on {path}" if path else ""
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    return Failure(
        f"stopped by a bug of its own{where} ({what}): report it with the traceback, which {_SWITCH}=1 shows"
    )


def _file_at_work(error: BaseException) -> str | None:
    """The `path` that the innermost function with one was called with."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        path = trace.tb_frame.f_locals.get("path")
        found = path if isinstance(path, str) else found
        trace = trace.tb_next
    return found
