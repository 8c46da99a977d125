"""Which C++ file includes which: the graph that says what is still read."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

from paged_attention_migrate.native.grammars import language_of, parse
from paged_attention_migrate.retire.tree import Tree, TreeFile

# More than an include matches here, and what is none (a comment) is taken out by the grammar.
_INCLUDE = re.compile(r"include\s*\(?\s*[<\"]([^<>\"\r\n]+)[>\"]")


class Include(NamedTuple):
    """One file includes another, at a line from 1."""

    includer: str
    line: int
    included: str


class Includes:
    """The includes between the C++ files of a tree."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._sources = {file.inside: file for file in tree.files if file.kind == "c++"}
        self._by_name: dict[str, list[str]] = {}
        for inside in self._sources:
            self._by_name.setdefault(posixpath.basename(inside), []).append(inside)
        self._specs: dict[str, list[tuple[int, str]]] = {}
        self._mentioning: dict[str, list[TreeFile]] = {}
        self._of: dict[str, list[Include]] = {}

    def of(self, inside: str) -> list[Include]:
        """What a file includes, of the tree's own files."""
        if inside not in self._of:
            specs = self._specs_of(self._sources[inside])
            self._of[inside] = [
                Include(inside, line, target) for line, spec in specs for target in self._targets(inside, spec)
            ]
        return self._of[inside]

    def readers(self, inside: str) -> list[Include]:
        """The includes of a file."""
        name = posixpath.basename(inside)
        found = []
        for file in self._files_mentioning(name):
            includes = [each for each in self.of(file.inside) if each.included == inside]
            found += includes or self._named_otherwise(file, name, inside)
        return found

    def _named_otherwise(self, file: TreeFile, name: str, inside: str) -> list[Include]:
        """A file that names another in a macro or a text may include it in a way that is not seen."""
        if file.inside == inside or any(posixpath.basename(spec) == name for _, spec in self._specs_of(file)):
            return []
        text = self._tree.data(file).decode("latin-1")
        root = parse(language_of(file.path), self._tree.data(file)).root_node
        for match in re.finditer(rf"(?<![\w.-]){re.escape(name)}(?![\w.])", text):
            node = root.descendant_for_byte_range(match.start(), match.end())
            if node is None or node.type != "comment":
                return [Include(file.inside, text.count("\n", 0, match.start()) + 1, inside)]
        return []

    def _files_mentioning(self, name: str) -> list[TreeFile]:
        if name not in self._mentioning:
            word = name.encode()
            self._mentioning[name] = [file for file in self._sources.values() if word in self._tree.data(file)]
        return self._mentioning[name]

    def _specs_of(self, file: TreeFile) -> list[tuple[int, str]]:
        """The lines of a file's includes, and what each names."""
        if file.inside not in self._specs:
            self._specs[file.inside] = self._read(file)
        return self._specs[file.inside]

    def _read(self, file: TreeFile) -> list[tuple[int, str]]:
        text = self._tree.data(file).decode("latin-1")
        matches = list(_INCLUDE.finditer(text))
        if not matches:
            return []
        root = parse(language_of(file.path), self._tree.data(file)).root_node
        found = []
        for match in matches:
            node = root.descendant_for_byte_range(match.start(1), match.start(1) + 1)
            if node is None or node.type != "comment":
                found.append((text.count("\n", 0, match.start()) + 1, match[1]))
        return found

    def _targets(self, includer: str, spec: str) -> list[str]:
        """The file that an include means: beside the includer, or, as its search paths are not known, any that fits."""
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(includer), spec))
        if beside in self._sources:
            return [beside]
        suffix = posixpath.normpath(spec)
        while suffix.startswith("../"):
            suffix = suffix[3:]
        same_name = self._by_name.get(posixpath.basename(suffix), ())
        return [inside for inside in same_name if inside == suffix or inside.endswith(f"/{suffix}")]
