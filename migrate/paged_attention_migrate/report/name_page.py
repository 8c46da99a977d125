"""The page about a removed name, made from the table of the shim."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from paged_attention_migrate.report.colour import Paint
from paged_attention_shim.removed import REQUIRED, SURVIVING, Generation, Parameter, RemovedName

_SURVIVOR = "paged_attention_shim.paged_attention"
# textwrap does not break a line here, so that a parameter stays in one piece.
_HARD_SPACE = "\xa0"
_STYLES = {"pybind": "positions only", "op": "no defaults"}


def name_page(names: Sequence[RemovedName], paint: Paint, width: int = 100) -> str:
    """What each was, since when it is gone, what to do, where it was, its parameters by release."""
    pages = ["".join(f"{line}\n" for line in _lines(name, paint, width)) for name in names]
    if any(name.replacement == _SURVIVOR for name in names):
        heading = paint("What to call instead", "heading")
        signature = _wrapped(_signature(SURVIVING), width, "   ", first="  ")
        pages.append("".join(f"{line}\n" for line in (heading, f"  {_SURVIVOR}", *signature)))
    return "\n".join(pages)


def title(name: RemovedName) -> str:
    """Its bare name where that says enough, else its last full dotted name."""
    return name.name if name.family == "attention" else name.paths[-1]


def _lines(name: RemovedName, paint: Paint, width: int) -> Iterator[str]:
    yield paint(title(name), "heading")
    link = f", {name.pull_request_url}" if name.pull_request_url else ""
    verb = "Moved" if name.moved else "Removed"
    yield f"{verb} in vLLM {name.removed_in}{link}"
    yield ""
    yield from _wrapped(name.advice, width, "")
    if name.family == "attention":
        yield "`paged-attention-migrate rewrite` does so where it is safe."
    for note in name.notes:
        yield from _wrapped(f"- {note}", width, "  ")
    if name.replacement not in {"", _SURVIVOR}:
        yield from ("", paint("What to use instead", "heading"), f"  {name.replacement}")
    yield from _example(name, paint, width)
    yield from ("", paint("Where it was", "heading"))
    yield from _homes(name)
    yield from _generations(name.generations, paint, width)


def _example(name: RemovedName, paint: Paint, width: int) -> Iterator[str]:
    if name.family != "attention" or name.replacement != _SURVIVOR:
        return
    old = [each.name for each in name.generations[-1].parameters if each.default is REQUIRED]
    new = ["key_cache.shape[1]" if each == "head_mapping" else each for each in old if each not in name.scratch]
    for heading, function, arguments in (("Before", name.name, old), ("After", "paged_attention", new)):
        yield from ("", paint(heading, "heading"))
        yield from _wrapped(f"{function}({', '.join(arguments)})", width, "      ", first="  ")


def _homes(name: RemovedName) -> Iterator[str]:
    paths = max(len(path) for path in name.paths)
    ranges = max(len(_range(home.first, home.last)) for home in name.homes)
    for home, path in zip(name.homes, name.paths, strict=True):
        style = _STYLES.get(home.call_style, "")
        yield f"  {path:{paths}}  {_range(home.first, home.last):{ranges}}  {style}".rstrip()


def _generations(generations: tuple[Generation, ...], paint: Paint, width: int) -> Iterator[str]:
    if generations:
        yield from ("", paint("Parameters by release", "heading"))
    before: dict[str, Parameter] = {}
    for generation in generations:
        now = {each.name: each for each in generation.parameters}
        change = _change(before, now) if before else ""
        before = now
        number = f" (#{generation.pull_request})" if generation.pull_request else ""
        yield from _wrapped(f"  {_range(generation.first, generation.last)}{number}{change}", width, "    ")
        yield from _wrapped(_signature(generation.parameters), width, "     ", first="    ")


def _change(before: dict[str, Parameter], now: dict[str, Parameter]) -> str:
    texts = []
    for verb, names in (
        ("without", [name for name in before if name not in now]),
        ("with", [name for name in now if name not in before]),
        ("another kind of", [name for name in now if name in before and now[name].kind != before[name].kind]),
    ):
        if names:
            texts.append(f"{verb} {', '.join(names)}")
    return f": {'; '.join(texts)}" if texts else ""


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def _signature(parameters: tuple[Parameter, ...]) -> str:
    texts: list[str] = []
    for parameter in parameters:
        if parameter.keyword_only and "*" not in texts:
            texts.append("*")
        texts.append(_parameter(parameter))
    return f"({', '.join(texts)})"


def _parameter(parameter: Parameter) -> str:
    kind = parameter.kind.removeprefix("optional ") + "?" * parameter.kind.startswith("optional ")
    text = parameter.name if kind == "tensor" else f"{parameter.name}: {kind}"
    if parameter.default is not REQUIRED:
        text += f"={parameter.default!r}" if kind == "tensor" else f" = {parameter.default!r}"
    return text.replace(" ", _HARD_SPACE)


def _wrapped(text: str, width: int, indent: str, first: str = "") -> list[str]:
    lines = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(_HARD_SPACE, " ") for line in lines]
