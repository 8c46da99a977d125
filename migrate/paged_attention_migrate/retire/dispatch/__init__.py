"""Functions that choose between the removed functions by a `version`: the arms go, and with them the parameter."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from paged_attention_migrate.edits import NotEditable
from paged_attention_migrate.module import Facts, Module, ParsedText
from paged_attention_migrate.retire.cutting import Overlapping
from paged_attention_migrate.retire.dispatch.choices import Choice, choices
from paged_attention_migrate.settings import Settings
from paged_attention_migrate.source import Source, Undecodable

_CHECKS = frozenset({"opcheck"})


class Specialised(NamedTuple):
    """The new bytes of a module, what was done, and why something was not.

    `moves` says that a call was left to stand for others, and is to be moved.
    """

    data: bytes
    notes: tuple[str, ...]
    refusals: tuple[str, ...] = ()
    moves: bool = False


def specialise(path: str, data: bytes, settings: Settings, is_taken: Callable[[str], bool]) -> Specialised | None:
    """A module without the arms that serve the removed functions alone; None where there are none."""
    text = data
    notes: list[str] = []
    refusals: list[str] = []
    tried: set[tuple[str, str]] = set()
    moves = False
    while True:
        module = _module(path, text, settings)
        if module is None:
            return None
        choice = next((each for each in choices(module) if (each.function.name, each.parameter) not in tried), None)
        if choice is None:
            break
        tried.add((choice.function.name, choice.parameter))
        try:
            result, done = _without_arms(module, choice, is_taken)
        except (NotEditable, Overlapping) as error:
            where = f"{path}:{choice.function.lineno}"
            refusals.append(f"{where}: the arms of `{choice.function.name}` were left: {error}")
            continue
        text = module.source.encode(result)
        notes += done
        moves = moves or choice.moves
    module = _module(path, text, settings)
    if module is not None:
        text, more = _without_checks(module, text)
        notes += more
    return Specialised(text, tuple(notes), tuple(refusals), moves) if notes or refusals else None


def _module(path: str, data: bytes, settings: Settings) -> Module | None:
    try:
        return Module(path, Source(data), settings, Facts(own_definitions=True))
    except (Undecodable, SyntaxError, ValueError, RecursionError):
        return None


def _without_arms(module: Module, choice: Choice, is_taken: Callable[[str], bool]) -> tuple[str, list[str]]:
    import libcst

    from paged_attention_migrate.retire.dispatch.folding import folded
    from paged_attention_migrate.retire.dispatch.lists import decorator_for, left_of
    from paged_attention_migrate.retire.dispatch.parameters import (
        flags_behind,
        with_fewer_values,
        without_flags,
        without_parameter,
    )

    facts = dict(choice.facts)
    decorator = decorator_for(choice.function, choice.parameter)
    if decorator is not None and choice.only is not None and not choice.moves:
        facts.update(_facts_of(left_of(module.tree, decorator.args[1], choice.dead).empty_if))
    keys = frozenset(choice.facts)
    try:
        text = folded(module.source.text, choice.function.name, facts, keys)
    except libcst.ParserSyntaxError as error:
        raise NotEditable(f"LibCST cannot parse the file: {error.message}") from None
    values = ", ".join(f"`{choice.parameter} == {value!r}`" for value in sorted(choice.dead))
    notes = [f"removed the arms of `{choice.function.name}` for {values}"] if choice.dead else []
    notes += [f"`{flag.expression}` is always {value} in what is left" for flag, value in choice.flags]
    parsed = _parsed(module, text)
    if choice.only is None:
        removal = with_fewer_values(parsed, choice, is_taken)
        return removal.text, [*notes, *removal.notes]
    flags = flags_behind(parsed.tree, choice)
    removal = without_parameter(parsed, choice, is_taken)
    last = without_flags(_parsed(module, removal.text), flags)
    return last.text, [*notes, *removal.notes, *last.notes]


def _facts_of(empty_if: str | None) -> dict[str, frozenset[object]]:
    """What holds wherever a test is not skipped."""
    if empty_if is None:
        return {}
    test = ast.parse(empty_if, mode="eval").body
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return {ast.unparse(test.operand): frozenset([True])}
    return {ast.unparse(test): frozenset([False])}


def _parsed(module: Module, text: str) -> ParsedText:
    try:
        return ParsedText(Source(module.source.encode(text)), ast.parse(text))
    except SyntaxError as error:
        raise NotEditable(f"the result does not parse ({error})") from None


def _without_checks(module: Module, data: bytes) -> tuple[bytes, list[str]]:
    """The module without statements that only look at an operator that is deleted here."""
    from paged_attention_migrate.retire.cutting import without
    from paged_attention_migrate.retire.statements import statement_cuts

    operators = {site.node: site for site in module.sites if site.certain and site.path.startswith("torch.ops.")}
    what: dict[ast.stmt, str] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Expr) and isinstance(call := node.value, ast.Call) and call.args:
            site = operators.get(call.args[0])  # type: ignore[call-overload]
            if site is not None and ast.unparse(call.func).rpartition(".")[2] in _CHECKS:
                what[node] = f"removed the check of `{site.path}` (line {node.lineno})"
    if not what:
        return data, []
    text = without(module.source.text, statement_cuts(module, list(what), what))
    return module.source.encode(text), list(what.values())
