"""What IPython reads in a cell and Python does not: magics, shell lines, help. Masked, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from paged_attention_migrate.source import line_starts

# Magics that run the Python behind them in the notebook's own namespace.
_TIMES = "time|timeit|prun|memit|lprun|mprun|snakeviz|pyinstrument|debug"
_PYTHON_CELL = re.compile(rf"(?:{_TIMES}|capture|heat|scalene|ipytest|run_pytest)")
_PROGRAM_CELL = re.compile(r"(?:python\d*|pypy\d*)\b|(?:writefile|file)\b.*\.py\s*$")
_CELL_MAGIC = re.compile(r"\s*%%[ \t]*([\w.]+)([^\r\n]*)")

_OPTION = r"(?:[ \t]+-(?:[nrpt][ \t]*\d+|[lsTDfm][ \t]*[^\s-]\S*|\w+))*"
_TIMED = re.compile(rf"([ \t]*)(%(?:{_TIMES})\b{_OPTION}[ \t]+)(?=[^\s-])")
_TIMED_VALUE = re.compile(rf"([ \t]*[\w.,\t \[\]]+=[ \t]*)(%(?:{_TIMES})\b{_OPTION}[ \t]+)(?=[^\s-])")
_VALUE = re.compile(r"([ \t]*[\w.,\t \[\]]+=[ \t]*)[!%]")
_COMMAND = re.compile(r"[ \t]*(?:[%!?]|[/,;]\S)|[ \t]*[%\w.*]+\?{1,2}[ \t]*$")
_AUTOMAGIC = re.compile(
    r"[ \t]*(?:pip\d?|conda|mamba|uv|apt|apt-get|cd|ls|cat|mkdir|rm|cp|mv|git|wget|curl)(?:[ \t]+[\w./~\-]|[ \t]*$)"
)
_TOKEN = re.compile(r"#[^\r\n]*|\"\"\"|'''|\"(?:[^\"\\\r\n]|\\[\s\S])*\"?|'(?:[^'\\\r\n]|\\[\s\S])*'?|[([{]|[)\]}]")


def cell_magic(source: str) -> tuple[str, str]:
    """The name of a cell's magic ("" without one), and the role of the cell that this gives."""
    match = _CELL_MAGIC.match(source)
    if match is None:
        return "", "shared"
    if _PYTHON_CELL.fullmatch(match[1]):
        return match[1], "shared"
    return match[1], "alone" if _PROGRAM_CELL.match(match[1] + match[2]) else ""


def masked(source: str, after_magic: bool = False) -> Iterator[str]:
    """Texts with the lines of the source that Python may read: first the source, then with more and more masked."""
    if after_magic:
        source = _CELL_MAGIC.sub(lambda match: _comment(match[0]), source, count=1)
    yield source
    for timed, automagic in ((True, False), (True, True), (False, True)):
        yield "".join(_masked_lines(source, timed=timed, automagic=automagic))


def _comment(text: str) -> str:
    """As many lines, without code."""
    return re.sub(r"%%[^\r\n]*", lambda match: "#" + " " * (len(match[0]) - 1), text)


def _masked_lines(source: str, *, timed: bool, automagic: bool) -> Iterator[str]:
    quote, depth, continued, command = "", 0, False, False
    for line in _lines(source):
        body = line.rstrip("\r\n")
        ending = line[len(body) :]
        plain = None
        if command:
            plain = "#"
        elif not quote and not depth and not continued:
            plain = _plain(body, timed=timed, automagic=automagic)
        if plain is not None:
            command = body.endswith("\\")
            yield plain.rstrip("\\") + ending
            continue
        command = False
        quote, depth = _state(body, quote, depth)
        continued = body.endswith("\\")
        yield line


def _lines(source: str) -> Iterator[str]:
    starts = [*line_starts(source), len(source)]
    return (source[start:end] for start, end in pairwise(starts))


def _plain(line: str, *, timed: bool, automagic: bool) -> str | None:
    """Python in place of a line that only IPython reads; None when the line is Python's. Code stays in its column."""
    if timed:
        match = _TIMED.match(line)
        if match:
            return f"{match[1]}if 1:{' ' * (len(match[2]) - 5)}{line[match.end() :]}"
        match = _TIMED_VALUE.match(line)
        if match:
            return f"{match[1]}{' ' * len(match[2])}{line[match.end() :]}"
    match = _VALUE.match(line)
    if match:
        return f"{match[1]}None"
    if _COMMAND.match(line) or (automagic and _AUTOMAGIC.match(line)):
        return f"{line[: len(line) - len(line.lstrip())]}pass"
    return None


def _state(line: str, quote: str, depth: int) -> tuple[str, int]:
    """The triple quote and the brackets that are open after a line."""
    at = 0
    while at < len(line):
        if quote:
            end = re.compile(rf"(?:[^\\]|\\[\s\S])*?{quote}").match(line, at)
            if end is None:
                return quote, depth
            quote, at = "", end.end()
            continue
        match = _TOKEN.search(line, at)
        if match is None:
            break
        at = match.end()
        if match[0] in {'"""', "'''"}:
            quote = match[0]
        elif match[0] in "([{":
            depth += 1
        elif match[0] in ")]}":
            depth = max(0, depth - 1)
    return quote, depth
