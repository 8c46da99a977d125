"""A function that chooses between the removed functions by a parameter, and which values still lead somewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from paged_attention_migrate.edits import NotEditable
from paged_attention_migrate.module import Module, Site
from paged_attention_migrate.retire.dispatch.arguments import argument_for, calls_of, default_of, has_star
from paged_attention_migrate.retire.dispatch.conditions import Facts, mentions
from paged_attention_migrate.retire.dispatch.flags import Flag, flags_of
from paged_attention_migrate.retire.dispatch.lists import decorator_for, texts_of
from paged_attention_migrate.retire.dispatch.reach import reached, statements_run

_MOST_ASSIGNMENTS = 256
_PREPARES = (ast.Assign, ast.AnnAssign, ast.Assert, ast.Global, ast.Raise, ast.If, ast.Pass)

Sites = Mapping[ast.AST, Site]


class Choice(NamedTuple):
    """A dispatch: the function, its parameter, and the facts that are left when the dead values are out of the way.

    `only` is the one value that is left, `dead` those that went, `flags` the switches that are decided, too.
    `moves` says that no value survives by itself: the one that is kept is moved to the surviving function.
    """

    function: ast.FunctionDef
    parameter: str
    facts: dict[str, frozenset[object]]
    only: str | None
    dead: frozenset[str]
    flags: tuple[tuple[Flag, bool], ...] = ()
    moves: bool = False


def choices(module: Module) -> Iterator[Choice]:
    """Every dispatch of a module's functions."""
    for function in module.tree.body:
        if isinstance(function, ast.FunctionDef):
            for parameter in _parameters(function):
                choice = _choice(module, function, parameter)
                if choice is not None:
                    yield choice


def _choice(module: Module, function: ast.FunctionDef, parameter: str) -> Choice | None:
    sites: Sites = {site.node: site for site in module.sites}
    heads = [
        node for node in ast.walk(function) if isinstance(node, ast.If) and mentions(node.test, frozenset({parameter}))
    ]
    if not any(_compared_with_text(node.test, parameter) for node in heads) or not _holds(function, sites):
        return None
    if _is_bound_inside(function, parameter):
        return None
    # A caller that is out of sight may want any value, also one that is gone.
    domain = listed_values(module.tree, function, parameter)
    flags = [flag for flag in flags_of(module.tree) if flag.is_switch and _asks(function, flag.expression)]
    if not domain or len(domain) * 2 ** len(flags) > _MOST_ASSIGNMENTS:
        return None
    alive: list[dict[str, object]] = []
    dead: list[dict[str, object]] = []
    for value, *switches in product(sorted(domain), *[(False, True)] * len(flags)):
        given: dict[str, object] = {parameter: value}
        given.update(zip((flag.expression for flag in flags), switches, strict=True))
        facts = {key: frozenset([each]) for key, each in given.items()}
        run = reached(function.body, facts, parameter)
        if any(isinstance(node, ast.Raise) for node in run):
            continue
        (dead if any(node in sites for node in run) else alive).append(given)
    if not dead:
        return None
    if not alive:
        return _moved(function, parameter, dead, sites)
    values = {str(each[parameter]) for each in alive}
    gone = frozenset(domain) - values
    decided = []
    for flag in flags:
        settings = {each[flag.expression] for each in alive}
        if len(settings) == 1 and any(
            each[flag.expression] not in settings for each in dead if each[parameter] in values
        ):
            decided.append((flag, bool(settings.pop())))
    facts = {parameter: frozenset[object](values)}
    facts.update({flag.expression: frozenset([value]) for flag, value in decided})
    only = next(iter(values)) if len(values) == 1 else None
    if not _rids_of_sites(function, facts, sites):
        return None
    return Choice(function, parameter, facts, only, gone, tuple(decided))


def _moved(function: ast.FunctionDef, parameter: str, dead: Sequence[dict[str, object]], sites: Sites) -> Choice | None:
    """Every value calls a removed function: the one without scratch stands for all, as they become the same call."""
    runs = {str(each[parameter]): _run(function, parameter, each[parameter]) for each in dead}
    for only, run in runs.items():
        used = [sites[node] for statement in run for node in _own_nodes(statement) if node in sites]
        others = frozenset(runs) - {only}
        if not others or not used or any(site.name.scratch for site in used):
            continue
        if all(_differ_by_the_call(run, runs[other], sites) for other in others):
            facts = {parameter: frozenset[object]([only])}
            return Choice(function, parameter, facts, only, others, (), moves=True)
    return None


def _run(function: ast.FunctionDef, parameter: str, value: object) -> set[ast.stmt]:
    return set(statements_run(function.body, {parameter: frozenset([value])}))


def _differ_by_the_call(run: set[ast.stmt], other: set[ast.stmt], sites: Sites) -> bool:
    """Whether two runs differ by a call of a removed function each, and by what prepares it."""
    for mine in (run - other, other - run):
        calls = {each for each in mine if any(node in sites for node in _own_nodes(each))}
        if not calls or not all(isinstance(each, _PREPARES) for each in mine - calls):
            return False
    return True


def _own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement; of an `if` those of its test."""
    return ast.walk(statement.test if isinstance(statement, ast.If) else statement)


def _rids_of_sites(function: ast.FunctionDef, facts: Facts, sites: Sites) -> bool:
    return not any(node in sites for node in reached(function.body, facts, ""))


def _parameters(function: ast.FunctionDef) -> list[str]:
    arguments = function.args
    return [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _is_bound_inside(function: ast.FunctionDef, name: str) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, ast.arg) and node.arg == name and node not in _own_arguments(function):
            return True
    return False


def _own_arguments(function: ast.FunctionDef) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def _holds(function: ast.FunctionDef, sites: Sites) -> bool:
    return any(inner in sites for statement in function.body for inner in ast.walk(statement))


def _compared_with_text(test: ast.expr, parameter: str) -> bool:
    return bool(_texts_compared(test, parameter))


def _texts_compared(tree: ast.AST, parameter: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(
            isinstance(each, ast.Name) and each.id == parameter for each in (node.left, *node.comparators)
        ):
            found |= {
                each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)
            }
    return found


def _asks(function: ast.FunctionDef, expression: str) -> bool:
    return any(isinstance(node, ast.If) and mentions(node.test, frozenset({expression})) for node in ast.walk(function))


def listed_values(tree: ast.Module, function: ast.FunctionDef, parameter: str) -> set[str] | None:
    """All the values that a parameter gets, from its `parametrize` or its calls; None where that cannot be told."""
    decorator = decorator_for(function, parameter)
    if decorator is not None:
        return texts_of(tree, decorator.args[1])
    try:
        calls = calls_of(tree, function)
    except NotEditable:
        return None
    found: set[str] = set()
    for call in calls:
        value = argument_for(function, call, parameter) or default_of(function, parameter)
        given = None if has_star(call) or value is None else _texts_given(tree, value)
        if not given:
            return None
        found |= given
    return found or None


def _texts_given(tree: ast.Module, value: ast.expr) -> set[str]:
    """The strings that an argument can be: itself, or the choices of a flag."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return {value.value}
    read = ast.unparse(value)
    flag = next((each for each in flags_of(tree) if each.expression == read and each.choices is not None), None)
    return texts_of(tree, flag.choices) if flag is not None and flag.choices is not None else set()
