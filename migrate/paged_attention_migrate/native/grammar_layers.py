"""Comments and strings where a real grammar sees them: nested comments, raw strings, here-documents.

A language whose grammar is not installed, and a text that its grammar does not understand, are left to the patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from paged_attention_migrate.native.grammars import GrammarMissing, parse
from paged_attention_migrate.native.layers import COMMENT, STRING, Segment, segment_of, segments_in

if TYPE_CHECKING:
    from tree_sitter import Node

_COMMENTS = frozenset({"comment", "line_comment", "block_comment", "bracket_comment"})
_STRINGS = frozenset(
    [
        *("string_literal", "raw_string_literal", "char_literal"),  # C++, CUDA, Rust
        *("quoted_argument", "bracket_argument"),  # CMake
        *("string", "raw_string", "ansi_c_string"),  # shell, TOML
    ]
)
# What a macro stands for is text to the grammar.
_UNREAD = "preproc_arg"


def segments(text: str, language: str, tokens: re.Pattern[str]) -> list[Segment] | None:
    """The comments and strings of a text; None where the grammar cannot say."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        root = parse(language, data).root_node
    except GrammarMissing:
        return None
    nodes = list(_nodes(root))
    if any(node.type == "ERROR" for node in nodes):
        return None
    offset = _offsets(text, data)
    found: list[Segment] = []
    for node in nodes:
        start, end = offset(node.start_byte), offset(node.end_byte)
        if node.type == _UNREAD:
            found += segments_in(text, tokens, start, end)
        elif node.type in _COMMENTS:
            found.append(Segment(COMMENT, start, end, start, end))
        else:
            found.append(_string(text, tokens, start, end))
    return found


def _nodes(root: Node) -> Iterator[Node]:
    """Comments, strings, macros and errors in the order of the text, none inside another."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in _COMMENTS or node.type in _STRINGS or node.type in {_UNREAD, "ERROR"}:
            yield node
        else:
            pending += reversed(node.children)


def _string(text: str, tokens: re.Pattern[str], start: int, end: int) -> Segment:
    """A string, with the pattern's word on its delimiters where both agree on its ends."""
    match = tokens.match(text, start)
    if match is not None and match.end() == end:
        segment = segment_of(match)
        if segment is not None and segment.kind == STRING:
            return segment
    return Segment(STRING, start, end, min(start + 1, end), max(end - 1, start))


class _offsets:  # noqa: N801  # a function with what it has to know
    """Characters by bytes, asked for in ascending order or not."""

    def __init__(self, text: str, data: bytes) -> None:
        self._plain = len(text) == len(data)
        self._data = data
        self._byte = 0
        self._character = 0

    def __call__(self, byte: int) -> int:
        if self._plain:
            return byte
        if byte < self._byte:
            self._byte = self._character = 0
        self._character += len(self._data[self._byte : byte].decode("utf-8", "surrogatepass"))
        self._byte = byte
        return self._character
