"""CMake lists: entries that name a deleted source, without comments, messages and conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paged_attention_migrate.native.deleted_files import FILE, build_source, file_mention, in_file_name
from paged_attention_migrate.native.gone import NAME, mention
from paged_attention_migrate.native.layers import COMMENT, STRING, Layers
from paged_attention_migrate.native.places import Facts, Place, TextFile

_TOKEN = re.compile(
    r"""
    (?P<comment> \#\[(?P<fence>=*)\[[\s\S]*?(?:\](?P=fence)\]|\Z) | \#[^\r\n]* )
    | (?P<string>
        \[(?P<bracket>=*)\[(?P<body>[\s\S]*?)(?:\](?P=bracket)\]|\Z)
        | "(?P<body_quoted>(?:[^"\\]|\\[\s\S])*)"?
      )
    | \\[\s\S]
    """,
    re.VERBOSE,
)
_ASKS = frozenset(["if", "elseif", "while", "message"])
_LEAVES_OUT = re.compile(r"\s*(?:REMOVE_ITEM|FILTER)\b")


def places(file: TextFile, facts: Facts) -> Iterator[Place]:
    """Everything of interest in one file."""
    text = file.text
    source = Layers(text, _TOKEN, "cmake")
    for match in FILE.finditer(text):
        place = _file(source, match, facts)
        if place is not None:
            yield place
    for match in NAME.finditer(text):
        if not in_file_name(text, match):
            where = "a comment names" if source.kind(match.start()) == COMMENT else "names"
            yield mention(match, where)


def _file(source: Layers, match: re.Match[str], facts: Facts) -> Place | None:
    segment = source.at(match.start())
    if segment is not None and segment.kind == COMMENT:
        return file_mention(source.text, match, "a comment names", facts)
    if segment is not None and segment.kind == STRING and any(map(str.isspace, source.content(segment))):
        return file_mention(source.text, match, "a text names", facts)
    for command, opened in source.brackets.calls(match.start()):
        if command.lower() in _ASKS:
            return file_mention(source.text, match, f"{command}() names", facts)
        if command.lower() == "list" and _LEAVES_OUT.match(source.code, opened + 1):
            return file_mention(source.text, match, "a list leaves out", facts)
    return build_source(source.text, match, facts)
