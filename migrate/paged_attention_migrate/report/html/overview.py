"""The top of a section: how many of what, by code and by folder, and what the run had to say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from paged_attention_migrate.explain import Rule
from paged_attention_migrate.findings import Finding
from paged_attention_migrate.report.colour import Paint
from paged_attention_migrate.report.html.escaping import anchor, prose, text
from paged_attention_migrate.report.html.folders import folder_of
from paged_attention_migrate.report.html.states import State, states
from paged_attention_migrate.report.summary import baseline_summary, counted

if TYPE_CHECKING:
    from paged_attention_migrate.project import Result
    from paged_attention_migrate.report.html import Section

_NEWLINE = "\n"


def contents(sections: Sequence[Section]) -> str:
    """A table of the sections, each with its numbers."""
    titles = [state.title for state in states(sections[0].counts, sections[0].written)]
    head = "".join(f'<th scope="col">{text(title)}</th>' for title in titles)
    rows = "".join(
        f'<tr><th scope="row"><a href="#run-{number}">{text(section.title)}</a></th>'
        f"<td>{'failed' if section.result.failed else ''}</td>"
        + "".join(f"<td>{len(state.findings)}</td>" for state in states(section.counts, section.written))
        + "</tr>"
        for number, section in enumerate(sections, 1)
    )
    return (
        '<section aria-labelledby="contents"><h2 id="contents">Overview</h2><div class="scroll" tabindex="0">'
        f'<table class="counts"><thead><tr><th scope="col">Tree</th><th scope="col">Run</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def overview(section: Section, known: Mapping[str, Rule], name: str) -> str:
    """Numbers, notices and tables; `name` leads the names of the elements."""
    counts = section.counts
    found = [each for each in states(counts, section.written) if each.findings]
    files = len({each.path for each in counts.findings})
    tiles = "".join(
        f'<div class="tile {state.key}"><dt>{text(state.title)}</dt><dd><b>{len(state.findings)}</b> '
        f"{prose(state.meaning)}</dd></div>"
        for state in found
    )
    tables = ""
    if found:

        def title(code: str) -> str:
            rule = known.get(code)
            return f'<a class="code" href="#{text(code)}">{text(code)}</a> {text(rule.title)}' if rule else text(code)

        tables = (
            '<div class="tables">'
            + _table("code", "By code", found, lambda each: each.code, title, name)
            + _table("folder", "By folder", found, lambda each: folder_of(each.path), text, name)
            + "</div>"
        )
    return (
        f'<p class="lead"><b>{counted(len(counts.findings), "finding")}</b> in {counted(files, "file")}, '
        f"{counted(section.result.files_scanned, 'file')} scanned"
        f"{_changed(section)}.</p>"
        + "".join(_notices(section.result))
        + (f'<dl class="tiles">{tiles}</dl>' if tiles else "")
        + tables
        + _left_alone(section.result)
    )


def _changed(section: Section) -> str:
    number = len(section.result.changes)
    if not number:
        return ""
    return f", {counted(number, 'file')} {'rewritten' if section.written else 'would be rewritten'}"


def _notices(result: Result) -> Iterator[str]:
    if result.failed:
        yield '<p class="notice failed" role="alert">The run could not read everything; the notices say what.</p>'
    if result.notices:
        shown = "".join(f"<li>{prose(each)}</li>" for each in result.notices)
        yield f'<ul class="notice" aria-label="Notices">{shown}</ul>'
    tolerated = baseline_summary(result, Paint(on=False))
    if tolerated:
        yield f'<pre class="notice" tabindex="0">{text(tolerated, keep=_NEWLINE)}</pre>'


def _table(
    key: str,
    caption: str,
    found: Sequence[State],
    of: Callable[[Finding], str],
    shown: Callable[[str], str],
    name: str,
) -> str:
    numbers = {state.key: Counter(of(each) for each in state.findings) for state in found}
    rows = sorted(set().union(*numbers.values()))
    titles = (caption.removeprefix("By ").capitalize(), *(state.title for state in found), "All")
    head = "".join(f'<th scope="col">{text(title)}</th>' for title in titles)
    body = "".join(
        f'<tr><th scope="row">{shown(row)}</th>'
        + "".join(f"<td>{numbers[state.key][row] or ''}</td>" for state in found)
        + f"<td><b>{sum(each[row] for each in numbers.values())}</b></td></tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}" id="{anchor(f"{name}-{key}")}">'
        f'<table class="counts"><caption>{caption}</caption>'
        f"<thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _left_alone(result: Result) -> str:
    if not result.occurrences:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{text(each.path)}:{each.line}:{each.column}</th>'
        f"<td><code>{text(each.text)}</code></td><td>{text(each.reason)}</td></tr>"
        for each in result.occurrences
    )
    return (
        f"<details><summary>Left alone: {len(result.occurrences)}</summary>"
        '<div class="scroll" tabindex="0"><table class="counts"><thead><tr><th scope="col">Place</th>'
        f'<th scope="col">Name</th><th scope="col">Why</th></tr></thead><tbody>{rows}</tbody></table></div></details>'
    )
