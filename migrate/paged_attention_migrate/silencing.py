"""Findings that a project does not want: `# noqa: CODE` on a line, and codes ignored for a file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paged_attention_migrate.module import Draft, Module
    from paged_attention_migrate.settings import Settings

_NOQA = re.compile(r"#\s*noqa:\s*([A-Z0-9, ]+)")


def ignored_codes(path: str, settings: Settings) -> tuple[str, ...]:
    """The codes, or beginnings of codes, that the settings ignore for a file."""
    if not settings.per_file_ignores:
        return ()
    from paged_attention_migrate.files import matcher

    ignores = settings.per_file_ignores
    return tuple(code for pattern, codes in ignores if (matcher([pattern]) or bool)(path) for code in codes)


def not_silenced(module: Module, drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts whose codes neither the settings nor a `# noqa: CODE` on their line ignore."""
    kept = []
    everywhere = ignored_codes(module.path, module.settings)
    for draft in drafts:
        line, _ = module.source.position(draft.start)
        match = _NOQA.search(module.source.line(line))
        named = [code.strip() for code in match[1].split(",")] if match else []
        if not draft.code.startswith((*everywhere, *(code for code in named if code.startswith("PAM")))):
            kept.append(draft)
    return kept
