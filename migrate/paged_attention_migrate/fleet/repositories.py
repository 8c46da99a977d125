"""The list of repositories: one a line, with a ref where another than the default is meant."""

from __future__ import annotations

import os
import re
import sys
from typing import NamedTuple

from paged_attention_migrate.fleet.addresses import PATH, Address, Refused, address, without_user

_LINE = re.compile(r"(?P<source>\S(?:.*?\S)?)(?:\s+@(?P<ref>\S+))?")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_NO_REF = re.compile(r"^-|\.\.|@\{|[\x00-\x20\x7f~^:?*\[\\]|^/|/$|//|\.lock$|^@$")


class Unreadable(Exception):
    """The list cannot be read; `str()` is one sentence."""


class Repository(NamedTuple):
    """One repository of the list; `refused` says why it is not looked at."""

    line: int
    address: Address
    ref: str | None = None
    refused: str = ""

    @property
    def name(self) -> str:
        """What it is called in reports."""
        return self.address.told + (f" @{self.ref}" if self.ref else "")


class Listed(NamedTuple):
    """The repositories in the order of the list, each once, and what is to be said of the list."""

    repositories: tuple[Repository, ...]
    notices: tuple[str, ...] = ()


def read(path: str) -> Listed:
    """The repositories that a file names, standard input where it is `-`; raises Unreadable."""
    where = "standard input" if path == "-" else path
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as error:
        raise Unreadable(f"{path}: the list of repositories cannot be read ({error.strerror})") from None
    found: dict[tuple[str, str | None], Repository] = {}
    notices = []
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    for number, line in enumerate(text.split("\n"), 1):
        match = _LINE.fullmatch(_COMMENT.sub("", line).strip())
        if match is None:
            continue
        repository = _repository(number, match["source"], match["ref"])
        key = (f"refused {number}" if repository.refused else _identity(repository.address), repository.ref)
        first = found.setdefault(key, repository)
        if first is not repository:
            notices.append(f"{where}:{number}: {repository.name} is line {first.line} again, and is looked at once")
    if not found:
        raise Unreadable(f"{where} names no repository: one a line is expected, a path or an address for git")
    return Listed(tuple(found.values()), tuple(notices))


def _repository(number: int, source: str, ref: str | None) -> Repository:
    try:
        found = address(source)
    except Refused as error:
        told = without_user(source).partition("?")[0]
        return Repository(number, Address("", told, PATH), ref, str(error))
    if ref is not None and _NO_REF.search(ref):
        return Repository(number, found, ref, f"{ref!r} is no branch, tag or commit")
    return Repository(number, found, ref)


def _identity(found: Address) -> str:
    if found.scheme == PATH:
        return os.path.realpath(found.told)
    return found.told.removesuffix(".git")
