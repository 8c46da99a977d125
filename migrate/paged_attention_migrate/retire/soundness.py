"""What must hold before a file of a retired tree may be written: it parses, and no name became undefined."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

from paged_attention_migrate.module import Facts, Module
from paged_attention_migrate.native.grammars import language_of, parse
from paged_attention_migrate.proof import NotProved, comments_in
from paged_attention_migrate.settings import Settings
from paged_attention_migrate.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node


def prove_python(path: str, before: bytes, after: bytes, removed: str) -> None:
    """Raise NotProved unless a file still parses, defines what it reads, and lost no comment but those in `removed`."""
    old = Source(before)
    try:
        new = Source(after)
        ast.parse(new.text)
        undefined = _undefined(path, new) - _undefined(path, old)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise NotProved(f"the result does not parse ({error})") from None
    if undefined:
        raise NotProved(f"`{min(undefined)}` would become undefined")
    lost = Counter(comments_in(old.text)) - Counter(comments_in(new.text))
    for comment in lost:
        if comment not in removed:
            raise NotProved(f"the comment `{comment}` would be lost")


def prove_native(path: str, kind: str, before: bytes, after: bytes) -> None:
    """Raise NotProved if the grammar finds more wrong with a file than before."""
    language = kind if kind in {"cmake", "toml"} else language_of(path)
    old, new = (_errors(parse(language, data).root_node) for data in (before, after))
    if new > old:
        raise NotProved("the result would not parse")


def _undefined(path: str, source: Source) -> set[str]:
    return set(Module(path, source, Settings(), Facts()).flow.undefined)


def _errors(node: Node) -> int:
    if not node.has_error and not node.is_missing:
        return 0
    own = int(node.type == "ERROR" or node.is_missing)
    return own + sum(_errors(child) for child in node.children)
