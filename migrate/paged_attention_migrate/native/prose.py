"""Markdown, reStructuredText, and lists of data: mentions of removed names and links to deleted files."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from paged_attention_migrate.findings import INFO
from paged_attention_migrate.native.deleted_files import FILE, Named, file_mention, in_file_name, named_at
from paged_attention_migrate.native.gone import NAME, mention, since
from paged_attention_migrate.native.places import LEFT_ALONE, NOTHING_KNOWN, Facts, Place, TextFile

_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})[ \t]*\{?\.?([\w+\-]*)[^\r\n]*$", re.MULTILINE)
_URL = re.compile(r"https?://[^\s)>\]\"']*\Z")
_PINNED = re.compile(
    r"/(?:blob|tree|raw|blame)/(?!main/|master/|HEAD/)[^/]+/|raw\.githubusercontent\.com/[^/]+/[^/]+/(?!main/|master/|HEAD/)[^/]+/"
)
_LONGEST_URL = 500


def markdown_places(file: TextFile, facts: Facts) -> Iterator[Place]:
    """Everything of interest in one page."""
    text = file.text
    for match in FILE.finditer(text):
        place = _file(text, match, facts)
        if place is not None:
            yield place
    fences = _fences_by_grammar(file) if file.path.endswith(".md") else None
    if fences is None:
        fences = _fences(text)
    for match in NAME.finditer(text):
        if not in_file_name(text, match):
            yield mention(match, _where(fences, match.start()))


def data_places(file: TextFile, facts: Facts) -> Iterator[Place]:
    """One place a name: a trace may hold it on every line."""
    text = file.text
    lines: dict[str, set[int]] = {}
    first: dict[str, re.Match[str]] = {}
    for match in NAME.finditer(text):
        if in_file_name(text, match):
            continue
        first.setdefault(match[0], match)
        lines.setdefault(match[0], set()).add(file.position(match.start())[0])
    for name, match in first.items():
        count = len(lines[name])
        times = f", on {count} lines of this file" if count > 1 else ""
        message = f"names {name}, {since(name)}{times}"
        yield Place(match.start(), match.end(), "PAM305", INFO, name, message)
    files = {match[0]: match for match in reversed(list(FILE.finditer(text)))}
    for match in files.values():
        place = file_mention(text, match, "names", facts)
        if place is not None:
            yield place


def _file(text: str, match: re.Match[str], facts: Facts) -> Place | None:
    named = named_at(text, match)
    if named is None:
        return None
    url = _URL.search(text, max(0, match.start() - _LONGEST_URL), match.start())
    if url is None:
        return file_mention(text, match, "names", facts)
    if _PINNED.search(text, url.start(), match.start()):
        return _left(named, "the link is to a revision that has the file")
    return file_mention(text, match, "links to", NOTHING_KNOWN)


def _left(named: Named, reason: str) -> Place:
    return Place(named.start, named.end, "PAM305", LEFT_ALONE, named.file, reason)


def _fences_by_grammar(file: TextFile) -> list[tuple[int, int, str]] | None:
    """The same by CommonMark's rules; None where no parser of it is installed."""
    try:
        from markdown_it import MarkdownIt
    except ImportError:
        return None
    found = []
    starts = [*file.line_starts, len(file.text)]
    for token in MarkdownIt("commonmark").parse(file.text):
        if token.type == "fence" and token.map is not None:
            first, last = token.map
            language = token.info.strip().lstrip("{.").split()[0].rstrip("}").lower() if token.info.strip() else ""
            found.append((starts[min(first + 1, len(starts) - 1)], starts[min(last, len(starts) - 1)], language))
    return found


def _fences(text: str) -> list[tuple[int, int, str]]:
    """Start, end and language of the fenced blocks."""
    found: list[tuple[int, int, str]] = []
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match
        elif match[1].startswith(opened[1]) and not match[2]:
            found.append((opened.end(), match.start(), opened[2].lower()))
            opened = None
    if opened is not None:
        found.append((opened.end(), len(text), opened[2].lower()))
    return found


def _where(fences: list[tuple[int, int, str]], offset: int) -> str:
    index = bisect_right(fences, offset, key=lambda fence: fence[0]) - 1
    if index < 0 or offset >= fences[index][1]:
        return "the text names"
    language = fences[index][2]
    return f"an example in {language} uses" if language else "an example uses"
