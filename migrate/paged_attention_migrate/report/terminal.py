"""The two streams of a run: findings go to standard output, everything about the run to standard error."""

from __future__ import annotations

import sys
from typing import TextIO

import click

from paged_attention_migrate.report.colour import Paint, wanted


class Terminal:
    """Writes to both streams, with colours where they are wanted; `quiet` keeps standard error for failures."""

    def __init__(self, color: str = "auto", quiet: bool = False) -> None:
        self.quiet = quiet
        self.out = Paint(_colours(color, sys.stdout))
        self.err = Paint(_colours(color, sys.stderr))

    @property
    def encoding(self) -> str:
        """The encoding of standard output."""
        return getattr(sys.stdout, "encoding", None) or "utf-8"

    def say(self, text: str) -> None:
        """Write to standard output; what its encoding lacks is escaped."""
        encoded = text.encode(self.encoding, "backslashreplace").decode(self.encoding)
        click.echo(encoded, nl=False, color=self.out.on)

    def say_bytes(self, data: bytes) -> None:
        """Write bytes to standard output as they are."""
        click.echo(data, nl=False, color=self.out.on)

    def tell(self, text: str) -> None:
        """Write to standard error, unless the run is quiet."""
        if text and not self.quiet:
            click.echo(text, nl=False, err=True, color=self.err.on)

    def insist(self, text: str) -> None:
        """Write to standard error, even in a quiet run."""
        click.echo(text, nl=False, err=True, color=self.err.on)


def width() -> int:
    """How wide prose may be: the terminal, and no more than reads well."""
    import shutil

    return max(40, min(shutil.get_terminal_size((100, 24)).columns, 100))


def _colours(color: str, stream: TextIO | None) -> bool:
    return stream is not None and wanted(color, stream)
