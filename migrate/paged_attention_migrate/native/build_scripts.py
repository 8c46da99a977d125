"""Build specifications in TOML and Rust's build scripts: strings that name a deleted source."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from paged_attention_migrate.findings import INFO
from paged_attention_migrate.native.deleted_files import FILE, build_source, file_mention, in_file_name
from paged_attention_migrate.native.gone import NAME, mention
from paged_attention_migrate.native.layers import CODE, COMMENT, Layers
from paged_attention_migrate.native.places import Facts, Place, TextFile

_TOML = re.compile(
    r"""
    (?P<comment> \#[^\r\n]* )
    | (?P<string>
        \"\"\"(?P<body>(?:[^\\]|\\[\s\S])*?)(?:\"\"\"|\Z)
        | '''(?P<body_raw>[\s\S]*?)(?:'''|\Z)
        | "(?P<body_basic>(?:[^"\\\r\n]|\\.)*)"?
        | '(?P<body_literal>[^'\r\n]*)'?
      )
    """,
    re.VERBOSE,
)
_RUST = re.compile(
    r"""
    (?P<comment> //[^\r\n]* | /\*[\s\S]*?(?:\*/|\Z) )
    | (?P<string>
        \b(?:b|c)?r(?P<hashes>\#*)"(?P<body>[\s\S]*?)(?:"(?P=hashes)|\Z)
        | (?:\b[bc])?"(?P<body_plain>(?:[^"\\]|\\[\s\S])*)"?
        | '(?P<body_char>[^'\\\r\n]|\\[^\r\n']+|\\')'
      )
    | [A-Za-z_]\w*
    """,
    re.VERBOSE,
)
# Lists of what to skip name a file without needing it.
_LEAVES_OUT = re.compile(r"exclude|ignore|omit|skip|forbid|deny", re.IGNORECASE)
_KEY = re.compile(r"^[ \t]*([\w\-.\"']+(?:[ \t]*\.[ \t]*[\w\-\"']+)*)[ \t]*=|^[ \t]*\[+([^\]\r\n]+)\]", re.MULTILINE)


def toml_places(file: TextFile, facts: Facts) -> Iterator[Place]:
    """Everything of interest in one TOML file."""
    text = file.text
    source = Layers(text, _TOML, "toml")
    starts, names = _tables(source.code)
    for match in FILE.finditer(text):
        if source.kind(match.start()) == COMMENT:
            place = file_mention(text, match, "a comment names", facts)
        elif _leaves_out(names[bisect_right(starts, match.start()) - 1]):
            place = file_mention(text, match, "a list leaves out", facts)
        else:
            place = build_source(text, match, facts)
        if place is not None:
            yield place
    yield from _names(source)


def rust_places(file: TextFile, facts: Facts) -> Iterator[Place]:
    """Everything of interest in one Rust file; its functions of these names are bindings to a library of its own."""
    text = file.text
    source = Layers(text, _RUST, "rust")
    for match in FILE.finditer(text):
        place = _rust_file(source, match, facts)
        if place is not None:
            yield place
    for match in NAME.finditer(text):
        if in_file_name(text, match):
            continue
        if source.kind(match.start()) == CODE:
            message = f"{match[0]} here is a binding to a library of this project, not vLLM's"
            yield Place(match.start(), match.end(), "PAM301", INFO, match[0], message)
        else:
            yield mention(match, f"a {source.kind(match.start())} names")


def _rust_file(source: Layers, match: re.Match[str], facts: Facts) -> Place | None:
    segment = source.at(match.start())
    if segment is None or segment.kind == COMMENT:
        return file_mention(source.text, match, "a comment names", facts)
    # A directive to Cargo puts a prefix before the path: cargo:rerun-if-changed=
    if match.end() == segment.inner_end and " " not in source.content(segment):
        return build_source(source.text, match, facts)
    return file_mention(source.text, match, "a string names", facts)


def _names(source: Layers) -> Iterator[Place]:
    for match in NAME.finditer(source.text):
        if not in_file_name(source.text, match):
            where = "a comment names" if source.kind(match.start()) == COMMENT else "names"
            yield mention(match, where)


def _tables(code: str) -> tuple[list[int], list[str]]:
    """Where the keys stand, and each with its table before it."""
    starts, names, table = [0], [""], ""
    for match in _KEY.finditer(code):
        table = match[2] or table
        starts.append(match.start())
        names.append(f"{table}.{match[1] or ''}")
    return starts, names


def _leaves_out(name: str) -> bool:
    """Whether a key or its table says that what stands under it is not taken."""
    return bool(_LEAVES_OUT.search(name)) or "paged-attention-migrate" in name
