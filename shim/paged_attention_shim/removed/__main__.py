"""Prints what is made from the table of removed names.

Without an argument that is the Markdown page docs/removed-names.md, with `stubs` the module paged_attention_shim.stubs.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from paged_attention_shim.removed import REMOVED, REQUIRED, SURVIVING, Generation, Home, Parameter, RemovedName
from paged_attention_shim.removed.records import OP, PYBIND, WRAPPER

if TYPE_CHECKING:
    from collections.abc import Iterator

_FAMILIES = (
    ("attention", "Attention functions"),
    ("helper", "Helpers around them"),
    ("ipex", "Intel extension (XPU)"),
    ("module", "Modules"),
)
_INTRODUCTION = """# Removed names

What vLLM removed around `paged_attention_v1` and `paged_attention_v2`, where it was, and what to use instead.
Both ends of a range of releases are included.
This page is made by `python -m paged_attention_shim.removed` from the table that the tool and the shim read.
"""
_SURVIVING_INTRODUCTION = """
## What to call instead

`paged_attention_shim.paged_attention` takes the parameters of the last `paged_attention_v1` in the same order,
and more by keyword:
"""
_LISTS_INTRODUCTION = """
## Parameter lists

A parameter without a kind is a tensor; one with `?` may be None.
`vllm.attention_ops` and `vllm._C.ops` took positions only, and like `torch.ops._C` knew no defaults.
`torch.ops._C` calls the first scratch buffer `exp_sums`, the Python wrapper `exp_sum`.
"""


def page() -> str:
    """The whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield from _INTRODUCTION.splitlines()
    for family, title in _FAMILIES:
        rows = [name for name in REMOVED if name.family == family]
        yield from ("", f"## {title}", "", "| removed | gone since | what to do |", "|---|---|---|")
        yield from (_row(name) for name in rows)
        yield from _notes(rows)
    yield from _SURVIVING_INTRODUCTION.splitlines()
    yield from ("", f"`({_signature(SURVIVING)})`")
    yield from _LISTS_INTRODUCTION.splitlines()
    for name in REMOVED:
        if name.generations:
            yield from ("", f"### {_title(name)}", "")
            yield from (_generation(each) for each in name.generations)


def _row(name: RemovedName) -> str:
    homes = "<br>".join(_home(home, name.name) for home in name.homes)
    since = name.removed_in
    if name.pull_request:
        since += f" ([#{name.pull_request}]({name.pull_request_url}))"
    return f"| {homes} | {since} | {name.advice} |"


def _home(home: Home, name: str) -> str:
    how = {PYBIND: ", positions only", OP: ", no defaults"}.get(home.call_style, "")
    return f"`{home.path}.{name}` ({_range(home.first, home.last)}{how})"


def _notes(rows: list[RemovedName]) -> Iterator[str]:
    about: dict[str, list[str]] = {}
    for name in rows:
        for note in name.notes:
            about.setdefault(note, []).append(f"`{name.name}`")
    if about:
        yield ""
    yield from (f"- {', '.join(names)}: {note}" for note, names in about.items())


def _title(name: RemovedName) -> str:
    called = [home for home in name.homes if home.call_style == WRAPPER] or name.homes
    return f"{called[0].path}.{name.name}"


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def _generation(generation: Generation) -> str:
    head = f"{generation.label}, {_range(generation.first, generation.last)}"
    if generation.pull_request:
        head += f", #{generation.pull_request}"
    return f"- {head}: `({_signature(generation.parameters)})`"


def _signature(parameters: tuple[Parameter, ...]) -> str:
    texts = []
    for parameter in parameters:
        if parameter.keyword_only and "*" not in texts:
            texts.append("*")
        texts.append(_parameter(parameter))
    return ", ".join(texts)


def _parameter(parameter: Parameter) -> str:
    kind = parameter.kind.removeprefix("optional ") + "?" * parameter.kind.startswith("optional ")
    text = parameter.name if kind == "tensor" else f"{parameter.name}: {kind}"
    if parameter.default is not REQUIRED:
        text += f" = {parameter.default!r}" if kind != "tensor" else f"={parameter.default!r}"
    return text


if __name__ == "__main__":
    if sys.argv[1:] == ["stubs"]:
        from paged_attention_shim.removed.stub_source import source

        sys.stdout.write(source())
    else:
        sys.stdout.write(page())
