"""The page around the sections: head, policy, style, script, and the order in which things are told."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib import resources
from string import Template
from typing import TYPE_CHECKING

from paged_attention_migrate import __version__
from paged_attention_migrate.explain import rules
from paged_attention_migrate.report.html.escaping import text
from paged_attention_migrate.report.html.files import files
from paged_attention_migrate.report.html.filters import filters
from paged_attention_migrate.report.html.help import rule_help
from paged_attention_migrate.report.html.overview import contents, overview

if TYPE_CHECKING:
    from paged_attention_migrate.report.html import Section

_FEW = 150


def page(sections: Sequence[Section]) -> str:
    """The page as ASCII; everything else is a character reference, so that no shell's encoding can spoil it."""
    known = rules()
    style, script = _part("page.css"), _part("page.js")
    unfolded = sum(len(each.counts.findings) for each in sections) <= _FEW
    several = len(sections) > 1
    told = []
    for number, section in enumerate(sections, 1):
        prefix = f"{section.title}/" if several else ""
        told.append(
            f'<section class="run" id="run-{number}" aria-labelledby="run-{number}-title">'
            f'<h2 id="run-{number}-title">{text(section.title)}</h2>'
            f"{overview(section, known, f'run-{number}')}{files(section, known, prefix, unfolded)}</section>"
        )
    filled = Template(_part("page.html")).substitute(
        policy=_policy(style, script),
        style=style,
        script=script,
        version=text(__version__),
        contents=contents(sections) if several else "",
        filters=filters(sections, known),
        sections="\n".join(told),
        rules=rule_help(sections, known),
    )
    return filled.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _policy(style: str, script: str) -> str:
    """What the page may load: its own style and script by their digest, and nothing else."""
    return (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; base-uri 'none'; "
        "form-action 'none'"
    )


def _digest(part: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}'"


def _part(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="ascii")
