"""What became of a finding: the five words by which the page counts, colours and filters."""

from __future__ import annotations

from typing import NamedTuple

from paged_attention_migrate.findings import Finding
from paged_attention_migrate.report.summary import Counts


class State(NamedTuple):
    """`key` is what the style and the script know it by."""

    key: str
    title: str
    meaning: str
    findings: tuple[Finding, ...]


def states(counts: Counts, written: bool) -> tuple[State, ...]:
    """All five, with the findings of each."""
    done = ("Rewritten", "the files hold the edit") if written else ("Would be rewritten", "the diffs show the edit")
    return (
        State("fixed", *done, counts.fixed),
        State("safe", "Safe to rewrite", "`rewrite` makes these edits", counts.safe),
        State("unsafe", "Needs a reader", "`rewrite --unsafe` makes these edits: read the diff", counts.unsafe),
        State("manual", "By hand", "the help of each code says how", counts.manual),
        State("info", "For information", "breaks nothing", counts.info),
    )
