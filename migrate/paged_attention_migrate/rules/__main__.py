"""Prints docs/codes.md: every code with the text that `explain` prints.

`python -m paged_attention_migrate.rules > docs/codes.md`
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from paged_attention_migrate.explain import rules

_INTRODUCTION = """# Codes

What every finding means, when a rewrite settles it, and what to do by hand.
`paged-attention-migrate explain CODE` prints the same.
This page is made by `python -m paged_attention_migrate.rules` from the rules themselves.
"""


def page() -> str:
    """The page as Markdown."""
    return "\n".join(_parts())


def _parts() -> Iterator[str]:
    known = rules().values()
    yield _INTRODUCTION
    yield "| code | name | what |\n|---|---|---|"
    for rule in known:
        yield f"| [{rule.code}](#{rule.code.lower()}-{rule.slug}) | `{rule.slug}` | {rule.title} |"
    for rule in known:
        yield f"\n## {rule.code} {rule.slug}\n\n{rule.title[:1].upper()}{rule.title[1:]}.\n\n{rule.text}"
    yield ""


if __name__ == "__main__":
    sys.stdout.write(page())
