"""One file a kind of finding; its docstring is what `explain` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paged_attention_migrate.module import Draft, Module


def drafts_of(module: Module) -> list[Draft]:
    """What the rules say of a module; of one in pieces, only what holds in whatever order they are read is fixable."""
    drafts = [draft for rule in every_rule() for draft in rule(module)]
    if module.own:
        from paged_attention_migrate.rules import own

        drafts = own.under_own_codes(module, [*drafts, *own.drafts(module)])
    if module.facts.own_names_only:
        drafts = [draft for draft in drafts if draft.code.startswith("PAM5")]
    if module.facts.in_cells:
        from paged_attention_migrate.notebooks.order import leave_what_depends_on_it

        leave_what_depends_on_it(module, drafts)
    if module.is_document:
        from paged_attention_migrate.documents.doubts import leave_what_is_in_doubt

        leave_what_is_in_doubt(module, drafts)
    return drafts


def every_rule() -> tuple[Callable[[Module], Iterator[Draft]], ...]:
    """The rules for Python, in the order in which they look at a module."""
    from paged_attention_migrate.rules import calls, imports, indirect, neighbours, strings, swallowed

    return (calls.drafts, imports.drafts, indirect.drafts, neighbours.drafts, strings.drafts, swallowed.drafts)
