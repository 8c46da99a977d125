"""The C++ half: which sources and headers go, and what goes from those that stay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from paged_attention_migrate.retire.cutting import Cut
from paged_attention_migrate.retire.includes import Includes
from paged_attention_migrate.retire.occurrences import (
    DECLARATION,
    DEFINITION,
    LOOK_ALIKE,
    REGISTRATION,
    TEXT,
    UNCLEAR,
    USE,
    CxxFile,
    Occurrence,
)
from paged_attention_migrate.retire.tree import Tree, foreign_root

if TYPE_CHECKING:
    from tree_sitter import Node

_THROUGH = frozenset(
    {"preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "declaration_list", "linkage_specification"}
)
_GOES = frozenset({REGISTRATION, DECLARATION, DEFINITION})
_ANY = "*"
_WHAT = {REGISTRATION: "registration", DECLARATION: "declaration", DEFINITION: "definition"}
_SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c", ".hip", ".mm")


class Blocker(NamedTuple):
    """A place that still needs a removed function, so that nothing of it may go."""

    path: str
    line: int
    message: str


class Sources:
    """What becomes of the C++ files of a tree; paths are those below the root."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.includes = Includes(tree)
        self.files: dict[str, CxxFile] = {}
        self.occurrences: dict[str, list[Occurrence]] = {}
        for file in tree.naming("c++"):
            self.files[file.inside] = CxxFile(file.path, tree.data(file))
            self.occurrences[file.inside] = self.files[file.inside].occurrences()
        self.kept_for: dict[str, str] = {}
        self.deleted: dict[str, str] = {}
        self._decide()

    def cuts(self, inside: str) -> list[Cut]:
        """What goes from a file that stays."""
        file = self.files[inside]
        going = [each for each in self.occurrences[inside] if each.kind in _GOES]
        return _with_comments(file, going)

    def edited(self) -> list[str]:
        """The files that stay and lose something."""
        return [
            inside
            for inside, found in self.occurrences.items()
            if inside not in self.deleted and any(each.kind in _GOES for each in found)
        ]

    def blockers(self) -> list[Blocker]:
        """The uses of a removed function in C++ that stays."""
        found = []
        for inside, occurrences in self.occurrences.items():
            if inside in self.deleted:
                continue
            spans = [(each.start, each.end) for each in occurrences if each.kind in _GOES]
            for each in occurrences:
                covered = any(start <= each.start and each.end <= end for start, end in spans)
                if each.kind in {USE, UNCLEAR} and not covered:
                    message = f"{each.how} of {each.name}" if each.kind == USE else f"{each.name}: {each.how}"
                    found.append(Blocker(self.files[inside].path, each.line, message))
        return [*found, *self._foreign_uses()]

    def _foreign_uses(self) -> Iterator[Blocker]:
        """The uses in sources of other projects that are kept here, where the project has no function of that name."""
        occurrences = {
            file: CxxFile(file.path, self.tree.data(file)).occurrences() for file in self.tree.foreign("c++")
        }
        own = {
            (foreign_root(file), each.name)
            for file, found in occurrences.items()
            for each in found
            if each.kind in {DEFINITION, DECLARATION}
        }
        for file, found in occurrences.items():
            for each in found:
                if each.kind == USE and (foreign_root(file), each.name) not in own:
                    yield Blocker(file.path, each.line, f"{each.how} of {each.name}")

    def left_alone(self) -> list[tuple[str, Occurrence]]:
        """What only looks like it, and texts."""
        return [
            (inside, each)
            for inside, found in self.occurrences.items()
            if inside not in self.deleted
            for each in found
            if each.kind in {LOOK_ALIKE, TEXT}
        ]

    def _decide(self) -> None:
        for inside, found in self.occurrences.items():
            definitions = [each for each in found if each.kind == DEFINITION]
            if not definitions:
                continue
            what = ", ".join(f"{each.name} (line {each.line})" for each in definitions)
            reason = self._needed_besides(inside, found)
            if reason is None:
                self.deleted[inside] = f"it defines {what} and nothing that another file uses"
            else:
                self.kept_for[inside] = reason
        self._spread_to_headers()

    def _needed_besides(self, inside: str, found: list[Occurrence]) -> str | None:
        """What else a file with a definition serves; None where it can go."""
        reader = next((each for each in self.includes.readers(inside)), None)
        if reader is not None:
            return f"{reader.includer}:{reader.line} includes it"
        if not inside.endswith(_SOURCES):
            return "it is a header"
        gone = [(each.start, each.end) for each in found if each.kind in _GOES]
        for name, node in _visible(self.files[inside].root):
            if any(start <= node.start_byte and node.end_byte <= end for start, end in gone):
                continue
            line = node.start_point[0] + 1
            if name == _ANY:
                return f"line {line} of it registers or instantiates something else"
            elsewhere = self._first_naming(name, inside)
            if elsewhere is not None:
                return f"it also defines {name} (line {line}), which {elsewhere} names"
        return None

    def _first_naming(self, name: str, but: str) -> str | None:
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        needle = name.encode()
        for file in self.tree.of_kind("c++"):
            if file.inside != but and needle in self.tree.data(file):
                match = word.search(text := self.tree.data(file).decode("latin-1"))
                if match:
                    return f"{file.inside}:{text.count(chr(10), 0, match.start()) + 1}"
        return None

    def _spread_to_headers(self) -> None:
        """A header goes with the last file that includes it."""
        pending = list(self.deleted)
        while pending:
            for include in self.includes.of(pending.pop()):
                header = include.included
                if header in self.deleted:
                    continue
                readers = self.includes.readers(header)
                others = [each for each in readers if each.includer not in self.deleted and each.includer != header]
                if not others and not any(each.kind in _GOES for each in self.occurrences.get(header, ())):
                    who = ", ".join(sorted({each.includer for each in readers}))
                    self.deleted[header] = f"only {who} included it"
                    pending.append(header)


def _visible(node: Node) -> Iterator[tuple[str, Node]]:
    """What a source file gives to the linker, by name; "*" for what serves by being there."""
    for child in node.named_children:
        if child.type in _THROUGH:
            yield from _visible(child)
        elif child.type == "namespace_definition":
            body = child.child_by_field_name("body")
            if child.child_by_field_name("name") is not None and body is not None:
                yield from _visible(body)
        elif child.type == "function_definition":
            name = _function_name(child)
            if not _has(child, "storage_class_specifier", b"static"):
                yield (_ANY if name is None or name.isupper() or "TORCH_LIBRARY" in name else name), child
        elif child.type in {"template_instantiation", "ERROR"} or (
            child.type == "expression_statement" and child.named_child_count
        ):
            yield _ANY, child
        elif child.type == "declaration":
            yield from ((name, child) for name in _variables(child))


def _variables(declaration: Node) -> Iterator[str]:
    """The variables that a declaration gives to the linker."""
    if _has(declaration, "storage_class_specifier", b"static"):
        return
    if any(each.type == "type_qualifier" for each in declaration.named_children):
        return
    for each in declaration.named_children:
        variable = each.child_by_field_name("declarator") if each.type == "init_declarator" else None
        if variable is not None and variable.text is not None:
            yield variable.text.decode("latin-1")


def _function_name(definition: Node) -> str | None:
    declarator = definition.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    if name is None or name.text is None:
        return None
    return str(name.text, "latin-1").rpartition("::")[2]


def _has(node: Node, kind: str, text: bytes) -> bool:
    return any(each.type == kind and each.text == text for each in node.named_children)


# Comments and conditions that go with a piece


def _with_comments(file: CxxFile, going: list[Occurrence]) -> list[Cut]:
    """The pieces with the comments directly above them; a condition around nothing but such pieces goes whole."""
    nodes = {}
    for each in going:
        node = _node_of(file.root, each.start, each.end)
        if node is not None:
            nodes[(each.start, each.end)] = node
    removed = set(nodes)
    cuts = []
    for each in going:
        node = nodes.get((each.start, each.end))
        start, end = (each.start, each.end) if node is None else _piece(file, node, removed)
        cuts.append(Cut(start, end, f"the {_WHAT[each.kind]} of {each.name} (line {each.line})"))
    return _unique(cuts)


def _unique(cuts: list[Cut]) -> list[Cut]:
    kept: list[Cut] = []
    for cut in sorted(cuts, key=lambda cut: (cut.start, -cut.end)):
        if kept and cut.end <= kept[-1].end:
            kept[-1] = kept[-1]._replace(what=f"{kept[-1].what}, {cut.what}")
        else:
            kept.append(cut)
    return kept


def _node_of(root: Node, start: int, end: int) -> Node | None:
    node = root.descendant_for_byte_range(start, end)
    while node is not None and (node.start_byte, node.end_byte) == (start, end):
        parent = node.parent
        if parent is None or (parent.start_byte, parent.end_byte) != (start, end):
            return node
        node = parent
    return node


def _piece(file: CxxFile, node: Node, removed: set[tuple[int, int]]) -> tuple[int, int]:
    condition = _emptied_condition(node, removed)
    if condition is not None:
        removed.add((condition.start_byte, condition.end_byte))
        return _piece(file, condition, removed)
    comments = _comments_above(file, node)
    if comments and _is_heading_of_more(file, comments, node, removed):
        following = _next_kept(node, removed)
        assert following is not None
        return node.start_byte, _line_start(file.text, following.start_byte)
    return (comments[0].start_byte if comments else node.start_byte), node.end_byte


def _emptied_condition(node: Node, removed: set[tuple[int, int]]) -> Node | None:
    """The `#if` around a piece when nothing else is in it."""
    parent = node.parent
    if parent is None or parent.type not in {"preproc_if", "preproc_ifdef"} or parent.has_error:
        return None
    if parent.child_by_field_name("alternative") is not None:
        return None
    first = parent.child_by_field_name("name") or parent.child_by_field_name("condition")
    inside = [each for each in parent.named_children if each != first and each.type != "comment"]
    return parent if all((each.start_byte, each.end_byte) in removed for each in inside) else None


def _comments_above(file: CxxFile, node: Node) -> list[Node]:
    found: list[Node] = []
    below, before = node, node.prev_sibling
    while before is not None and before.type == "comment" and before.end_point[0] + 1 == below.start_point[0]:
        start = _line_start(file.text, before.start_byte)
        if file.text[start : before.start_byte].strip():
            break
        found.insert(0, before)
        below, before = before, before.prev_sibling
    return found


def _is_heading_of_more(file: CxxFile, comments: list[Node], node: Node, removed: set[tuple[int, int]]) -> bool:
    """Whether the comment is the title of a group of which something stays without one of its own."""
    if len(comments) > 1 or not is_heading(file.text[comments[0].start_byte : comments[0].end_byte]):
        return False
    following = _next_kept(node, removed)
    return following is not None and following.type != "comment" and not following.type.startswith(("preproc", "}"))


def is_heading(comment: str) -> bool:
    """Whether a comment is a title: a few words that are no sentence and name no single function."""
    words = re.sub(r"[#/*]+", " ", comment).split()
    plain = "\n" not in comment and 0 < len(words) <= 4 and not comment.rstrip().endswith((".", ":", ";"))
    return plain and re.search(r"[vV][12]\b", comment) is None


def _next_kept(node: Node, removed: set[tuple[int, int]]) -> Node | None:
    """What stands next in the block, past pieces that go and the comments above them."""
    following = node.next_sibling
    while following is not None:
        after: Node | None = following
        while after is not None and after.type == "comment":
            after = after.next_sibling
        if after is None or (after.start_byte, after.end_byte) not in removed:
            return following if following.is_named else None
        following = after.next_sibling
    return None


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1
