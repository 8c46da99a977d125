"""The files of a section: each folds open to its diff and its findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from paged_attention_migrate.explain import Rule
from paged_attention_migrate.findings import Finding
from paged_attention_migrate.report.html.diff import diff
from paged_attention_migrate.report.html.escaping import anchor, attribute, prose, text
from paged_attention_migrate.report.html.findings import finding_item
from paged_attention_migrate.report.html.folders import folder_of
from paged_attention_migrate.report.html.states import State, states

if TYPE_CHECKING:
    from paged_attention_migrate.project import FileChange
    from paged_attention_migrate.report.html import Section


def files(section: Section, known: Mapping[str, Rule], prefix: str, unfolded: bool) -> str:
    """All files with findings or changes, by path; `prefix` leads the names of their elements."""
    state_of = {id(each): state for state in states(section.counts, section.written) for each in state.findings}
    findings: dict[str, list[tuple[Finding, State]]] = {each.path: [] for each in section.result.changes}
    for each in section.counts.findings:
        findings.setdefault(each.path, []).append((each, state_of[id(each)]))
    changes = {each.path: each for each in section.result.changes}
    if not findings:
        return '<p class="note">Nothing was found.</p>'
    return "".join(_file(path, findings[path], changes.get(path), known, prefix, unfolded) for path in sorted(findings))


def _file(
    path: str,
    findings: list[tuple[Finding, State]],
    change: FileChange | None,
    known: Mapping[str, Rule],
    prefix: str,
    unfolded: bool,
) -> str:
    counted = Counter(state for _, state in findings)
    chips = "".join(
        f' <span class="chip {state.key}">{count} {text(state.title.lower())}</span>'
        for state, count in counted.items()
    )
    return (
        f'<details class="file" id="{anchor(prefix + path)}" data-folder="{attribute(prefix + folder_of(path))}"'
        f"{' open' if unfolded else ''}>"
        f'<summary><h3 class="path">{text(path)}</h3>{chips}</summary><div class="body">\n'
        + (_change(change, unfolded) if change else "")
        + _list(findings, known, prefix)
        + "</div></details>\n"
    )


def _change(change: FileChange, unfolded: bool) -> str:
    notes = "".join(f"<li>{prose(note)}</li>" for note in change.notes)
    return (
        f'<details class="change"{" open" if unfolded else ""}><summary>Diff</summary>{diff(change)}'
        + (f'<ul class="notes">{notes}</ul>' if notes else "")
        + "</details>"
    )


def _list(findings: list[tuple[Finding, State]], known: Mapping[str, Rule], prefix: str) -> str:
    if not findings:
        return ""
    items = []
    taken: set[str] = set()
    for finding, state in findings:
        name = f"{prefix}{finding.path}:{finding.line}"
        if name in taken:
            name += f":{finding.column}"
        number, first = 2, name
        while name in taken:
            name, number = f"{first}-{number}", number + 1
        taken.add(name)
        items.append(finding_item(finding, state, known, name))
    return f'<ol class="findings">{"".join(items)}</ol>'
