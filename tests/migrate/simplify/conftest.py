"""Two questions asked of the pass in every way: what does this become, and does this stay as it is."""

from __future__ import annotations

import ast
from collections.abc import Callable
from textwrap import dedent

import pytest

from paged_attention_migrate.simplify import Dropped, Simplified, numbered_scopes, simplify
from paged_attention_migrate.simplify.passes import simplified

REPLACEMENTS = frozenset({"paged_attention", "paged_attention_shim.paged_attention", "pa_two"})
SCRATCH = ("sums", "peaks", "buf")


def run(text: str, scratch: tuple[str, ...] = SCRATCH, *, may_refuse: bool = False) -> Simplified:
    """Simplify with the same scratch names in every scope; a refusal to write is an error unless it is expected."""
    dropped = [Dropped(index, scratch) for index in range(len(numbered_scopes(ast.parse(text))))]
    result = simplify(text, dropped, REPLACEMENTS)
    if not may_refuse:
        assert simplified(text, dropped, REPLACEMENTS) == result
    again = simplify(result.text, dropped, REPLACEMENTS)
    assert again == Simplified(result.text, (), ())
    assert bool(result.notes) == (result.text != text)
    return result


@pytest.fixture
def becomes() -> Callable[..., Simplified]:
    def check(before: str, after: str, scratch: tuple[str, ...] = SCRATCH) -> Simplified:
        result = run(dedent(before), scratch)
        assert result.text == dedent(after)
        return result

    return check


@pytest.fixture
def stays() -> Callable[..., None]:
    def check(text: str, scratch: tuple[str, ...] = SCRATCH, *, may_refuse: bool = False) -> None:
        assert run(dedent(text), scratch, may_refuse=may_refuse).text == dedent(text)

    return check
