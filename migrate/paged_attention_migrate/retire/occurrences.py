"""Where C++ names a removed function, and as what: a registration, a declaration, a definition, or a use.

Read from the tree that a real grammar gives: a piece has exact ends, and a comment or a string is never code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

from paged_attention_migrate.native.gone import NAME
from paged_attention_migrate.native.grammars import is_sound, language_of, parse

if TYPE_CHECKING:
    from tree_sitter import Node

REGISTRATION = "registration"
DECLARATION = "declaration"
DEFINITION = "definition"
USE = "use"
COMMENT = "comment"
TEXT = "text"
LOOK_ALIKE = "look-alike"
UNCLEAR = "unclear"

_METHODS = frozenset({"def", "impl", "impl_UNBOXED", "def_static"})
_HELPERS = re.compile(r"def|impl|\w*register\w*", re.IGNORECASE)
_BLOCK = re.compile(r"\w*TORCH_LIBRARY\w*|PYBIND11_(?:EMBEDDED_)?MODULE")
_EXTENSION = "TORCH_EXTENSION_NAME"
_CHAIN = "a chain"
_OURS = frozenset({"_C", _EXTENSION, ""})
_STATEMENTS = frozenset({"expression_statement", "declaration", "function_definition", "template_declaration"})
_AROUND_TOP_LEVEL = frozenset(
    {"translation_unit", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "linkage_specification"}
)


class Occurrence(NamedTuple):
    """One name in a file: `start` to `end` is the whole construct that goes with it."""

    name: str
    kind: str
    start: int
    end: int
    line: int
    how: str = ""


class CxxFile:
    """A C++ file read by its grammar; characters are bytes."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data
        self.text = data.decode("latin-1")
        self.root = parse(language_of(path), data).root_node

    def occurrences(self) -> list[Occurrence]:
        """Every place that holds a removed name as a whole word, in order; one for each construct and kind."""
        found: dict[tuple[int, int, str, str], Occurrence] = {}
        for match in NAME.finditer(self.text):
            node = self.root.descendant_for_byte_range(match.start(), match.end())
            if node is not None:
                each = self._judged(match[0], match.start(), node)
                found.setdefault((each.start, each.end, each.kind, each.name), each)
        for name, literal in self._names_in_pieces():
            each = self._judged(name, literal.start_byte, literal)
            found.setdefault((each.start, each.end, each.kind, each.name), each)
        return sorted(found.values(), key=lambda each: (each.start, each.end))

    def _names_in_pieces(self) -> Iterator[tuple[str, Node]]:
        """The names that go on from one literal to the next, with the first literal of each schema."""
        pending = [self.root] if '"' in self.text else []
        while pending:
            node = pending.pop()
            if node.type != "concatenated_string":
                pending += node.named_children
                continue
            match = _SCHEMA.match(self._joined(node))
            if match is not None and NAME.search(self._text(node)) is None:
                yield match[2], node.named_children[0]

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return self.text.count("\n", 0, offset) + 1

    def _judged(self, name: str, offset: int, node: Node) -> Occurrence:
        line = self.line(offset)

        def found(kind: str, construct: Node | None = None, how: str = "") -> Occurrence:
            start, end = (construct.start_byte, construct.end_byte) if construct else (offset, offset + len(name))
            return Occurrence(name, kind, start, end, line, how)

        above = list(_ancestors(node))
        if node.type == "comment":
            return found(COMMENT)
        if any(each.type == "ERROR" for each in above):
            return found(UNCLEAR, how="the grammar does not understand what stands there")
        if node.type in {"preproc_arg", "system_lib_string"}:
            return found(USE, how="a macro")
        string = next((each for each in (node, *above) if each.type == "string_literal"), None)
        registration = self._registration(name, node, above, in_string=string is not None)
        if registration is not None:
            namespace, statement = registration
            if namespace == _CHAIN:
                return found(UNCLEAR, how="it is registered in a chain of calls")
            if namespace not in _OURS:
                # The operator is another one, but the function behind it may be the very one that is to go.
                how = f"registered in the namespace {namespace}"
                return found(LOOK_ALIKE, how=how) if string is not None else found(USE, how=f"{how}, a use")
            if not is_sound(statement):
                return found(UNCLEAR, how="the grammar does not understand all of the registration")
            return found(REGISTRATION, statement)
        if string is not None:
            return found(TEXT)
        if any(each.type == "qualified_identifier" for each in above[:2]) and not self._is_global(offset):
            return found(LOOK_ALIKE, how="a name of another namespace")
        return self._declared(found, node, above)

    def _is_global(self, offset: int) -> bool:
        """Whether `::name` is written without a namespace before it."""
        before = self.text[:offset].rstrip()
        return before.endswith("::") and not re.search(r"\w\s*::\Z", before)

    def _declared(self, found: _Found, node: Node, above: list[Node]) -> Occurrence:
        declarator = next((each for each in above if each.type == "function_declarator"), None)
        is_name = declarator is not None and declarator.child_by_field_name("declarator") == node
        outer = next((each for each in above if each.type in _STATEMENTS), None)
        if not is_name or outer is None:
            return found(USE, how="a use")
        outer = _with_template(outer)
        around = list(_ancestors(outer))
        namespaces = [each for each in around if each.type == "namespace_definition"]
        if any(each.child_by_field_name("name") is not None for each in namespaces):
            return found(LOOK_ALIKE, how="a function of another namespace")
        if any(each.type not in _AROUND_TOP_LEVEL | {"namespace_definition", "declaration_list"} for each in around):
            return found(USE, how="a use")
        if outer.type == "declaration" and len(outer.children_by_field_name("declarator")) > 1:
            return found(UNCLEAR, how="it is declared together with something else")
        if not is_sound(outer) and not (outer.type == "function_definition" and _is_sound_outside_body(outer)):
            return found(UNCLEAR, how="the grammar does not understand all of it")
        single = next((each for each in around if each.type == "linkage_specification"), None)
        if single is not None and single.child_by_field_name("body") == outer:
            outer = single
        kind = DECLARATION if outer.type == "declaration" or declarator_ends(outer) else DEFINITION
        return found(kind, outer)

    def _registration(self, name: str, node: Node, above: list[Node], in_string: bool) -> tuple[str, Node] | None:
        """The namespace and statement of the registration that a node is part of."""
        for call in (each for each in above if each.type == "call_expression"):
            function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
            if function is None or arguments is None or not self._registers(function):
                continue
            text = self._registered_name(arguments)
            if text is None or text[1] != name or not _holds(arguments, node):
                continue
            statement = call.parent
            of = function.child_by_field_name("argument")
            in_chain = of is not None and of.type == "call_expression"
            if statement is None or statement.type != "expression_statement" or in_chain:
                return (_CHAIN, call) if in_string else None
            return text[0] or self._namespace(statement), statement
        return None

    def _registers(self, function: Node) -> bool:
        if function.type == "field_expression":
            field = function.child_by_field_name("field")
            return field is not None and self._text(field) in _METHODS
        return function.type == "identifier" and _HELPERS.fullmatch(self._text(function)) is not None

    def _registered_name(self, arguments: Node) -> tuple[str, str] | None:
        """Namespace, if it is written, and name of the schema: the first argument that is a string, or the second."""
        for argument in arguments.named_children[:2]:
            if argument.type in {"string_literal", "concatenated_string"}:
                match = _SCHEMA.match(self._joined(argument))
                return (match[1] or "", match[2]) if match else None
            if argument.type != "identifier":
                return None
        return None

    def _joined(self, node: Node) -> str:
        literals = [node] if node.type == "string_literal" else node.named_children
        return "".join(self._text(each)[1:-1] for each in literals if each.type == "string_literal")

    def _namespace(self, statement: Node) -> str:
        """The namespace that the block around a registration is for; "" in a function that is given its library."""
        for each in _ancestors(statement):
            declarator = each.child_by_field_name("declarator") if each.type == "function_definition" else None
            if declarator is None:
                continue
            match = re.match(r"\s*(\w+)\s*\(\s*([\w:]+)", self._text(declarator))
            if match and _BLOCK.fullmatch(match[1]):
                return _EXTENSION if match[1].startswith("PYBIND11") else match[2]
        return ""

    def _text(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte]


_SCHEMA = re.compile(rf"\s*(?:(\w+)::)?({NAME.pattern})\s*(?:$|\(|\.\w+\s*\()")


class _Found(Protocol):
    """The function that makes an occurrence."""

    def __call__(self, kind: str, construct: Node | None = None, how: str = "") -> Occurrence: ...


def declarator_ends(outer: Node) -> bool:
    """Whether a template is only declared."""
    return outer.type == "template_declaration" and any(each.type == "declaration" for each in outer.named_children)


def _ancestors(node: Node) -> Iterator[Node]:
    outer = node.parent
    while outer is not None:
        yield outer
        outer = outer.parent


def _with_template(node: Node) -> Node:
    parent = node.parent
    return parent if parent is not None and parent.type == "template_declaration" else node


def _is_sound_outside_body(definition: Node) -> bool:
    """A body goes as a whole, so it need not be understood as long as its braces are."""
    body = definition.child_by_field_name("body")
    if body is None or body.children[-1].type != "}" or body.children[-1].is_missing:
        return False
    return all(is_sound(each) for each in definition.children if each != body)


def _holds(outer: Node, inner: Node) -> bool:
    return bool(outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte)
