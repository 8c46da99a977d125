"""Takes a parameter out that has nothing left to choose: with its arguments, its decorator and its flag."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from paged_attention_migrate.edits import Edit, NotEditable, apply_edits
from paged_attention_migrate.module import ParsedText
from paged_attention_migrate.retire.cutting import Cut, without
from paged_attention_migrate.retire.dispatch.arguments import argument_for, calls_of, default_of, has_star
from paged_attention_migrate.retire.dispatch.choices import Choice
from paged_attention_migrate.retire.dispatch.flags import Flag, flags_of, reads, reads_everything
from paged_attention_migrate.retire.dispatch.lists import Left, decorator_for, elements, left_of, resolved
from paged_attention_migrate.retire.statements import statement_cuts
from paged_attention_migrate.simplify.purity import Purity
from paged_attention_migrate.simplify.scopes import Scopes

_WIDTH = 80


class Removal(NamedTuple):
    """The text afterwards and what was done."""

    text: str
    notes: tuple[str, ...]


def without_parameter(parsed: ParsedText, choice: Choice, is_taken: Callable[[str], bool]) -> Removal:
    """The module without a parameter of which one value is left; raises NotEditable."""
    function = _function(parsed.tree, choice.function.name)
    _nothing_reads(function, choice.parameter)
    if is_taken(function.name):
        raise NotEditable(f"another file takes {function.name}")
    calls = calls_of(parsed.tree, function)
    notes = [f"removed the parameter `{choice.parameter}` of `{function.name}`: {_why(choice)}"]
    cuts = [_parameter_cut(parsed, function, choice.parameter)]
    edits: list[Edit] = []
    cuts += [cut for call in calls if (cut := _argument_cut(parsed, function, call, choice.parameter)) is not None]
    decorator = decorator_for(function, choice.parameter)
    if decorator is not None:
        # Where all values have become one call, each of them runs on: nothing is to be skipped.
        left = Left(True) if choice.moves else left_of(parsed.tree, decorator.args[1], choice.dead)
        change = _decorator(parsed, decorator, left, choice)
        if isinstance(change, Cut):
            cuts.append(change)
        else:
            edits.append(change)
        condition = f", and `{left.empty_if}` skips" if left.empty_if else ""
        notes.append(f"removed its values from `parametrize`{condition}")
    text = without(parsed.source.text, cuts) if not edits else apply_edits_and_cuts(parsed.source.text, edits, cuts)
    return Removal(text, tuple(notes))


def without_flags(parsed: ParsedText, given: tuple[Flag, ...]) -> Removal:
    """The module without flags that nothing reads any more; raises NotEditable where one is still read."""
    names = {flag.option for flag in given}
    what: dict[ast.stmt, str] = {}
    for flag in flags_of(parsed.tree):
        if flag.option not in names:
            continue
        if reads(parsed.tree, flag.expression) or reads_everything(parsed.tree, flag):
            raise NotEditable(f"{flag.option} is still read")
        what[flag.statement] = f"removed the flag {flag.option}: there is nothing left to choose"
    return Removal(without(parsed.source.text, statement_cuts(parsed, list(what), what)), tuple(what.values()))


def with_fewer_values(parsed: ParsedText, choice: Choice, is_taken: Callable[[str], bool]) -> Removal:
    """The module without the dead values of a parameter that still has several; raises NotEditable."""
    function = _function(parsed.tree, choice.function.name)
    if is_taken(function.name):
        raise NotEditable(f"another file takes {function.name}")
    for call in calls_of(parsed.tree, function):
        value = argument_for(function, call, choice.parameter)
        if isinstance(value, ast.Constant) and value.value in choice.dead:
            raise NotEditable(f"line {call.lineno} asks for {value.value!r}, which is gone")
    default = default_of(function, choice.parameter)
    if isinstance(default, ast.Constant) and default.value in choice.dead:
        raise NotEditable(f"the default of `{choice.parameter}` is one of the values that are gone")
    going: list[ast.Constant] = []
    decorator = decorator_for(function, choice.parameter)
    if decorator is not None:
        going += elements(parsed.tree, decorator.args[1])
    for flag in _flags_for(parsed.tree, function, choice.parameter):
        if isinstance(flag.default, ast.Constant) and flag.default.value in choice.dead:
            raise NotEditable(f"the default of {flag.option} is one of the values that are gone")
        if flag.choices is not None:
            going += elements(parsed.tree, resolved(parsed.tree, flag.choices))
    dead = [each for each in going if each.value in choice.dead]
    cuts = [Cut(*parsed.span(each), item=True) for each in dead]
    values = ", ".join(sorted(choice.dead))
    return Removal(without(parsed.source.text, cuts), (f"removed the values {values} of `{choice.parameter}`",))


def flags_behind(tree: ast.Module, choice: Choice) -> tuple[Flag, ...]:
    """The flags that only served the dispatch: the one of the parameter, and the switches that are decided."""
    function = _function(tree, choice.function.name)
    return (*_flags_for(tree, function, choice.parameter), *(flag for flag, _ in choice.flags))


def apply_edits_and_cuts(text: str, edits: list[Edit], cuts: list[Cut]) -> str:
    """Make replacements first, and the cuts at the places where they then are."""
    moved = []
    for cut in cuts:
        if any(edit.start < cut.end and cut.start < edit.end for edit in edits):
            raise NotEditable("two edits overlap")
        shift = sum(len(edit.new) - (edit.end - edit.start) for edit in edits if edit.end <= cut.start)
        moved.append(cut._replace(start=cut.start + shift, end=cut.end + shift))
    return without(apply_edits(text, edits), moved)


def _flags_for(tree: ast.Module, function: ast.FunctionDef, parameter: str) -> list[Flag]:
    given = {
        ast.unparse(value)
        for call in calls_of(tree, function)
        if (value := argument_for(function, call, parameter)) is not None
    }
    return [flag for flag in flags_of(tree) if flag.expression in given]


def _function(tree: ast.Module, name: str) -> ast.FunctionDef:
    found = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == name]
    if len(found) != 1:
        raise NotEditable(f"there is more than one {name}")
    return found[0]


def _nothing_reads(function: ast.FunctionDef, parameter: str) -> None:
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == parameter:
            raise NotEditable(f"line {node.lineno} still reads `{parameter}`")


def _argument_cut(parsed: ParsedText, function: ast.FunctionDef, call: ast.Call, parameter: str) -> Cut | None:
    if has_star(call):
        raise NotEditable(f"a star hides the arguments of `{function.name}` in line {call.lineno}")
    value = argument_for(function, call, parameter)
    if value is None:
        return None
    if not Purity(Scopes(parsed.tree)).is_pure(value):
        raise NotEditable(f"the argument for `{parameter}` in line {value.lineno} may do something")
    keyword = next((each for each in call.keywords if each.value is value), None)
    start, end = parsed.span(value)
    if keyword is not None:
        start = parsed.source.offset(keyword.lineno, keyword.col_offset)
    return Cut(start, end, item=True)


def _parameter_cut(parsed: ParsedText, function: ast.FunctionDef, parameter: str) -> Cut:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    node = next(each for each in every if each.arg == parameter)
    if (arguments.posonlyargs and node in arguments.posonlyargs and len(arguments.posonlyargs) == 1) or (
        arguments.kwonlyargs == [node] and arguments.vararg is None
    ):
        raise NotEditable(f"`{parameter}` is the only parameter beside a `/` or `*`")
    default = default_of(function, parameter)
    start = parsed.source.offset(node.lineno, node.col_offset)
    last = default if default is not None else node
    assert last.end_lineno is not None
    assert last.end_col_offset is not None
    return Cut(start, parsed.source.offset(last.end_lineno, last.end_col_offset), item=True)


def _decorator(parsed: ParsedText, decorator: ast.Call, left: Left, choice: Choice) -> Cut | Edit:
    """The `parametrize` goes; where its list would be empty under a condition, a `skipif` takes its place."""
    start, end = parsed.span(decorator)
    if left.empty_if is None:
        at = parsed.source.text.rfind("@", 0, start)
        return Cut(at, end)
    assert isinstance(decorator.func, ast.Attribute)
    mark = ast.unparse(decorator.func.value)
    reason = f'reason="only {choice.parameter} {choice.only} is left"'
    plain = f"{mark}.skipif({left.empty_if}, {reason})"
    newline = "\r\n" if "\r\n" in parsed.source.text else "\n"
    broken = f"{mark}.skipif({newline}    {left.empty_if}, {reason}{newline})"
    return Edit(start, end, plain if len(plain) < _WIDTH else broken)


def _why(choice: Choice) -> str:
    if choice.moves:
        return "all its values had become the same call"
    return f"only {choice.only!r} is left"
