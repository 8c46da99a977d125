"""Every place that a buffer is kept in: a variable, a field (`self.tmp`) or an item (`workspace[0]`).

Whatever takes a buffer from one place to another adds a place: an assignment, a view, a tuple, an unpacking, a loop,
a `with`, a container's `append`, `register_buffer`, the result of a function that was given it, an object whose method
was, and the parameter of a function of the same file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from paged_attention_migrate.module import Module
from paged_attention_migrate.simplify.scopes import Scopes, Usage

_VIEWS = frozenset({"T", "mT", "as_strided", "chunk", "contiguous", "data", "detach", "expand", "flatten", "narrow"})
_VIEWS |= {"permute", "reshape", "select", "split", "squeeze", "t", "to", "transpose", "unbind", "unflatten", "unfold"}
_VIEWS |= {"unsqueeze", "view", "view_as"}
_TAKES_OUT = frozenset({"get", "items", "pop", "setdefault", "values"})
_KEEPS_AS = frozenset({"register_buffer", "register_parameter", "__setattr__"})


class Place(NamedTuple):
    """Where a buffer is kept: `name`, and the path from there; a parameter's fields are the same in every function."""

    name: Usage | None
    path: str = ""
    last_part: object = None

    @property
    def is_local(self) -> bool:
        """Whether it is a variable of a function."""
        return self.name is not None and not self.path and self.name.scope.is_function


class Parameters(NamedTuple):
    """The parameters of a function, as a call's arguments find them; `rest` and `named_rest` are those with stars."""

    positional: tuple[str, ...]
    rest: str | None
    named_rest: str | None

    @classmethod
    def of(cls, parameters: ast.arguments) -> Parameters:
        """Those of a definition."""
        positional = tuple(each.arg for each in (*parameters.posonlyargs, *parameters.args))
        rest, named_rest = (each.arg if each is not None else None for each in (parameters.vararg, parameters.kwarg))
        return cls(positional, rest, named_rest)

    def given(self, name: str, call: ast.Call, skipped: int) -> Iterator[ast.expr]:
        """The arguments of a call that a parameter may be given; a starred one may be given to any."""
        positional = self.positional[skipped:]
        for index, argument in enumerate(call.args):
            if isinstance(argument, ast.Starred):
                yield argument.value
                break
            if (positional[index] if index < len(positional) else self.rest) == name:
                yield argument
        for keyword in call.keywords:
            if keyword.arg in (name, None) or self.named_rest == name:
                yield keyword.value


class Places:
    """The places of one module, and the ways between them."""

    def __init__(self, module: Module) -> None:
        self._module = module

    @cached_property
    def _scopes(self) -> Scopes:
        return Scopes(self._module.tree)

    @cached_property
    def _calls(self) -> list[ast.Call]:
        return [node for node in ast.walk(self._module.tree) if isinstance(node, ast.Call)]

    @cached_property
    def _moves(self) -> list[tuple[ast.expr, ast.expr]]:
        """Target and source of every assignment, unpacked where both sides can be; loops give any item to a target."""
        found: list[tuple[ast.expr, ast.expr]] = []
        for node in ast.walk(self._module.tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    found += _unpacked(target, node.value)
                    found += [(target, other) for other in node.targets if other is not target]
            elif isinstance(node, (ast.AnnAssign, ast.NamedExpr, ast.AugAssign)) and node.value is not None:
                found.append((node.target, node.value))
            elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
                found += [(target, node.iter) for target in _leaves(node.target)]
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                found += [(target, node.context_expr) for target in _leaves(node.optional_vars)]
        return found

    @cached_property
    def _dotted(self) -> dict[object, list[ast.Attribute | ast.Subscript]]:
        """Where fields and items are read, by the last part of their path: a text costs more than all else."""
        found: dict[object, list[ast.Attribute | ast.Subscript]] = {}
        for node in ast.walk(self._module.tree):
            named = isinstance(node, ast.Attribute) or (isinstance(node, ast.Subscript) and _is_item(node))
            if named and isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Load):
                found.setdefault(_last_part(node), []).append(node)
        return found

    def of(self, node: ast.expr) -> list[Place]:
        """The place that an expression names; a slice or an unknown item is its whole container."""
        if isinstance(node, ast.Name):
            return [Place(usage) for usage in self._scopes.owners.get(node, ())]
        if isinstance(node, ast.Subscript) and not _is_item(node):
            return self.of(node.value)
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            root: ast.expr = node
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            owners = self._scopes.owners.get(root, ()) if isinstance(root, ast.Name) else ()
            local = [usage for usage in owners if usage.scope.is_function and not usage.is_parameter]
            return [Place(local[0] if local else None, ast.unparse(node), _last_part(node))]
        return []

    def loads(self, place: Place) -> list[ast.expr]:
        """Where a place is read; for an item, also where its container is, other than for one item."""
        if place.name is not None and not place.path:
            return [mention.node for mention in place.name.reads if isinstance(mention.node, ast.Name)]
        found: list[ast.expr] = [node for node in self._dotted.get(place.last_part, ()) if place in self.of(node)]
        containers = {
            container
            for node in found
            if place.path.endswith("]") and isinstance(node, ast.Subscript)
            for container in self.of(node.value)
        }
        for container in containers:
            for use in self.loads(container):
                parent = self._module.parent(use)
                if not (isinstance(parent, ast.Subscript) and _is_item(parent)):
                    found.append(use)
        return found

    def held_by(self, value: ast.expr) -> Iterator[Place]:
        """The places whose buffer an expression is, or may hold."""
        if isinstance(value, (ast.Tuple, ast.List, ast.Set, ast.BoolOp)):
            for element in value.values if isinstance(value, ast.BoolOp) else value.elts:
                yield from self.held_by(element)
        elif isinstance(value, ast.IfExp):
            yield from self.held_by(value.body)
            yield from self.held_by(value.orelse)
        elif isinstance(value, ast.NamedExpr):
            yield from self.of(value.target)
            yield from self.held_by(value.value)
        elif isinstance(value, ast.Starred):
            yield from self.held_by(value.value)
        elif isinstance(value, ast.Call):
            function = value.func
            if isinstance(function, ast.Attribute) and function.attr in _VIEWS | _TAKES_OUT:
                yield from self.held_by(function.value) if not _is_instance(function.value) else ()
        elif isinstance(value, ast.Attribute) and value.attr in _VIEWS:
            yield from self.held_by(value.value)
        else:
            yield from self.of(value)

    def before(self, place: Place) -> Iterator[Place]:
        """The places from which assignments fill one."""
        for target, source in self._moves:
            if place in self.of(target):
                yield from self.held_by(source)

    def after(self, carried: list[ast.expr]) -> Iterator[Place]:
        """The places to which the statement around an expression takes it, of which all of `carried` hold it."""
        outer = carried[-1]
        sources = {id(expression) for expression in carried}
        parent = self._module.parent(outer)
        if isinstance(parent, ast.keyword):
            parent = self._module.parent(parent)
        if isinstance(parent, ast.Call) and outer is not parent.func:
            sources = {id(parent)}  # what a function makes of a buffer may hold it
            yield from self._kept_by(parent)
        for target, source in self._moves:
            if id(source) in sources:
                yield from self.of(target)

    def _kept_by(self, call: ast.Call) -> Iterator[Place]:
        """The object whose method is given a buffer, or the field under which it is kept."""
        function, given = call.func, call.args
        names_it = isinstance(function, ast.Attribute) and function.attr in _KEEPS_AS
        owner = function.value if isinstance(function, ast.Attribute) and names_it else None
        if isinstance(function, ast.Name) and function.id == "setattr" and given:
            owner, given = given[0], given[1:]
        name = given[0].value if owner is not None and given and isinstance(given[0], ast.Constant) else None
        if owner is not None and isinstance(name, str):
            yield Place(None, f"{ast.unparse(owner)}.{name}", name)
        elif isinstance(function, ast.Attribute) and not function.attr.endswith("_"):  # in place, as copy_, keeps none
            receiver = function.value
            if not _is_instance(receiver):
                yield from (place for place in self.of(receiver) if not (place.name and place.name.import_paths))

    def passed_as(self, place: Place) -> Iterator[tuple[ast.expr, ast.Call]]:
        """What calls in this file pass for a parameter, each with its call."""
        if place.name is None or place.path or not place.name.is_parameter:
            return
        function = place.name.scope.node
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            parameters = Parameters.of(function.args)
            for call, skipped in self._calls_of(function):
                yield from ((value, call) for value in parameters.given(place.name.name, call, skipped))

    def calls_named(self, name: str) -> list[ast.Call]:
        """The calls of anything that has this name, or ends in it."""
        return [
            call for call in self._calls if name in (getattr(call.func, "id", None), getattr(call.func, "attr", None))
        ]

    def fields_named(self, name: str) -> list[ast.expr]:
        """Where fields of this name are read, of whatever object."""
        return [node for node in self._dotted.get(name, ()) if isinstance(node, ast.Attribute)]

    def imported_as(self, name: str) -> list[Place]:
        """The variables that an import binds to something of this name."""
        usages = (usage for scope in self._scopes.of_node.values() for usage in scope.names.values())
        return [Place(usage) for usage in usages if any(path.endswith(f".{name}") for path in usage.import_paths)]

    def _calls_of(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[ast.Call, int]]:
        """Calls that may be of a function, and how many parameters they leave to the object that it is taken from."""
        around = self._module.parent(function)
        decorators = {each.id for each in function.decorator_list if isinstance(each, ast.Name)}
        in_class = around if isinstance(around, ast.ClassDef) else None
        for call in self._calls:
            if in_class is None:
                if isinstance(call.func, ast.Name) and call.func.id == function.name:
                    yield call, 0
            elif isinstance(call.func, ast.Attribute) and call.func.attr == function.name:
                by_class = isinstance(call.func.value, ast.Name) and call.func.value.id == in_class.name
                unbound = "staticmethod" in decorators or (by_class and "classmethod" not in decorators)
                yield call, 0 if unbound else 1
            elif isinstance(call.func, ast.Name) and call.func.id == in_class.name and function.name == "__init__":
                yield call, 1


def carries(parent: ast.AST | None, node: ast.expr) -> bool:
    """Whether an expression still is, or holds, the buffer that is one of its parts."""
    if isinstance(parent, (ast.Tuple, ast.List, ast.Set, ast.Starred, ast.BoolOp, ast.NamedExpr)):
        return True
    if isinstance(parent, ast.Subscript):
        return node is parent.value
    if isinstance(parent, ast.Attribute):
        return parent.attr in _VIEWS | _TAKES_OUT
    if isinstance(parent, ast.Call):
        return isinstance(node, ast.Attribute) and node is parent.func and node.attr in _VIEWS | _TAKES_OUT
    if isinstance(parent, ast.IfExp):
        return node is not parent.test
    if isinstance(parent, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        return node is parent.elt
    if isinstance(parent, ast.DictComp):
        return node is parent.value
    return isinstance(parent, ast.Dict) and node in parent.values


def is_uncalled_method(node: ast.expr) -> bool:
    """Whether an expression is a container's method itself, not what it gives."""
    return isinstance(node, ast.Attribute) and node.attr in _TAKES_OUT


def _last_part(node: ast.Attribute | ast.Subscript) -> object:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.slice.value if isinstance(node.slice, ast.Constant) else None


def _is_item(node: ast.Subscript) -> bool:
    return isinstance(node.slice, ast.Constant)


def _is_instance(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in {"self", "cls"}


def _leaves(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _leaves(element)
    else:
        yield target.value if isinstance(target, ast.Starred) else target


def _unpacked(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        starred = any(isinstance(part, ast.Starred) for part in [*target.elts, *value.elts])
        if len(target.elts) == len(value.elts) and not starred:
            for inner, part in zip(target.elts, value.elts, strict=True):
                yield from _unpacked(inner, part)
            return
    yield from ((leaf, value) for leaf in _leaves(target))
