"""A run as one page of HTML that needs nothing beside it: no network, no font, no script but its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from paged_attention_migrate.project import Result
    from paged_attention_migrate.report.summary import Counts


class Section(NamedTuple):
    """One run on a page; `written` says that its changes are in the files, and are no proposal."""

    title: str
    result: Result
    counts: Counts
    written: bool = False


def as_html(sections: Sequence[Section]) -> str:
    """The whole page, ASCII only: one section for a run over one tree, several for a run over many."""
    from paged_attention_migrate.report.html.page import page

    return page(sections)
