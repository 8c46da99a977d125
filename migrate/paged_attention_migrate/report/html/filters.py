"""The form that narrows the list down; it appears only where the script runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from paged_attention_migrate.explain import Rule
from paged_attention_migrate.findings import ERROR, INFO, WARNING
from paged_attention_migrate.report.html.escaping import attribute, text
from paged_attention_migrate.report.html.folders import folder_of, with_parents
from paged_attention_migrate.report.html.states import states

if TYPE_CHECKING:
    from paged_attention_migrate.report.html import Section


def filters(sections: Sequence[Section], known: Mapping[str, Rule]) -> str:
    """One field for each thing to filter by, with the values that occur."""
    findings = [each for section in sections for each in section.counts.findings]
    codes = sorted({each.code for each in findings})
    severities = [each for each in (ERROR, WARNING, INFO) if any(found.severity == each for found in findings)]
    found = {
        state.key: state.title
        for section in sections
        for state in states(section.counts, section.written)
        if state.findings
    }
    folders = with_parents(
        f"{section.title}/{folder_of(path)}" if len(sections) > 1 else folder_of(path)
        for section in sections
        for path in _paths(section)
    )
    return (
        '<label class="wide">Text <input type="search" id="filter-text" autocomplete="off" spellcheck="false"></label>'
        + _choice("code", "Code", [(each, f"{each} {known[each].slug}" if each in known else each) for each in codes])
        + _choice("state", "What to do", found.items())
        + _choice("severity", "Severity", [(each, each) for each in severities])
        + _choice("folder", "Folder", [(each, each) for each in folders])
    )


def _paths(section: Section) -> set[str]:
    """Every file that has a place on the page."""
    found = {each.path for each in section.counts.findings}
    return found | {each.path for each in section.result.changes}


def _choice(name: str, label: str, values: Iterable[tuple[str, str]]) -> str:
    options = "".join(f'<option value="{attribute(value)}">{text(shown)}</option>' for value, shown in values)
    return f'<label>{label} <select id="filter-{name}"><option value="">all</option>{options}</select></label>'
