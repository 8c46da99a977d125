"""Every exact occurrence of a removed name that is no finding, and why it was left alone."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator

from paged_attention_migrate.findings import Occurrence
from paged_attention_migrate.module import ATTENTION, Draft, Module


def left_alone(module: Module, drafts: Iterable[Draft]) -> Iterator[Occurrence]:
    """The occurrences in source order."""
    names = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(module.watched))})(?!\w)")
    spans = [(draft.start, draft.end) for draft in drafts]
    kinds = _kinds(module)
    for match in names.finditer(module.source.text):
        if any(start <= match.start() < end for start, end in spans):
            continue
        line, column = module.source.position(match.start())
        kind = next((kind for start, end, kind in kinds if start <= match.start() < end), "")
        yield Occurrence(module.path, line, column, match[0], kind or _reason(module, match))


def _kinds(module: Module) -> list[tuple[int, int, str]]:
    found = []
    words = {tokenize.COMMENT: "a comment", tokenize.STRING: "a text"}
    for name in ("FSTRING_MIDDLE", "TSTRING_MIDDLE"):
        if hasattr(tokenize, name):
            words[getattr(tokenize, name)] = "a text"
    starts = module.source.line_starts
    try:
        for token in tokenize.generate_tokens(io.StringIO(module.source.text, newline="").readline):
            if token.type in words:
                start = starts[token.start[0] - 1] + token.start[1]
                found.append((start, starts[token.end[0] - 1] + token.end[1], words[token.type]))
    except (tokenize.TokenError, SyntaxError):
        pass
    return found


def _reason(module: Module, match: re.Match[str]) -> str:
    source, offset = module.source.text, match.start()
    whose = "vLLM's" if match[0] in ATTENTION else "the settings'"
    before = source[:offset].rstrip()
    if before.endswith(("def", "class")):
        return "a definition of this file"
    if before.endswith("."):
        return f"an attribute of something that is not {whose}"
    if re.match(r"\w+\s*=(?!=)", source[offset:]):
        return "a parameter, keyword or variable of this file"
    return f"a name that does not mean {whose} function here"
