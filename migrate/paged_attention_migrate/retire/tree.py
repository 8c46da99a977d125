"""The tree that is worked on: its files, read once, and the places that define the removed functions."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from paged_attention_migrate import files as listing
from paged_attention_migrate.files import SourceFile
from paged_attention_migrate.native.gone import NAME

_WRAPPERS = "_custom_ops.py"
# Sources of other projects that are kept in the tree: their operators are their own.
_FOREIGN = re.compile(
    r"(?:^|/)(?:third[_-]?party|3rd[_-]?party|vendor(?:ed)?|extern(?:al)?|deps|torch-ext)/", re.IGNORECASE
)
_PIECES = re.compile(rb"\"(?:paged_|single_)\w*\"\s*\"\w+")
_BYTES_NAME = re.compile(NAME.pattern.encode())


class TreeFile(NamedTuple):
    """A file by its path as the run names it, and its path below the root."""

    path: str
    inside: str
    kind: str


class Tree:
    """All files below one directory, in git's view where there is a repository."""

    def __init__(self, root: str, exclude: tuple[str, ...] = ()) -> None:
        self.root = root
        listed, problems = listing.list_files([root], exclude)
        self.problems = tuple(problem.message for problem in problems)
        self.prefix = _prefix(root)
        self.files = [TreeFile(path, path[len(self.prefix) :], kind) for path, kind in listed]
        self.by_inside = {file.inside: file for file in self.files}
        self._data: dict[str, bytes] = {}

    def data(self, file: TreeFile) -> bytes:
        """The bytes of a file; nothing for one that cannot be read."""
        if file.path not in self._data:
            try:
                self._data[file.path] = listing.read(file.path) or b""
            except OSError:
                self._data[file.path] = b""
        return self._data[file.path]

    def of_kind(self, *kinds: str) -> Iterator[TreeFile]:
        """The files of some kinds, those of other projects that are kept here left out."""
        return (file for file in self.files if file.kind in kinds and foreign_root(file) is None)

    def foreign(self, *kinds: str) -> list[TreeFile]:
        """The files of other projects that hold a removed name."""
        found = (file for file in self.files if file.kind in kinds and foreign_root(file) is not None)
        return [file for file in found if self._names(file)]

    def naming(self, *kinds: str) -> list[TreeFile]:
        """The files of some kinds that hold a removed name, in C++ perhaps split over two literals."""
        return [file for file in self.of_kind(*kinds) if self._names(file)]

    def _names(self, file: TreeFile) -> bool:
        data = self.data(file)
        return _BYTES_NAME.search(data) is not None or (file.kind == "c++" and _PIECES.search(data) is not None)

    def wrappers(self) -> list[TreeFile]:
        """The Python modules that wrap operators: `_custom_ops.py` of a package."""
        return [
            file
            for file in self.of_kind("python")
            if posixpath.basename(file.inside) == _WRAPPERS and b"def paged_attention_v" in self.data(file)
        ]

    def ends_with(self, suffix: str) -> list[TreeFile]:
        """The files whose path ends in some whole parts."""
        return [file for file in self.files if file.inside == suffix or file.inside.endswith(f"/{suffix}")]

    def source_files(self) -> list[SourceFile]:
        """The files as the rest of the tool takes them."""
        return [SourceFile(file.path, file.kind) for file in self.files]


def foreign_root(file: TreeFile) -> str | None:
    """The folder of another project that a file is kept in: `third_party/aiter`."""
    match = _FOREIGN.search(file.inside)
    if match is None:
        return None
    return file.inside[: match.end()] + file.inside[match.end() :].partition("/")[0]


def module_name(file: TreeFile) -> str:
    """The dotted name of a module below the root: `vllm._custom_ops`."""
    return file.inside.removesuffix(".py").removeprefix("src/").replace("/", ".")


def lines_naming(text: str, words: Iterable[str]) -> list[int]:
    """The lines, from 1, that hold one of the words."""
    found = [text.count("\n", 0, match.start()) + 1 for word in words for match in re.finditer(re.escape(word), text)]
    return sorted(set(found))


def _prefix(root: str) -> str:
    tidy = os.path.normpath(root)
    here, whole = os.getcwd(), os.path.abspath(tidy)
    if whole == here:
        return ""
    if whole.startswith(here.rstrip(os.sep) + os.sep):
        return os.path.relpath(whole, here).replace(os.sep, "/") + "/"
    if os.path.isabs(root):
        return f"{whole.replace(os.sep, '/')}/"
    return f"{tidy.replace(os.sep, '/')}/"
