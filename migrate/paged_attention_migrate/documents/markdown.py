"""The fences of a Markdown document, by CommonMark's rules: markdown-it, which the extra `native` brings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from paged_attention_migrate.documents.examples import Block
from paged_attention_migrate.documents.languages import of_fence
from paged_attention_migrate.source import line_starts

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_ENDINGS = "\r\n"
# The first line of an admonition or a tab of MkDocs: what is indented below it is no part of a paragraph.
_OPENS_BLOCK = re.compile(r"^([ \t>]*)(?:!!!|\?\?\?\+?|===[!+]?)[ \t][^\r\n]*", re.MULTILINE)
_DIRECTIVE = re.compile(r"\{[\w:.+-]+\}")
_FENCE = re.compile("`{3}|~{3}")
_DEEPEST = 8


class ParserMissing(Exception):
    """markdown-it is not installed."""


def blocks(text: str, starts: list[int], in_tags: bool) -> Iterator[Block]:
    """The fences that hold Python, `in_tags` also those right below a tag, as in MDX; raises ParserMissing."""
    try:
        from markdown_it import MarkdownIt
    except ImportError:
        raise ParserMissing from None
    # Without indented code, a fence may be indented as deeply as what MkDocs puts into admonitions and tabs.
    parser = MarkdownIt("commonmark").disable(["code", "html_block"] if in_tags else ["code"])
    for token in _fences(parser, _OPENS_BLOCK.sub(r"\1", text)):
        language = of_fence(token.info)
        if language.is_python or language.has_prompts:
            block = _block(token, text, starts)
            if block is not None:
                yield Block(language, *block)


def _fences(parser: MarkdownIt, text: str) -> list[Token]:
    """The fences of a text; those of a directive of MyST that holds others, such as a note or a tab, are opened."""
    found: list[Token] = []
    for _ in range(_DEEPEST):
        found = [token for token in parser.parse(text) if token.type == "fence"]
        around = [token for token in found if _holds_others(token)]
        if not around:
            break
        for token in around:
            text = _without_its_fence(token, text)
    return found


def _holds_others(token: Token) -> bool:
    language = of_fence(token.info)
    is_code = language.is_python or language.has_prompts or language.has_options
    return not is_code and bool(_DIRECTIVE.match(token.info.strip()) and _FENCE.search(token.content))


def _without_its_fence(token: Token, text: str) -> str:
    """The text without the marks that open and close a fence; every line stays where it is."""
    lines = [text[start:end] for start, end in pairwise([*line_starts(text), len(text)])]
    first, last = token.map or [0, 0]
    lines[first] = re.sub(rf"{re.escape(token.markup)}[^\r\n]*", "", lines[first])
    lines[last - 1] = re.sub(rf"{re.escape(token.markup)}{token.markup[0]}*(?=[ \t]*[\r\n]*\Z)", "", lines[last - 1])
    return "".join(lines)


def _block(token: Token, text: str, starts: list[int]) -> tuple[range, tuple[int, ...]] | None:
    """The lines of a fence, and where its own text begins in each; None where a tab stands for several columns."""
    first = (token.map or [0])[0] + 1
    contents = token.content.split("\n")
    if contents[-1] == "":
        del contents[-1]
    before = []
    for row, content in enumerate(contents, first):
        raw = text[starts[row] : starts[row + 1]].rstrip(_ENDINGS)
        if not raw.endswith(content):
            return None
        before.append(len(raw) - len(content))
    return range(first, first + len(contents)), tuple(before)
