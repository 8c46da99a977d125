"""One finding: its place, its code, the message, the source line with the range marked, and the reasons."""

from __future__ import annotations

from collections.abc import Mapping

from paged_attention_migrate.explain import Rule
from paged_attention_migrate.findings import Finding
from paged_attention_migrate.report.html.diff import marked
from paged_attention_migrate.report.html.escaping import anchor, attribute, prose, text
from paged_attention_migrate.report.html.states import State

_LONGEST = 600


def finding_item(finding: Finding, state: State, known: Mapping[str, Rule], name: str) -> str:
    """A list item; `name` is what a link to it says after the `#`."""
    rule = known.get(finding.code)
    code = text(finding.code)
    if rule:
        code = f'<a class="code" href="#{code}">{code} <span class="slug">{text(rule.slug)}</span></a>'
    reasons = [each for each in finding.reasons if each not in finding.message]
    return (
        f'<li class="finding {state.key}" id="{anchor(name)}" data-code="{attribute(finding.code)}" '
        f'data-severity="{attribute(finding.severity)}" data-state="{state.key}">'
        f'<p class="head"><a class="place" href="#{anchor(name)}">'
        f'<span class="unseen">line </span>{finding.line}:{finding.column}</a> '
        f'<span class="chip {state.key}">{text(state.title)}</span> '
        f'<span class="severity {attribute(finding.severity)}">{text(finding.severity)}</span> {code}</p>'
        f'<p class="message">{prose(finding.message)}</p>{_source(finding)}'
        + "".join(f'<p class="reason">{prose(each)}</p>' for each in reasons)
        + "</li>\n"
    )


def _source(finding: Finding) -> str:
    line = finding.source_line
    if not line.strip():
        return ""
    start = min(finding.column - 1, len(line))
    end = len(line) if finding.end_line > finding.line else min(finding.end_column - 1, len(line))
    first = 0 if start < _LONGEST // 2 else start - _LONGEST // 2
    shown = line[first : first + _LONGEST]
    spans = [(start - first, min(max(end, start) - first, len(shown)))]
    cut = "..." if first else "", "..." if first + _LONGEST < len(line) else ""
    more = finding.end_line - finding.line
    rest = f'<span class="more">and {more} more line{"s" * (more > 1)}</span>' if more else ""
    return (
        f'<pre class="source" tabindex="0"><code><span class="number">{finding.line}</span>'
        f"{cut[0]}{marked(shown, spans, 'mark')}{cut[1]}</code>{rest}</pre>"
    )
