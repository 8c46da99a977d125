"""Operators that C++ registers: pybind, TORCH_LIBRARY and its relatives, the stable ABI, helper functions.

A namespace is the one that is written (`_C`), or one of three words: `TORCH_EXTENSION_NAME`, where the build decides,
`PYBIND` for a Python module, `UNKNOWN` for a function that gets its library from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from paged_attention_migrate.native.cpp_text import layers
from paged_attention_migrate.native.gone import NAME
from paged_attention_migrate.native.layers import STRING, Layers, Segment
from paged_attention_migrate.native.places import TextFile

PYBIND = "pybind11"
UNKNOWN = ""
BUILD_DECIDES = "TORCH_EXTENSION_NAME"

_BLOCK = re.compile(r"\b(?:\w*TORCH_LIBRARY\w*|PYBIND11_(?:EMBEDDED_)?MODULE)\s*\(")
_LIBRARY_OBJECT = re.compile(r"\bLibrary::(?:DEF|FRAGMENT|IMPL)\s*,\s*\"(\w+)\"")
_PYTHON_MODULE = re.compile(r"\b(?:py|pybind11)::")
_METHOD = re.compile(r"(?:\.|->)\s*\w+\s*\Z")
_SCHEMA = re.compile(rf"\s*(?:(\w+)::)?({NAME.pattern})\s*(?:$|\(|\.\w+\s*\()")
_DEFINES = re.compile(r"def|def_\w+|op|register_op\w*|\w*REGISTER\w*", re.ASCII)
_IMPLEMENTS = re.compile(r"impl|impl_\w+|\w*IMPL\w*", re.ASCII)
_MACRO = re.compile(r"(?!TORCH_BOX|TORCH_FN|TORCH_SELECTIVE|C10_)[A-Z][A-Z0-9_]*", re.ASCII)


class Registration(NamedTuple):
    """One operator; `start` to `end` is its name, `call_end` where the call that registers it closes."""

    name: str
    namespace: str
    defines: bool
    start: int
    end: int
    call_end: int


class _Block(NamedTuple):
    namespace: str
    start: int
    end: int


def registers_op(path: str, data: bytes) -> list[tuple[int, str, str]]:
    """The removed names whose schema a C++ file defines: line, name, namespace.

    An `impl` alone is none: without a schema there is no operator.
    """
    file = TextFile(path, data)
    found = registrations(path, layers(file.text))
    return [(file.position(each.start)[0], each.name, each.namespace) for each in found if each.defines]


def keeps_alive(namespace: str) -> bool:
    """Whether a registration there is, or may be, `torch.ops._C`."""
    return namespace in {"_C", BUILD_DECIDES, UNKNOWN}


def registrations(path: str, source: Layers) -> list[Registration]:
    """All registrations of removed names, in the order of the text."""
    scopes = _Scopes(source)
    found = [*_by_string(source, scopes), *_by_macro(source, scopes)]
    if "torch-ext" in path.split("/"):
        # kernel-builder's layout: it names the extension itself, with a hash.
        found = [each._replace(namespace="torch-ext") if each.namespace == BUILD_DECIDES else each for each in found]
    return sorted(found, key=lambda each: each.start)


class _Scopes:
    """Which namespace a registration goes to, by where it stands."""

    def __init__(self, source: Layers) -> None:
        self.source = source
        self.blocks = list(_blocks(source))

    def block(self, offset: int) -> _Block | None:
        """The innermost block that holds an offset."""
        inside = [block for block in self.blocks if block.start < offset < block.end]
        return inside[-1] if inside else None

    def namespace(self, offset: int) -> str:
        """The namespace at an offset: that of its block, else the kind of its function, else the file's only one."""
        block = self.block(offset)
        if block is not None:
            return block.namespace
        code = self.source.code
        body = [opened for opened in self.source.brackets.around(offset) if code[opened] == "{"]
        if body:
            header = code[max(code.rfind("}", 0, body[-1]), code.rfind(";", 0, body[-1]), 0) : body[-1]]
            if _PYTHON_MODULE.search(header):
                return PYBIND
        return self.only

    @cached_property
    def only(self) -> str:
        """The one namespace that a file speaks of."""
        written = {each.namespace for each in self.blocks}
        written |= {match[1] for match in _LIBRARY_OBJECT.finditer(self.source.text)}
        if not written and _PYTHON_MODULE.search(self.source.code):
            return PYBIND
        return written.pop() if len(written) == 1 else UNKNOWN


def _blocks(source: Layers) -> Iterator[_Block]:
    code, brackets = source.code, source.brackets
    for match in _BLOCK.finditer(code):
        opened = match.end() - 1
        closed = brackets.closing(opened)
        body = closed + 1
        while body < len(code) and code[body].isspace():
            body += 1
        if not code.startswith("{", body):
            continue
        first = re.sub(r"\s", "", _first_argument(code[opened + 1 : closed]))
        namespace = PYBIND if match[0].startswith("PYBIND11") else first
        yield _Block(namespace, body, brackets.closing(body))


def _first_argument(arguments: str) -> str:
    depth = 0
    for at, character in enumerate(arguments):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            return arguments[:at]
    return arguments


def _by_string(source: Layers, scopes: _Scopes) -> Iterator[Registration]:
    """Calls of `def`, `impl` and the like whose string begins with a removed name."""
    for group in _literals(source):
        match = _SCHEMA.match("".join(source.content(each) for each in group))
        if match is None:
            continue
        first = group[0]
        for callee, opened in source.brackets.calls(first.start):
            implements = _IMPLEMENTS.fullmatch(callee) is not None
            if not implements and not _DEFINES.fullmatch(callee):
                continue
            if not _is_the_name(source.code, opened, first.start):
                break
            namespace = match[1] or scopes.namespace(first.start)
            start = first.inner + match.start(2)
            # A name that goes on in the next literal ends, for a reader, with the first.
            end = min(first.inner + match.end(2), first.inner_end)
            closed = source.brackets.closing(opened)
            yield Registration(match[2], namespace, not implements, start, end, closed)
            break


def _is_the_name(code: str, opened: int, string: int) -> bool:
    """Whether a string is where a call takes the name: first, or second in a helper that takes the library first."""
    before = code[opened + 1 : string].split(",", 2)
    method = _METHOD.search(code, max(0, opened - 100), opened)
    return len(before) == 1 or (len(before) == 2 and before[0].strip().isidentifier() and not method)


def _by_macro(source: Layers, scopes: _Scopes) -> Iterator[Registration]:
    """`OP(paged_attention_v1)` inside a block, where a macro makes the string."""
    if not scopes.blocks:
        return
    for match in NAME.finditer(source.code):
        block = scopes.block(match.start())
        if block is None:
            continue
        callee, opened = next(source.brackets.calls(match.start()), ("", 0))
        if _MACRO.fullmatch(callee) and source.code[opened + 1 : match.start()].strip() == "":
            end = source.brackets.closing(opened)
            defines = "IMPL" not in callee
            yield Registration(match[0], block.namespace, defines, match.start(), match.end(), end)


def _literals(source: Layers) -> Iterator[list[Segment]]:
    """Runs of adjacent string literals, which are one string to the compiler."""
    group: list[Segment] = []
    for segment in source.segments:
        if segment.kind != STRING:
            continue
        if group and source.code[group[-1].end : segment.start].strip():
            yield group
            group = []
        group.append(segment)
    if group:
        yield group
