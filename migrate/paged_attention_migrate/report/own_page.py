"""The page about a removed name that the settings tell of, with a call before and after."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import Parameter
from typing import TYPE_CHECKING

from paged_attention_migrate.own import OwnName

if TYPE_CHECKING:
    from paged_attention_migrate.report.colour import Paint


def own_page(own: OwnName, paint: Paint) -> str:
    """What the settings say of a name, and what that makes of a call."""
    return "".join(f"{line}\n" for line in _lines(own, paint))


def since(own: OwnName) -> str:
    """Since when it is gone, as far as the settings say."""
    return f"gone since {own.since}" if own.since else "gone"


def _lines(own: OwnName, paint: Paint) -> Iterator[str]:
    yield paint(own.name, "heading")
    told = since(own) + (f": {own.reason}" if own.reason else "")
    yield f"G{told[1:]}"
    yield "One of your own names: [[tool.paged-attention-migrate.removed]] in pyproject.toml tells of it."
    if own.replacement is None:
        yield "It names no replacement, so the name is reported and left for you."
    elif own.safe:
        yield "`paged-attention-migrate rewrite` makes the edits that can be proved."
    else:
        yield "`paged-attention-migrate rewrite --unsafe` makes the edits: the settings say `safe = false`."
    yield from ("", paint("Where it was", "heading"))
    for path in own.paths:
        yield f"  {path}{own.signature or ''}"
    if own.replacement is None:
        return
    yield from ("", paint("What to call instead", "heading"), f"  {own.replacement}{own.replacement_signature or ''}")
    if own.signature is None:
        yield "  with the same arguments"
    for old, new in own.renamed:
        yield f"  {old} becomes {new}"
    for old in own.dropped:
        yield f"  {old} is dropped"
    before, after = _example(own)
    yield from ("", paint("Before", "heading"), f"  {before}", "", paint("After", "heading"), f"  {after}")


def _example(own: OwnName) -> tuple[str, str]:
    """A call that passes what it has to, and what the rewrite makes of it."""
    import ast

    from paged_attention_migrate.calls.arguments import arguments_of
    from paged_attention_migrate.edits import rewrite_call
    from paged_attention_migrate.targets.own import NoPlace, plan_of

    before = f"{own.paths[0]}({', '.join(_passed(own))})"
    call = ast.parse(before, mode="eval").body
    assert isinstance(call, ast.Call)
    try:
        return before, rewrite_call(before, own.replacement, plan_of(own, arguments_of(call)))
    except NoPlace as error:
        return before, f"left for you: {error}"


def _passed(own: OwnName) -> Iterator[str]:
    if own.signature is None:
        yield "..."
        return
    from paged_attention_migrate.own.signatures import signature_of

    for name, parameter in signature_of(own.signature).parameters.items():
        if parameter.default is Parameter.empty:
            yield f"{name}={name}" if parameter.kind is Parameter.KEYWORD_ONLY else name
