"""Build lists that name a source: CMake, setup.py and TOML. An entry goes with its file; anything else is a reader."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from paged_attention_migrate.native.grammars import is_sound, parse
from paged_attention_migrate.retire.cutting import Cut
from paged_attention_migrate.retire.sources import Blocker
from paged_attention_migrate.retire.tree import Tree, TreeFile
from paged_attention_migrate.source import Source, Undecodable

if TYPE_CHECKING:
    from tree_sitter import Node

_NEEDS_ONE = frozenset({"add_library", "add_executable", "target_sources", "pybind11_add_module"})
_ASKS = frozenset({"if", "elseif", "while", "message", "file", "configure_file", "include", "execute_process"})
_VARIABLE = re.compile(r"^.*(?:\}|\$<[^>]*>|@)[/\\]*")


class Listed(NamedTuple):
    """An entry of a build list that names a source of the tree."""

    file: TreeFile
    line: int
    source: str
    cut: Cut


class BuildLists:
    """The entries for some sources, and the places that name one otherwise."""

    def __init__(self, tree: Tree, sources: set[str]) -> None:
        self.tree = tree
        self.sources = sources
        self.entries: list[Listed] = []
        self.blockers: list[Blocker] = []
        self.mentions: list[tuple[str, int, str]] = []
        self._names = {posixpath.basename(source) for source in sources}
        # A word that may mean a file that stays says nothing.
        self._shared = {posixpath.basename(each.inside) for each in tree.files if each.inside not in sources}
        self._find = re.compile(
            "|".join(rf"(?<![\w-]){re.escape(name)}(?![\w.])" for name in sorted(self._names)) or r"(?!)"
        )
        needles = [name.encode() for name in self._names]
        for file in tree.files:
            if file.kind == "c++" or not any(needle in tree.data(file) for needle in needles):
                continue
            {"cmake": self._cmake, "python": self._python, "toml": self._toml}.get(file.kind, self._other)(file)

    def cuts(self, file: TreeFile) -> list[Cut]:
        """What goes from one build file."""
        return [each.cut for each in self.entries if each.file == file]

    def edited(self) -> list[TreeFile]:
        """The build files that lose an entry."""
        return list(dict.fromkeys(each.file for each in self.entries))

    def _cmake(self, file: TreeFile) -> None:
        data = self.tree.data(file)
        text = data.decode("latin-1")
        root = parse("cmake", data).root_node
        found: dict[int, list[Listed]] = {}
        commands: dict[int, Node] = {}
        for node in self._nodes(text, root):
            argument = _up(node, "argument")
            command = _up(node, "normal_command")
            line = node.start_point[0] + 1
            if _up(node, "line_comment", "bracket_comment", "comment") is not None:
                continue
            value = _span(text, argument).strip('"') if argument is not None else ""
            source = self._source(value, file)
            if argument is None or source is None:
                if source is not None or argument is None:
                    self.blockers.append(
                        Blocker(file.path, line, "names a source in a way that is not a plain argument")
                    )
                continue
            name = _span(text, command.named_children[0]).lower() if command is not None else "if"
            if command is None or name in _ASKS or not is_sound(argument):
                self.blockers.append(Blocker(file.path, line, f"{name}() names {source}"))
                continue
            cut = Cut(argument.start_byte, argument.end_byte, f"entry {source} (line {line})")
            commands[command.start_byte] = command
            found.setdefault(command.start_byte, []).append(Listed(file, line, source, cut))
        for start, entries in found.items():
            self._settle(file, text, commands[start], entries)

    def _settle(self, file: TreeFile, text: str, command: Node, entries: list[Listed]) -> None:
        """A command that has nothing left to work on goes, too; one that needs a source is a reader."""
        name = _span(text, command.named_children[0]).lower()
        arguments = [
            each for child in command.named_children if child.type == "argument_list" for each in child.named_children
        ]
        going = {entry.cut.start for entry in entries}
        left = [each for each in arguments if each.type == "argument" and each.start_byte not in going]
        sources_left = [each for each in left if re.search(r"\.\w+\"?$|\$\{", _span(text, each))]
        if name == "set_source_files_properties" and (not left or left[0].start_byte > entries[-1].cut.start):
            whole = Cut(
                command.start_byte, command.end_byte, f"{name}() of {entries[0].source} (line {entries[0].line})"
            )
            self.entries.append(entries[0]._replace(cut=whole))
        elif name == "list" and len(left) == 2:
            whole = Cut(command.start_byte, command.end_byte, f"list() of nothing but {entries[0].source}")
            self.entries.append(entries[0]._replace(cut=whole))
        elif name in _NEEDS_ONE and not sources_left:
            self.blockers.append(Blocker(file.path, entries[0].line, f"{name}() would have no source left"))
        else:
            self.entries += entries

    def _toml(self, file: TreeFile) -> None:
        data = self.tree.data(file)
        text = data.decode("latin-1")
        for node in self._nodes(text, parse("toml", data).root_node):
            string, line = _up(node, "string"), node.start_point[0] + 1
            source = self._source(_span(text, string).strip("\"'"), file) if string is not None else None
            if string is None or source is None:
                continue
            if string.parent is not None and string.parent.type == "array":
                cut = Cut(string.start_byte, string.end_byte, f"entry {source} (line {line})", item=True)
                self.entries.append(Listed(file, line, source, cut))
            else:
                self.blockers.append(Blocker(file.path, line, f"names {source}"))

    def _python(self, file: TreeFile) -> None:
        try:
            source = Source(self.tree.data(file))
            tree = ast.parse(source.text)
        except (Undecodable, SyntaxError, ValueError):
            self._other(file)
            return
        parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            named = self._source(node.value, file) if self._find.search(node.value) else None
            if named is None:
                continue
            self._python_entry(file, source, node, parents, named)

    def _python_entry(
        self, file: TreeFile, source: Source, node: ast.Constant, parents: dict[ast.AST, ast.AST], named: str
    ) -> None:
        start, end = _span_of(source, node)
        what = f"entry {named} (line {node.lineno})"
        parent = parents[node]
        above = parents.get(parent)
        if isinstance(parent, (ast.List, ast.Set)) or (isinstance(parent, ast.Tuple) and len(parent.elts) > 2):
            self.entries.append(Listed(file, node.lineno, named, Cut(start, end, what, item=True)))
        elif (
            isinstance(parent, ast.Call)
            and isinstance(parent.func, ast.Attribute)
            and parent.func.attr == "append"
            and isinstance(above, ast.Expr)
            and len(getattr(parents[above], "body", ())) > 1
        ):
            self.entries.append(Listed(file, node.lineno, named, Cut(*_span_of(source, above), what)))
        elif not isinstance(parent, ast.Expr):
            self.blockers.append(Blocker(file.path, node.lineno, f"names {named}"))

    def _other(self, file: TreeFile) -> None:
        text = self.tree.data(file).decode("latin-1")
        for match in self._find.finditer(text):
            if match[0] not in self._shared:
                self.mentions.append((file.path, text.count("\n", 0, match.start()) + 1, match[0]))

    def _nodes(self, text: str, root: Node) -> Iterator[Node]:
        for match in self._find.finditer(text):
            node = root.descendant_for_byte_range(match.start(), match.end())
            if node is not None:
                yield node

    def _source(self, written: str, file: TreeFile) -> str | None:
        """The source that a path means, seen from the build file or from the root."""
        path = posixpath.normpath(_VARIABLE.sub("", written.strip()).replace("\\", "/"))
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(file.inside), path))
        for candidate in (beside, path):
            if candidate in self.sources:
                return candidate
        if any(other.inside in (beside, path) for other in self.tree.files) or "/" not in path:
            return None
        return next(
            (source for source in self.sources if source.endswith(f"/{path}") or path.endswith(f"/{source}")), None
        )


def _up(node: Node, *kinds: str) -> Node | None:
    outer: Node | None = node
    while outer is not None and outer.type not in kinds:
        outer = outer.parent
    return outer


def _span(text: str, node: Node) -> str:
    return text[node.start_byte : node.end_byte]


def _span_of(source: Source, node: ast.expr | ast.stmt) -> tuple[int, int]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return source.offset(node.lineno, node.col_offset), source.offset(node.end_lineno, node.end_col_offset)
