"""Reports of the shim: one JSON line for a call site, of which a later one of the same run replaces an earlier one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

_SCHEMA = 1
_TOOL = "paged-attention-shim"
_TEXTS = ("run", "path", "function", "name", "home")


class TraceError(Exception):
    """A report cannot be read; `str()` is one sentence."""


class Site(NamedTuple):
    """A line that called a removed name in the run; `path` is as the process had it."""

    path: str
    line: int
    function: str
    name: str
    home: str


def read(paths: Iterable[str]) -> dict[Site, int]:
    """The call sites of all reports, with how often they called; raises TraceError."""
    latest: dict[tuple[str, Site], int] = {}
    for path in dict.fromkeys(paths):
        for number, line in enumerate(_lines(path), 1):
            if line.strip():
                run, site, calls = _record(path, number, line)
                latest[run, site] = calls
    total: Counter[Site] = Counter()
    for (_, site), calls in latest.items():
        total[site] += calls
    return dict(sorted(total.items()))


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise TraceError(f"the report {path} cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise TraceError(f"the report {path} is not UTF-8, so it is no report of {_TOOL}") from None
    return text.split("\n")


def _record(path: str, number: int, line: str) -> tuple[str, Site, int]:
    where = f"line {number} of the report {path}"
    try:
        record: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise TraceError(f"{where} is not valid JSON; a report has one JSON object a line") from None
    if not isinstance(record, dict) or record.get("tool") != _TOOL:
        raise TraceError(f"{where} is not of {_TOOL}")
    if record.get("schema") != _SCHEMA:
        raise TraceError(f"{where} is from another version: its schema is {record.get('schema')!r}, not {_SCHEMA}")
    texts = [record.get(key) for key in _TEXTS]
    numbers = [record.get(key) for key in ("line", "calls")]
    if not all(isinstance(text, str) for text in texts) or not all(type(each) is int and each > 0 for each in numbers):
        raise TraceError(f"{where} is damaged: it needs {', '.join(_TEXTS)} as texts, line and calls as numbers from 1")
    run, file, function, name, home = map(str, texts)
    return run, Site(file, int(record["line"]), function, name, home), int(record["calls"])
