"""Takes out what a rewritten call leaves behind: scratch that nothing reads, what only sized it, and arms grown equal.

A pure text to text pass. In doubt it keeps: names that anything else can see, expressions that may do something,
text that cannot be cut out cleanly. The result is used only if it parses to exactly the program that was decided on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ast


class Dropped(NamedTuple):
    """Plain names that stood in scratch slots of rewritten calls in one scope, numbered as by `numbered_scopes`."""

    function: int
    names: tuple[str, ...]


class Simplified(NamedTuple):
    """The simplified text, one sentence for each removal, and the comments that went."""

    text: str
    notes: tuple[str, ...]
    removed_comments: tuple[str, ...]


def numbered_scopes(tree: ast.AST) -> list[ast.AST]:
    """The module (0) and its functions and lambdas, in the order in which a recursive pre-order visit meets them."""
    from paged_attention_migrate.simplify.scopes import numbered_scopes as numbered

    return numbered(tree)


def simplify(text: str, dropped: Sequence[Dropped], replacements: frozenset[str]) -> Simplified:
    """Simplify a module whose calls were rewritten; unchanged where it cannot be done safely.

    `replacements` are the spellings by which the rewritten calls name the surviving function.
    """
    import tokenize

    from paged_attention_migrate.simplify.page import Unremovable
    from paged_attention_migrate.simplify.passes import simplified

    try:
        return simplified(text, dropped, replacements)
    except (SyntaxError, tokenize.TokenError, RecursionError, Unremovable):
        return Simplified(text, (), ())
