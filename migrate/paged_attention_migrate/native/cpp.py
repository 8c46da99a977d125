"""C, C++, CUDA, HIP and Metal: declarations, calls, registrations, includes, and what is only spoken of."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from paged_attention_migrate.findings import ERROR, INFO, WARNING
from paged_attention_migrate.native import cpp_text
from paged_attention_migrate.native.deleted_files import FILE, build_source, file_mention, in_file_name
from paged_attention_migrate.native.gone import NAME, gone, mention, since
from paged_attention_migrate.native.layers import COMMENT, STRING, Layers
from paged_attention_migrate.native.places import Facts, Place, TextFile
from paged_attention_migrate.native.registrations import BUILD_DECIDES, PYBIND, Registration, keeps_alive, registrations

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*(?:include|import|include_next)[ \t]*(?=[\"<])", re.MULTILINE)
_QUALIFIED_NAME = re.compile(rf"\s*_C::(?:{NAME.pattern})\s*")
_LOOKUP = re.compile(r"find\w*|get\w*|call\w*", re.ASCII)
_SHOWN = {"_C": "_C::{}", BUILD_DECIDES: "{} in the namespace that the build gives its extension"}
# vLLM's own function was global, and its kernels stood in vllm; any other scope is another library's.
_OURS = frozenset(["", "vllm"])
_BY_HAND = "call paged_attention_shim.paged_attention from Python, or keep the kernel's source in this repository"


def places(file: TextFile, facts: Facts) -> Iterator[Place]:
    """Everything of interest in one file."""
    text = file.text
    source = cpp_text.layers(text)
    found = registrations(file.path, source)
    defined = defined_names(source) | facts.defined
    yield from _registered(found, facts)
    includes = {match.end() for match in _INCLUDE.finditer(source.code)}
    for match in FILE.finditer(text):
        place = _file(source, match, includes, facts)
        if place is not None:
            yield place
    for match in NAME.finditer(text):
        if not in_file_name(text, match):
            yield from _name(source, match, found, defined, facts)


def defined_names(source: Layers) -> frozenset[str]:
    """The removed names that a file gives a body of its own."""
    return frozenset(
        match[0]
        for match in NAME.finditer(source.code)
        if cpp_text.role(source, match.start(), match.end()) == cpp_text.DEFINITION
    )


def _registered(found: list[Registration], facts: Facts) -> Iterator[Place]:
    schemas = {each.name for each in found if each.defines and keeps_alive(each.namespace)}
    schemas |= {each.name for each in facts.registered if keeps_alive(each.namespace)}
    for each in found:
        severity, message = _registration(each, schemas, facts)
        yield Place(each.start, each.end, "PAM302", severity, each.name, message)


def _registration(each: Registration, schemas: set[str], facts: Facts) -> tuple[str, str]:
    name = each.name
    if each.namespace == PYBIND:
        return INFO, f"binds {name} into a Python module; vLLM's is {since(name)}"
    if not keeps_alive(each.namespace):
        return INFO, f"registers {each.namespace}::{name}, an operator of its own"
    shown = _SHOWN.get(each.namespace, "{} in a namespace that is not visible here").format(name)
    if facts.is_vllm:
        return INFO, f"registers {shown}, as vLLM did until it went: {gone(name)}"
    if each.defines:
        lives = "lives" if each.namespace == "_C" else "may live"
        return WARNING, (
            f"registers {shown}, so torch.ops._C.{name} {lives} on where this library is loaded, "
            f"while vLLM's is {since(name)}; keep this project's Python calls on torch.ops, or rename the operator"
        )
    if name in schemas:
        return INFO, f"gives {shown} its kernel; this tree registers the schema"
    return WARNING, f"gives {shown} a kernel, but its schema is {since(name)}; define the schema as well, or drop this"


def _file(source: Layers, match: re.Match[str], includes: set[int], facts: Facts) -> Place | None:
    text, segment = source.text, source.at(match.start())
    if segment is None:
        line = text.rfind("\n", 0, match.start()) + 1
        included = any(line <= end <= match.start() for end in includes)
        return build_source(text, match, facts) if included else file_mention(text, match, "names", facts)
    if segment.kind == COMMENT:
        return file_mention(text, match, "a comment names", facts)
    whole = match.end() == segment.inner_end and " " not in source.content(segment)
    if whole and not _asks(source, segment.start):
        return build_source(text, match, facts)
    return file_mention(text, match, "a string names", facts)


def _asks(source: Layers, offset: int) -> bool:
    return any(callee == "__has_include" for callee, _ in source.brackets.calls(offset))


def _name(
    source: Layers, match: re.Match[str], found: list[Registration], defined: frozenset[str], facts: Facts
) -> Iterator[Place]:
    kind = source.kind(match.start())
    if kind == COMMENT:
        yield mention(match, "a comment names")
        return
    last = bisect_right(found, match.start(), key=lambda each: each.start) - 1
    registration = found[last] if last >= 0 and match.start() < found[last].call_end else None
    if registration and match.start() < registration.end:
        return
    if kind == STRING:
        yield _string(source, match, facts)
    else:
        yield _code(source, match, registration, defined)


def _string(source: Layers, match: re.Match[str], facts: Facts) -> Place:
    segment = source.at(match.start())
    name = match[0]
    if segment is None or not _QUALIFIED_NAME.fullmatch(source.content(segment)):
        return mention(match, "a string names")
    if any(each.name == name and keeps_alive(each.namespace) for each in facts.registered):
        return Place(
            match.start(), match.end(), "PAM301", INFO, name, f"looks up _C::{name}, which this tree registers"
        )
    looked_up = any(_LOOKUP.fullmatch(callee) for callee, _ in source.brackets.calls(segment.start))
    severity = INFO if facts.is_vllm else ERROR if looked_up else WARNING
    message = f"looks up the operator _C::{name}, {since(name)}; {_BY_HAND}"
    return Place(match.start(), match.end(), "PAM301", severity, name, message)


def _code(source: Layers, match: re.Match[str], around: Registration | None, defined: frozenset[str]) -> Place:
    name = match[0]
    if around and around.name == name:
        message = f"the function that is registered as {name}"
        return Place(match.start(), match.end(), "PAM302", INFO, name, message)
    severity, message = _use(source, match, defined)
    return Place(match.start(), match.end(), "PAM301", severity, name, message)


def _use(source: Layers, match: re.Match[str], defined: frozenset[str]) -> tuple[str, str]:
    name = match[0]
    role = cpp_text.role(source, match.start(), match.end())
    scope = cpp_text.qualifier(source.code, match.start())
    if role == cpp_text.DEFINITION:
        return INFO, f"defines {name}; vLLM's own is {since(name)}"
    if role == cpp_text.DECLARATION:
        return INFO, f"declares {name}; vLLM's own is {since(name)}"
    if role == cpp_text.MEMBER or scope not in _OURS:
        return INFO, f"uses {name} of {scope or 'an object'}, which is not vLLM's"
    if name in defined:
        return INFO, f"uses the {name} that this tree defines"
    verb = "calls" if role == cpp_text.CALL else "refers to"
    return WARNING, f"{verb} {name}, {since(name)} and defined nowhere in this tree; {_BY_HAND}"
