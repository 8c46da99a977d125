"""What `explain` says of each code on the page, folded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from paged_attention_migrate.explain import Rule
from paged_attention_migrate.report.html.escaping import prose, text

if TYPE_CHECKING:
    from paged_attention_migrate.report.html import Section


_NEWLINE = "\n"


def rule_help(sections: Sequence[Section], known: Mapping[str, Rule]) -> str:
    """One fold for each code that occurs."""
    codes = sorted({each.code for section in sections for each in section.counts.findings})
    if not codes:
        return '<p class="note">No code occurs.</p>'
    return "".join(_help(known[code]) for code in codes if code in known)


def _help(rule: Rule) -> str:
    shown = "".join(_block(each) for each in rule.text.split("\n\n") if each.strip())
    return (
        f'<details class="rule" id="{text(rule.code)}"><summary><h3>{text(rule.code)} '
        f'<span class="slug">{text(rule.slug)}</span></h3> {text(rule.title)}</summary>'
        f'<div class="body">{shown or "<p>The title says it all.</p>"}</div></details>\n'
    )


def _block(block: str) -> str:
    if all(line.startswith("    ") or not line for line in block.split("\n")):
        return f'<pre tabindex="0"><code>{text(block, keep=_NEWLINE)}</code></pre>'
    return f'<p class="prose">{prose(block, keep=_NEWLINE)}</p>'
