"""One file a kind of finding; its docstring is what `explain` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paged_attention_migrate.module import Draft, Module


def every_rule() -> tuple[Callable[[Module], Iterator[Draft]], ...]:
    """The rules for Python, in the order in which they look at a module."""
    from paged_attention_migrate.rules import calls, imports, indirect, neighbours, strings, swallowed

    return (calls.drafts, imports.drafts, indirect.drafts, neighbours.drafts, strings.drafts, swallowed.drafts)
