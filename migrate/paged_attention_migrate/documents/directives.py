"""The blocks of Python in a reStructuredText document: `.. code-block:: python` and its relatives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from paged_attention_migrate.documents.examples import Block
from paged_attention_migrate.documents.languages import of_directive

_DIRECTIVE = re.compile(r"([ ]*)\.\.[ ]+([\w-]+)::[ \t]*([\w+#-]*)[ \t]*")
_INDENT = re.compile(r"[ ]*")


def blocks(text: str, starts: list[int]) -> Iterator[Block]:
    """The blocks that hold Python, each indented more deeply than its directive."""
    lines = [text[start:end].rstrip("\r\n") for start, end in pairwise(starts)]
    row = 0
    while row < len(lines):
        directive = _DIRECTIVE.fullmatch(lines[row])
        row += 1
        if directive is None:
            continue
        language = of_directive(directive[2], directive[3])
        if not (language.is_python or language.has_prompts):
            continue
        last = row
        while last < len(lines) and (not lines[last].strip() or _indent(lines[last]) > len(directive[1])):
            last += 1
        inside = range(row, last)
        indents = [_indent(lines[each]) for each in inside if lines[each].strip()]
        if indents:
            depth = min(indents)
            yield Block(language, inside, tuple(min(depth, len(lines[each])) for each in inside))
        row = last


def _indent(line: str) -> int:
    match = _INDENT.match(line)
    return match.end() if match else 0
