"""Who owns a file, by the CODEOWNERS of GitHub or GitLab."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from paged_attention_migrate.files import expression

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
_GITLAB = PLACES[-1]
_SECTION = re.compile(r"\^?\[([^\]]+)\](?:\[\d+\])?(?:\s+(.*))?")
_WORD = re.compile(r"(?:\\.|[^\s\\]|\\$)+")
_RANGE = re.compile(r"(\[[^\]/]+\])")


class OwnersError(Exception):
    """There is no CODEOWNERS, or it cannot be read; the message is one sentence."""


class _Line(NamedTuple):
    section: str
    excludes: bool
    matches: Callable[[str], object]
    owners: tuple[str, ...]


class Owners:
    """The owners of each file below a directory."""

    def __init__(self, text: str, top: str, gitlab: bool = False) -> None:
        """Read the text of a CODEOWNERS; one with a section is GitLab's wherever it stands."""
        lines = [line.strip() for line in text.splitlines()]
        gitlab = gitlab or any(_SECTION.fullmatch(line) for line in lines)
        self._top = os.path.realpath(top)
        self._lines = list(_gitlab_lines(lines) if gitlab else _github_lines(lines))
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, path: str) -> tuple[str, ...]:
        """The owners of a path that is relative to the working directory, or absolute; empty for none."""
        if path not in self._known:
            directory, name = os.path.split(os.path.abspath(path))
            whole = os.path.join(os.path.realpath(directory), name)
            inside = whole.startswith(os.path.join(self._top, ""))
            self._known[path] = self._of(os.path.relpath(whole, self._top).replace(os.sep, "/")) if inside else ()
        return self._known[path]

    def _of(self, path: str) -> tuple[str, ...]:
        last: dict[str, tuple[str, ...]] = {}
        excluded: set[str] = set()
        for line in self._lines:
            if line.matches(path):
                last[line.section] = line.owners
                if line.excludes:
                    excluded.add(line.section)
        joined = (each for section, owners in last.items() if section not in excluded for each in owners)
        return tuple(dict.fromkeys(joined))


def load(top: str) -> Owners:
    """The owners that the first CODEOWNERS below `top` names; raises OwnersError where there is none."""
    for place in PLACES:
        path = os.path.join(top, place)
        if not os.path.lexists(path):
            continue
        try:
            with open(path, encoding="utf-8-sig") as file:
                return Owners(file.read(), top, gitlab=place == _GITLAB)
        except OSError as error:
            raise OwnersError(f"{path}: the file cannot be read ({error.strerror})") from None
        except UnicodeDecodeError:
            raise OwnersError(f"{path}: the file is not in UTF-8, as CODEOWNERS must be") from None
    raise OwnersError(
        f"--group-by owner: there is no CODEOWNERS in {top}; add one as {', '.join(PLACES[:-1])} or {_GITLAB}"
    )


def _github_lines(lines: Iterable[str]) -> Iterator[_Line]:
    for line in lines:
        words = _words(line)
        # GitHub knows neither of these, and leaves out the line.
        if not words or words[0].startswith(("!", "\\#")) or "[" in words[0]:
            continue
        if all("@" in each for each in words[1:]):
            yield _Line("", False, _github_pattern(_unescaped(words[0])), tuple(words[1:]))


def _gitlab_lines(lines: Iterable[str]) -> Iterator[_Line]:
    section = ""
    defaults: tuple[str, ...] = ()
    for line in lines:
        if heading := _SECTION.fullmatch(line):
            # Sections of one name are one, however it is written.
            section, defaults = heading[1].strip().lower(), _named(_words(heading[2] or ""))
            continue
        words = _words(line)
        if not words:
            continue
        excludes = words[0].startswith("!")
        try:
            matches = _gitlab_pattern(_unescaped(words[0].removeprefix("!")))
        except re.error:
            continue
        yield _Line(section, excludes, matches, _named(words[1:]) or defaults)


def _words(line: str) -> list[str]:
    """The pattern and the owners of a line, without a comment."""
    words: list[str] = _WORD.findall(line)
    comment = next((number for number, each in enumerate(words) if each.startswith("#")), len(words))
    return words[:comment]


def _named(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(each for each in words if "@" in each)


def _unescaped(pattern: str) -> str:
    return re.sub(r"\\([\s#])", r"\1", pattern)


def _github_pattern(pattern: str) -> Callable[[str], object]:
    """A slash at the beginning or inside ties a pattern to the top, as in .gitignore; `docs/*` goes no deeper."""
    body = pattern.strip("/")
    anywhere = "" if "/" in pattern.rstrip("/") else "(?:.*/)?"
    below = "/.*" if pattern.endswith("/") else "" if pattern.endswith("/*") else "(?:/.*)?"
    return re.compile(f"{anywhere}{expression(body)}{below}").fullmatch


def _gitlab_pattern(pattern: str) -> Callable[[str], object]:
    """Only a slash at the beginning ties a pattern to the top, and only one at the end takes what is below."""
    anywhere = "" if pattern.startswith("/") else "(?:.*/)?"
    below = ".*" if pattern.endswith("/") or pattern == "*" else ""
    pieces = _RANGE.split(pattern.removeprefix("/"))
    body = "".join(_range(each) if _RANGE.fullmatch(each) else expression(each) for each in pieces)
    return re.compile(f"{anywhere}{body}{below}").fullmatch


def _range(piece: str) -> str:
    inside = piece[1:-1]
    negated = "^" if inside[:1] in ("!", "^") and len(inside) > 1 else ""
    return "[" + negated + "".join(each if each == "-" else re.escape(each) for each in inside[len(negated) :]) + "]"
