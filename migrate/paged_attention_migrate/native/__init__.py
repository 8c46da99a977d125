"""References to the removed names outside Python, found in text.

A file is cut into comments, strings and code, by its grammar where the extra `native` is installed and by patterns of
our own elsewhere, so that a name is judged by where it stands;
nothing here is edited, and what a project owns itself is at most an info.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from paged_attention_migrate.findings import Finding, Occurrence
from paged_attention_migrate.native.places import (
    NOTHING_KNOWN,
    Facts,
    Registered,
    Scan,
    TextFile,
    as_findings,
    as_occurrences,
)

__all__ = [
    "BY_GRAMMAR",
    "KINDS",
    "NOTHING_KNOWN",
    "Facts",
    "Registered",
    "findings_in",
    "keeps_alive",
    "left_alone",
    "may_concern",
    "registers_op",
    "survey",
]

KINDS = frozenset(
    ["c++", "cmake", "toml", "rust", "yaml", "shell", "markdown", "json", "patch", "cython", "stub"],
)
# What the grammars of the extra `native` read, where they are installed.
BY_GRAMMAR = frozenset(["c++", "cmake", "toml", "rust", "shell"])
_NEEDLES = (
    b"paged_attention_v1",
    b"paged_attention_v2",
    b"single_query_cached_kv_attention",
    b"attention_kernels.cu",
    b"benchmark_paged_attention",
    b"test_attention.py",
)


def may_concern(data: bytes) -> bool:
    """Whether a file can hold anything that `findings_in` looks for."""
    return any(needle in data for needle in _NEEDLES)


def survey(files: Iterable[tuple[str, str, bytes]], facts: Facts = NOTHING_KNOWN) -> Facts:
    """What the C++ of a tree defines and registers, added to `facts`; `files` are path, kind and bytes."""
    defined, registered = set(facts.defined), list(facts.registered)
    for path, kind, data in files:
        if kind == "c++" and may_concern(data):
            from paged_attention_migrate.native.cpp import defined_names
            from paged_attention_migrate.native.cpp_text import layers

            defined |= defined_names(layers(TextFile(path, data).text))
            registered += (Registered(path, *each) for each in registers_op(path, data))
    # A list of files may ask for the same few paths thousands of times.
    exists = cache(facts.exists_in_tree)
    return facts._replace(exists_in_tree=exists, defined=frozenset(defined), registered=tuple(registered))


def registers_op(path: str, data: bytes) -> list[tuple[int, str, str]]:
    """The removed names that a C++ file registers as operators: line, name, namespace."""
    from paged_attention_migrate.native.registrations import registers_op as registered

    return registered(path, data)


def keeps_alive(namespace: str) -> bool:
    """Whether an operator registered there is, or may be, one of `torch.ops._C`."""
    from paged_attention_migrate.native.registrations import keeps_alive as keeps

    return keeps(namespace)


def findings_in(path: str, kind: str, data: bytes, facts: Facts = NOTHING_KNOWN) -> list[Finding]:
    """What one file that is not Python holds, in the order of its lines."""
    if not may_concern(data):
        return []
    file = TextFile(path, data)
    return as_findings(file, _scan(kind)(file, facts))


def left_alone(path: str, kind: str, data: bytes, facts: Facts = NOTHING_KNOWN) -> list[Occurrence]:
    """What one file holds that is no finding, with the reason."""
    if not may_concern(data):
        return []
    file = TextFile(path, data)
    return as_occurrences(file, _scan(kind)(file, facts))


def _scan(kind: str) -> Scan:
    # Each language costs the compiling of its patterns, so only those that come up are loaded.
    if kind == "c++":
        from paged_attention_migrate.native.cpp import places as scan
    elif kind == "cmake":
        from paged_attention_migrate.native.cmake import places as scan
    elif kind in {"yaml", "shell"}:
        from paged_attention_migrate.native.commands import places as scan
    elif kind == "toml":
        from paged_attention_migrate.native.build_scripts import toml_places as scan
    elif kind == "rust":
        from paged_attention_migrate.native.build_scripts import rust_places as scan
    elif kind == "patch":
        from paged_attention_migrate.native.patches import places as scan
    elif kind == "cython":
        from paged_attention_migrate.native.python_like import cython_places as scan
    elif kind == "stub":
        from paged_attention_migrate.native.python_like import stub_places as scan
    elif kind == "json":
        from paged_attention_migrate.native.prose import data_places as scan
    else:
        from paged_attention_migrate.native.prose import markdown_places as scan
    return scan
