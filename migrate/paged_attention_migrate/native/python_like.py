"""Cython and stubs: what looks like Python and is not compiled by it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from paged_attention_migrate.findings import ERROR, INFO
from paged_attention_migrate.native.deleted_files import FILE, build_source, file_mention, in_file_name
from paged_attention_migrate.native.gone import NAME, advice, gone, mention, since
from paged_attention_migrate.native.layers import CODE, COMMENT, Layers
from paged_attention_migrate.native.places import LEFT_ALONE, Facts, Place, TextFile

_TOKEN = re.compile(
    r"""
    (?P<comment> \#[^\r\n]* )
    | (?P<string>
        \"\"\"(?P<body>(?:[^\\]|\\[\s\S])*?)(?:\"\"\"|\Z)
        | '''(?P<body_single>(?:[^\\]|\\[\s\S])*?)(?:'''|\Z)
        | "(?P<body_quoted>(?:[^"\\\r\n]|\\[\s\S])*)"?
        | '(?P<body_apostrophe>(?:[^'\\\r\n]|\\[\s\S])*)'?
      )
    """,
    re.VERBOSE,
)
_FROM_VLLM = re.compile(
    r"^[ \t]*(?:from|import|cimport)[ \t]+vllm\b|\btorch[ \t]*\.[ \t]*ops[ \t]*\.[ \t]*_C\b", re.MULTILINE
)
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+c?import[ \t]*\([^)]*\)|(?:from|c?import)[ \t](?:[^\r\n\\]|\\\r?\n)*)",
    re.MULTILINE,
)
_DEFINED = re.compile(r"\b(?:def|class)[ \t]+\Z")


def cython_places(file: TextFile, facts: Facts) -> Iterator[Place]:
    """Everything of interest in one Cython file."""
    text = file.text
    source = Layers(text, _TOKEN)
    for match in FILE.finditer(text):
        kind = source.kind(match.start())
        string = kind not in {CODE, COMMENT}
        place = build_source(text, match, facts) if string else file_mention(text, match, f"a {kind} names", facts)
        if place is not None:
            yield place
    from_vllm = _FROM_VLLM.search(source.code) is not None
    for match in NAME.finditer(text):
        if in_file_name(text, match):
            continue
        kind = source.kind(match.start())
        if kind != CODE:
            yield mention(match, f"a {kind} names")
            continue
        name = match[0]
        if from_vllm:
            message = f"{gone(name)}; by hand, as Cython is not rewritten: {advice(name)}"
            yield Place(match.start(), match.end(), "PAM301", ERROR, name, message)
        else:
            message = f"uses a {name} that does not come from vLLM, whose own is {since(name)}"
            yield Place(match.start(), match.end(), "PAM301", INFO, name, message)


def stub_places(file: TextFile, facts: Facts) -> Iterator[Place]:
    """Declarations in a stub; its imports are judged as Python's are."""
    text = file.text
    source = Layers(text, _TOKEN)
    for match in FILE.finditer(text):
        place = file_mention(text, match, f"a {source.kind(match.start())} names", facts)
        if place is not None:
            yield place
    imports = [(0, 0), *(match.span() for match in _IMPORT.finditer(source.code))]
    starts, ends = zip(*imports, strict=True)
    for match in NAME.finditer(text):
        name = match[0]
        if in_file_name(text, match):
            continue
        if source.kind(match.start()) != CODE:
            yield mention(match, f"a {source.kind(match.start())} names")
        elif match.start() < ends[bisect_right(starts, match.start()) - 1]:
            reason = "an import, which is judged as Python's are"
            yield Place(match.start(), match.end(), "PAM307", LEFT_ALONE, name, reason)
        else:
            verb = "declares" if _DEFINED.search(source.code, max(0, match.start() - 40), match.start()) else "types"
            message = f"{verb} {name}; vLLM's is {since(name)}"
            yield Place(match.start(), match.end(), "PAM307", INFO, name, message)
