"""A ratchet: the findings that a project lives with for now, kept in a file that may only become shorter.

A finding is known by its file, code, name and line of text, so that lines above it may come and go.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from paged_attention_migrate.findings import INFO, Finding
from paged_attention_migrate.fingerprints import Key, key_of

FILE = ".paged-attention-baseline.json"
_SCHEMA = 1
_TOOL = "paged-attention-migrate"


class BaselineError(Exception):
    """The file cannot be read or written; `str()` is one sentence."""


class Tolerated(NamedTuple):
    """What a baseline makes of the findings of a run.

    `gone` are entries of which nothing was found any more, with how often that was so.
    """

    new: tuple[Finding, ...]
    known: tuple[Finding, ...]
    gone: tuple[tuple[Key, int], ...]


def tolerate(
    findings: Iterable[Finding], entries: Counter[Key], path: str, is_looked_at: Callable[[str], bool]
) -> Tolerated:
    """Sort findings into new and known ones; of more than an entry allows, the last are new.

    `path` is that of the file with the entries: their paths begin at its directory.
    Entries of files that the run did not look at are never gone.
    """
    folder = os.path.dirname(os.path.abspath(path))
    left = Counter(entries)
    new: list[Finding] = []
    known: list[Finding] = []
    for finding in findings:
        key = _key(finding, folder)
        allowed = left[key] > 0
        left[key] -= allowed
        if finding.fixed or finding.severity == INFO:
            new.append(finding)
        elif allowed:
            known.append(finding)
        elif entries[key]:
            reason = f"the baseline has {entries[key]} like it in this file, and this is one more"
            new.append(finding._replace(reasons=(*finding.reasons, reason)))
        else:
            new.append(finding)
    gone = ((key, count) for key, count in sorted(left.items()) if count > 0 and is_looked_at(_near(key, folder)))
    return Tolerated(tuple(new), tuple(known), tuple(gone))


def entries_of(findings: Iterable[Finding], path: str) -> Counter[Key]:
    """The entries that make a baseline at `path` tolerate the findings."""
    folder = os.path.dirname(os.path.abspath(path))
    return Counter(_key(each, folder) for each in findings if not each.fixed and each.severity != INFO)


def elsewhere(entries: Counter[Key], path: str, is_looked_at: Callable[[str], bool]) -> Counter[Key]:
    """The entries of a baseline at `path` that are of files that a run does not look at."""
    folder = os.path.dirname(os.path.abspath(path))
    return Counter({key: count for key, count in entries.items() if not is_looked_at(_near(key, folder))})


def read(path: str) -> Counter[Key]:
    """The entries of a file, with how often each is tolerated; raises BaselineError."""
    import json

    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            document = json.load(file)
    except FileNotFoundError:
        raise BaselineError(f"the baseline {path} is not there: `paged-attention-migrate baseline` writes it") from None
    except OSError as error:
        raise BaselineError(f"the baseline {path} cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise BaselineError(f"the baseline {path} is not valid JSON: {error}") from None
    if not isinstance(document, dict) or document.get("tool") != _TOOL:
        raise BaselineError(f"{path} is no baseline of {_TOOL}")
    if document.get("schema") != _SCHEMA:
        raise BaselineError(f"the baseline {path} is from another version: its schema is {document.get('schema')!r}")
    found: Counter[Key] = Counter()
    entries = document.get("findings")
    for number, entry in enumerate(entries if isinstance(entries, list) else [None], 1):
        key, count = _entry(entry)
        if key is None:
            raise BaselineError(
                f"the baseline {path} is damaged: entry {number} of findings needs path, code, name, text and count"
            )
        found[key] += count
    return found


def write(path: str, entries: Counter[Key]) -> None:
    """Write the file in one step, an entry a line, in order; raises BaselineError."""
    import json

    lines = [json.dumps({**key._asdict(), "count": count}) for key, count in sorted(entries.items()) if count > 0]
    findings = "[" + ",".join(f"\n  {line}" for line in lines) + ("\n ]" if lines else "]")
    text = f'{{"schema": {_SCHEMA},\n "tool": "{_TOOL}",\n "findings": {findings}}}\n'
    beside = f"{path}.new"
    try:
        with open(beside, "w", encoding="ascii", newline="\n") as file:
            file.write(text)
        os.replace(beside, path)
    except OSError as error:
        raise BaselineError(f"the baseline {path} cannot be written ({error.strerror})") from None


def _entry(entry: Any) -> tuple[Key | None, int]:
    if not isinstance(entry, dict):
        return None, 0
    texts = [entry.get(name) for name in Key._fields]
    count = entry.get("count")
    if not all(isinstance(text, str) for text in texts) or type(count) is not int or count < 1:
        return None, 0
    return Key(*map(str, texts)), count


def _key(finding: Finding, folder: str) -> Key:
    path = os.path.relpath(os.path.abspath(finding.path), folder)
    return key_of(finding)._replace(path=path.replace(os.sep, "/"))


def _near(key: Key, folder: str) -> str:
    """The path of an entry as a run names it: relative to the working directory where it is below it."""
    whole = os.path.normpath(os.path.join(folder, key.path))
    here = os.getcwd()
    below = whole.startswith(here.rstrip(os.sep) + os.sep)
    return (os.path.relpath(whole, here) if below else whole).replace(os.sep, "/")
