"""Operators that C++ registers: pybind, TORCH_LIBRARY and its relatives, the stable ABI, helper functions.

A namespace is the one that is written (`_C`), or one of three words: `TORCH_EXTENSION_NAME`, where the build decides,
`PYBIND` for a Python module, `UNKNOWN` for a function that gets its library from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from paged_attention_migrate.native.cpp_text import layers
from paged_attention_migrate.native.gone import NAME
from paged_attention_migrate.native.layers import STRING, Layers, Segment, closing, enclosing_calls
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
    blocks = list(_blocks(source))
    found = [*_by_string(source, blocks), *_by_macro(source, blocks)]
    if "torch-ext" in path.split("/"):
        # kernel-builder's layout: it names the extension itself, with a hash.
        found = [each._replace(namespace="torch-ext") if each.namespace == BUILD_DECIDES else each for each in found]
    return sorted(found, key=lambda each: each.start)


def _blocks(source: Layers) -> Iterator[_Block]:
    code = source.code
    for match in _BLOCK.finditer(code):
        opened = match.end() - 1
        closed = closing(code, opened)
        body = closed + 1
        while body < len(code) and code[body].isspace():
            body += 1
        if not code.startswith("{", body):
            continue
        first = re.sub(r"\s", "", _first_argument(code[opened + 1 : closed]))
        namespace = PYBIND if match[0].startswith("PYBIND11") else first
        yield _Block(namespace, body, closing(code, body))


def _first_argument(arguments: str) -> str:
    depth = 0
    for at, character in enumerate(arguments):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            return arguments[:at]
    return arguments


def _by_string(source: Layers, blocks: list[_Block]) -> Iterator[Registration]:
    """Calls of `def`, `impl` and the like whose string begins with a removed name."""
    for group in _literals(source):
        match = _SCHEMA.match("".join(source.content(each) for each in group))
        if match is None:
            continue
        first = group[0]
        for callee, opened in enclosing_calls(source.code, first.start):
            implements = _IMPLEMENTS.fullmatch(callee) is not None
            if not implements and not _DEFINES.fullmatch(callee):
                continue
            if not _is_the_name(source.code, opened, first.start):
                break
            namespace = match[1] or _namespace(source, blocks, first.start)
            start = first.inner + match.start(2)
            # A name that goes on in the next literal ends, for a reader, with the first.
            end = min(first.inner + match.end(2), first.inner_end)
            yield Registration(match[2], namespace, not implements, start, end, closing(source.code, opened))
            break


def _is_the_name(code: str, opened: int, string: int) -> bool:
    """Whether a string is where a call takes the name: first, or second in a helper that takes the library first."""
    before = code[opened + 1 : string].split(",")
    method = _METHOD.search(code, max(0, opened - 100), opened)
    return len(before) == 1 or (len(before) == 2 and before[0].strip().isidentifier() and not method)


def _by_macro(source: Layers, blocks: list[_Block]) -> Iterator[Registration]:
    """`OP(paged_attention_v1)` inside a block, where a macro makes the string."""
    for match in NAME.finditer(source.code):
        block = _block_at(blocks, match.start())
        if block is None:
            continue
        callee, opened = next(enclosing_calls(source.code, match.start()), ("", 0))
        if _MACRO.fullmatch(callee) and source.code[opened + 1 : match.start()].strip() == "":
            end = closing(source.code, opened)
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


def _namespace(source: Layers, blocks: list[_Block], offset: int) -> str:
    block = _block_at(blocks, offset)
    if block is not None:
        return block.namespace
    header = source.code[: _body_start(source.code, offset)].rpartition("}")[2].rpartition(";")[2]
    if _PYTHON_MODULE.search(header):
        return PYBIND
    written = {each.namespace for each in blocks} | {match[1] for match in _LIBRARY_OBJECT.finditer(source.text)}
    if not written and _PYTHON_MODULE.search(source.code):
        return PYBIND
    return written.pop() if len(written) == 1 else UNKNOWN


def _block_at(blocks: list[_Block], offset: int) -> _Block | None:
    inside = [block for block in blocks if block.start < offset < block.end]
    return inside[-1] if inside else None


def _body_start(code: str, offset: int) -> int:
    """Where the outermost brace opens that still holds an offset; 0 at the top level."""
    depth, outermost = 0, 0
    for at in range(offset - 1, -1, -1):
        if code[at] == "}":
            depth += 1
        elif code[at] == "{":
            if depth == 0:
                outermost = at
            else:
                depth -= 1
    return outermost
