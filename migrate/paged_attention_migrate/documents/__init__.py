"""Documents: the Python of their examples, in Markdown's fences and the directives of reStructuredText.

All examples of a document are read as the cells of a notebook are: names flow from one to the next, and where their
order would decide, a person does. What is found breaks nothing, and an edit of it always needs a reader, since the text
around an example may speak of it.
"""

from __future__ import annotations

import re

__all__ = ["MARKDOWN", "MISSING", "SUFFIXES", "can_be_read", "may_hold_examples"]

MARKDOWN = (".md", ".mdx", ".markdown", ".qmd")
SUFFIXES = (*MARKDOWN, ".rst")
MISSING = (
    "examples in Markdown were not read as Python, which needs markdown-it-py: "
    "pip install 'paged-attention-migrate[native]'"
)

_BEGINS = re.compile(rb"(?i)(?:`{3}|~{3}|\.\. )[^\r\n]*\b(?:i?py|sage|code-cell|testcode)")


def may_hold_examples(data: bytes) -> bool:
    """Whether a document can hold Python that uses a removed name."""
    from paged_attention_migrate.markers import may_hold_removed_name

    return _BEGINS.search(data) is not None and may_hold_removed_name(data)


def can_be_read(path: str) -> bool:
    """Whether what finds the examples of a document is installed."""
    from importlib.util import find_spec

    return not path.lower().endswith(MARKDOWN) or find_spec("markdown_it") is not None
