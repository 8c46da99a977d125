"""Patch files: lines that add a call, and patches to sources that are gone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple

from paged_attention_migrate.findings import INFO, WARNING
from paged_attention_migrate.native import cpp_text
from paged_attention_migrate.native.deleted_files import FILE, file_mention, in_file_name
from paged_attention_migrate.native.gone import NAME, advice, gone, mention
from paged_attention_migrate.native.places import Facts, Place, TextFile

_TARGET = re.compile(r"\+\+\+ (?:[ab]/)?([^\s]+)")
_PYTHON = (".py", ".pyi", ".pyx")
_PYTHON_DEFINITION = re.compile(r"\b(?:def|class)\s+\Z")
_PYTHON_IMPORT = re.compile(r"\s*(?:from\s+\S+\s+)?import\b")


class _Added(NamedTuple):
    """A removed name on a line that a patch adds: the line without its `+`, the name's offset, the file it goes to."""

    line: str
    at: int
    name: str
    target: str


def places(file: TextFile, facts: Facts) -> Iterator[Place]:
    """Everything of interest in one patch."""
    text = file.text
    facts = facts._replace(exists_in_tree=_without_prefix(facts.exists_in_tree))
    for match in FILE.finditer(text):
        place = file_mention(text, match, "the patch names", facts)
        if place is not None:
            yield place
    targets = _targets(file)
    names = [match for match in NAME.finditer(text) if not in_file_name(text, match)]
    added = [_added(file, targets, match) for match in names]
    own = {each.name for each in added if each and _defines(each)}
    for match, each in zip(names, added, strict=True):
        if each is None or not _uses(each):
            yield mention(match, "the patch names")
        elif each.name in own:
            message = f"the patch uses the {each.name} that it adds"
            yield Place(match.start(), match.end(), "PAM301", INFO, each.name, message)
        else:
            message = f"the patch adds a use of {each.name} to {each.target}: {gone(each.name)}; {advice(each.name)}"
            yield Place(match.start(), match.end(), "PAM301", WARNING, each.name, message)


def _without_prefix(exists: Callable[[str], bool]) -> Callable[[str], bool]:
    """Asks for `a/path` and `b/path`, as headers write it, by the path."""
    return lambda path: exists(path) or (path.startswith(("a/", "b/")) and exists(path[2:]))


def _targets(file: TextFile) -> tuple[list[int], list[str]]:
    """The lines at which a header names another file, and those files."""
    starts, names, removed = [0], [""], False
    for start in file.line_starts:
        named = _TARGET.match(file.text, start)
        # Only under its `---` line: an added line may begin with `++`.
        if named and removed:
            starts.append(named.end())
            names.append(named[1])
        removed = file.text.startswith("--- ", start)
        if file.text.startswith("diff ", start):
            starts.append(start)
            names.append("")
    return starts, names


def _added(file: TextFile, targets: tuple[list[int], list[str]], match: re.Match[str]) -> _Added | None:
    number, column = file.position(match.start())
    start = match.start() - column + 1
    target = targets[1][bisect_right(targets[0], start) - 1]
    if not target or not file.text.startswith("+", start):
        return None
    end = file.line_starts[number] if number < len(file.line_starts) else len(file.text)
    return _Added(file.text[start + 1 : end], column - 2, match[0], target)


def _defines(added: _Added) -> bool:
    if added.target.endswith(_PYTHON):
        return _PYTHON_DEFINITION.search(added.line[: added.at]) is not None
    return _role(added) == cpp_text.DEFINITION


def _uses(added: _Added) -> bool:
    if not added.target.endswith(_PYTHON):
        return _role(added) == cpp_text.CALL
    before, after = added.line[: added.at], added.line[added.at + len(added.name) :]
    if "#" in before or before.count('"') % 2 or before.count("'") % 2 or _defines(added):
        return False
    return after.lstrip().startswith("(") or bool(_PYTHON_IMPORT.match(added.line)) or before.rstrip().endswith(".")


def _role(added: _Added) -> str:
    """What the name does on its line, as C++; "" in a comment or a string."""
    source = cpp_text.layers_of_line(added.line)
    if source.at(added.at) is not None:
        return ""
    return cpp_text.role(source, added.at, added.at + len(added.name))
