"""Runs the passes until nothing changes any more, writes the result, and proves it."""

from __future__ import annotations

from collections.abc import Sequence

from paged_attention_migrate.simplify import Dropped, Simplified
from paged_attention_migrate.simplify.arms import Arms
from paged_attention_migrate.simplify.blocks import remove_emptied
from paged_attention_migrate.simplify.live import Live
from paged_attention_migrate.simplify.page import Page, Unremovable
from paged_attention_migrate.simplify.parsed import Parsed, parse
from paged_attention_migrate.simplify.purity import Purity
from paged_attention_migrate.simplify.scratch import Unread
from paged_attention_migrate.simplify.statements import Writer


def simplified(text: str, dropped: Sequence[Dropped], replacements: frozenset[str]) -> Simplified:
    """Simplify, or raise `Unremovable` where the text does not allow it."""
    parsed = Parsed(text)
    live = Live(parsed)
    purity = Purity(parsed.scopes)
    unread = Unread(live, purity)
    arms = Arms(live, purity, replacements)
    changed = True
    while changed:
        changed = unread.remove_scratch(dropped)
        changed = remove_emptied(live, purity) or changed
        changed = arms.collapse() or changed
        changed = unread.remove_orphans() or changed
    if not live.notes:
        return Simplified(text, (), ())
    page = Page(parsed)
    Writer(live, page).write()
    new_text, deleted = page.text()
    if live.shape(parsed.tree) != live.shape(parse(new_text)):
        raise Unremovable("the text does not say what was decided")
    gone = [
        comment.text
        for comment in parsed.tokens.comments
        if any(start <= comment.start < end for start, end in deleted)
    ]
    notes = [*live.notes, *(f"removed with its statement: comment `{comment}`" for comment in gone)]
    return Simplified(new_text, tuple(notes), tuple(gone))
