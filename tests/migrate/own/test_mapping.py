"""The proof of the mapping: an old call against a recorder with its signature, the rewrite against one with the new.

Both recorders are functions that Python itself makes of the signatures, so nothing here reads them as the tool does.
"""

from __future__ import annotations

import types
from typing import Any, NamedTuple

import hypothesis.strategies as st
from hypothesis import given, settings

from paged_attention_migrate.module import Facts
from paged_attention_migrate.own.table import own_names
from paged_attention_migrate.settings import Settings
from paged_attention_migrate.study import Wanted, study

_IMPORTS = (
    ("from oldlib import ops", "ops.attend"),
    ("import oldlib.ops", "oldlib.ops.attend"),
    ("from oldlib.ops import attend", "attend"),
    ("from oldlib.ops import attend as run", "run"),
)


class Written(NamedTuple):
    """A call as text, and what the settings say of the function that it calls."""

    source: str
    entry: dict[str, Any]
    has_to_move: bool


class Drawn(NamedTuple):
    """A parameter: its name, whether it goes by position, by keyword or both, and its default as text."""

    name: str
    kind: str
    default: str | None


def signature(parameters: list[Drawn]) -> str:
    parts: list[str] = []
    for number, each in enumerate(parameters):
        before = parameters[number - 1].kind if number else ""
        if before == "position" and each.kind != "position":
            parts.append("/")
        if each.kind == "keyword" and before != "keyword":
            parts.append("*")
        parts.append(each.name if each.default is None else f"{each.name}={each.default}")
    if parameters and parameters[-1].kind == "position":
        parts.append("/")
    return f"({', '.join(parts)})"


@st.composite
def drawn(draw: st.DrawFn, names: list[str], plain: bool, needed: bool) -> list[Drawn]:
    """Parameters of these names; `plain` ones have literal defaults and all may go by keyword."""
    by_position = 0 if plain else draw(st.integers(0, len(names)))
    by_keyword = draw(st.integers(by_position, len(names)))
    with_default = draw(st.integers(0, by_keyword))
    found = []
    for number, name in enumerate(names):
        kind = "position" if number < by_position else "both" if number < by_keyword else "keyword"
        has_default = draw(st.booleans()) if kind == "keyword" else number >= with_default
        texts = ["1", "'auto'", "None", "-2.5", *([] if plain else ["LIMIT"])]
        default = draw(st.sampled_from(texts)) if has_default or not needed else None
        found.append(Drawn(name, kind, default))
    return found


@st.composite
def calls(draw: st.DrawFn) -> Written:
    plain = draw(st.booleans())
    names = ["a", "b", "c", "d", "e"][: draw(st.integers(1, 5))]
    old = draw(drawn(names, plain, needed=True))
    dropped = draw(st.lists(st.sampled_from(names), unique=True, max_size=2))
    kept = [name for name in names if name not in dropped]
    renamed = {name: f"{name}_new" for name in kept if draw(st.booleans())}
    places = draw(st.permutations([renamed.get(name, name) for name in kept]))
    new = draw(drawn(places, plain, needed=True))
    extra = draw(st.sampled_from(["", "extra"]))
    if extra:
        new = with_extra(new, draw(st.integers(0, len(new))))
    given_ = arguments(draw, old, dropped)
    text, callee = draw(st.sampled_from(_IMPORTS))
    between = draw(st.sampled_from([", ", ",\n        "]))
    tail = "," if between != ", " and given_ else ""
    source = f"{text}\n\n\ndef call(note, a, b, c, d, e):\n    return {callee}({between.join(given_)}{tail})\n"
    entry = {"name": "attend", "homes": ["oldlib.ops"], "signature": signature(old), "renamed": renamed}
    entry |= {"replacement": "newlib.ops.attend_to", "replacement-signature": signature(new), "dropped": dropped}
    return Written(source, entry, plain)


def with_extra(parameters: list[Drawn], at: int) -> list[Drawn]:
    """One more parameter that has a default; those behind it that go by position must have one, too, so it moves."""
    while at < len(parameters) and parameters[at].kind != "keyword" and parameters[at].default is None:
        at += 1
    kind = parameters[at].kind if at < len(parameters) else "keyword"
    return [*parameters[:at], Drawn("extra", kind, "'as it was'"), *parameters[at:]]


def arguments(draw: st.DrawFn, old: list[Drawn], dropped: list[str]) -> list[str]:
    """What a call passes: some by position, the others by keyword in any order, some not at all."""
    count = draw(st.integers(0, len([each for each in old if each.kind != "keyword"])))
    count = max(count, len([each for each in old if each.kind == "position" and each.default is None]))
    found, named = [], []
    for number, each in enumerate(old):
        value = each.name if each.name in dropped else f"note({each.name!r})"
        if number < count:
            found.append(value)
        elif each.kind != "position" and (each.default is None or draw(st.booleans())):
            named.append(f"{each.name}={value}")
    return [*found, *draw(st.permutations(named))]


def run(source: str, module: str, function: str, parameters: str) -> tuple[dict[str, Any], list[str]]:
    """What a call gives a recorder with a signature, and the order in which its arguments were evaluated."""
    space: dict[str, Any] = {"LIMIT": "limit"}
    exec(f"def {function}{parameters}:\n    return dict(locals())\n", space)
    package, ops = types.ModuleType(module), types.ModuleType(f"{module}.ops")
    vars(package)["ops"] = ops
    vars(ops)[function] = space[function]

    def imported(name: str, _globals: object, _locals: object, names: tuple[str, ...] | None, _level: int) -> Any:
        return ops if names and name == f"{module}.ops" else package

    order: list[str] = []

    def note(name: str) -> str:
        order.append(name)
        return f"value of {name}"

    inside: dict[str, Any] = {"__builtins__": {"__import__": imported}}
    exec(source, inside)
    return inside["call"](note, *(f"value of {name}" for name in "abcde")), order


def rewritten(written: Written) -> str | None:
    chosen = Settings(removed=own_names([written.entry], "here:"))
    result = study("case.py", written.source.encode(), chosen, Facts(), Wanted(rewrite=True, simplify=False))
    return result.after.decode() if result.after is not None else None


@settings(max_examples=600, deadline=None)
@given(calls())
def test_a_rewritten_call_gives_every_parameter_what_it_had(written: Written) -> None:
    after = rewritten(written)
    if after is None:
        assert not written.has_to_move, written
        return
    assert "oldlib" not in after
    before, order = run(written.source, "oldlib", "attend", written.entry["signature"])
    now, order_now = run(after, "newlib", "attend_to", written.entry["replacement-signature"])
    assert order_now == order
    renamed, dropped = written.entry["renamed"], written.entry["dropped"]
    wanted = {renamed.get(name, name): value for name, value in before.items() if name not in dropped}
    assert {name: value for name, value in now.items() if name != "extra"} == wanted
    assert now.get("extra", "as it was") == "as it was"


@settings(max_examples=100, deadline=None)
@given(calls())
def test_a_second_run_changes_nothing(written: Written) -> None:
    after = rewritten(written)
    if after is not None:
        assert rewritten(written._replace(source=after)) is None
