"""The fences of a Markdown document, by CommonMark's rules: markdown-it, which the extra `native` brings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from paged_attention_migrate.documents.examples import Block
from paged_attention_migrate.documents.languages import of_fence

if TYPE_CHECKING:
    from markdown_it.token import Token

_ENDINGS = "\r\n"
# The first line of an admonition or a tab of MkDocs: what is indented below it is no part of a paragraph.
_OPENS_BLOCK = re.compile(r"^([ \t>]*)(?:!!!|\?\?\?\+?|===[!+]?)[ \t][^\r\n]*", re.MULTILINE)


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
    for token in parser.parse(_OPENS_BLOCK.sub(r"\1", text)):
        if token.type == "fence" and token.map is not None:
            language = of_fence(token.info)
            if language.is_python or language.has_prompts:
                block = _block(token, text, starts)
                if block is not None:
                    yield Block(language, *block)


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
