"""Colours: when a stream gets them, and which part of the output has which."""

from __future__ import annotations

import os
from typing import TextIO

import click

_LOOKS: dict[str, dict[str, str | bool]] = {
    "path": {"bold": True},
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "info": {"fg": "cyan", "bold": True},
    "gutter": {"fg": "blue"},
    "done": {"fg": "green", "bold": True},
    "heading": {"bold": True},
    "added": {"fg": "green"},
    "removed": {"fg": "red"},
    "hunk": {"fg": "cyan"},
}


class Paint:
    """Gives a part of the output its colour, or leaves it as it is."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, text: str, part: str) -> str:
        """Return `text` in the colour of `part`."""
        return click.style(text, **_LOOKS[part]) if self.on else text  # type: ignore[arg-type]


def wanted(choice: str, stream: TextIO) -> bool:
    """Whether `stream` gets colours: `choice` decides, then NO_COLOR, FORCE_COLOR, and whether it is a terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
