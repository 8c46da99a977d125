"""What becomes of a call's scratch buffers: every place that they are kept in, and who reads one afterwards.

A place is a variable, a field (`self.tmp`) or an item (`workspace[0]`). Whatever takes a buffer from one place to
another adds a place, until no new one is found: an assignment, a view, a tuple, an unpacking, a loop over buffers, a
container's `append`, the result of a function that was given it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from paged_attention_migrate.module import Module, Site
from paged_attention_migrate.simplify.scopes import Scopes, Usage

_LOOKED_AT = frozenset({"shape", "dtype", "device", "ndim", "size", "stride", "numel", "dim", "is_cuda", "data_ptr"})
_VIEWS = frozenset({"T", "mT", "as_strided", "chunk", "contiguous", "data", "detach", "expand", "flatten", "narrow"})
_VIEWS |= {"permute", "reshape", "select", "split", "squeeze", "t", "to", "transpose", "unbind", "unflatten", "unfold"}
_VIEWS |= {"unsqueeze", "view", "view_as"}
_TAKES_OUT = frozenset({"get", "items", "pop", "setdefault", "values"})
_PUTS_IN = frozenset({"add", "append", "appendleft", "extend", "insert", "put", "setdefault", "update"})
_ABOUT_A_CONTAINER = frozenset({"clear", "keys"})
_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_ABOUT_AN_OBJECT = frozenset({"callable", "id", "isinstance", "len", "type"})


class Place(NamedTuple):
    """Where a buffer is kept: `name`, and the path from there; a parameter's fields are the same in every function."""

    name: Usage | None
    path: str = ""
    last_part: object = None


class Buffers:
    """Follows buffers through one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._sites = {id(site.node) for site in module.sites}
        self._slots = {id(node) for site in module.sites for node in _slot_nodes(module, site)}

    def first_read(self, scratch: ast.expr, call: ast.Call) -> ast.expr | None:
        """The first expression that may see what `call` left in the buffer that it was given as `scratch`."""
        reads: list[ast.expr] = []
        places = list(dict.fromkeys(self._held(scratch)))
        for place in places:  # grows while it is walked
            reached = list(self._origins(place))
            for use in [*self._loads(place), *self._loads_of_the_whole(place)]:
                layers = self._layers(use)
                onward = list(self._onward(layers))
                reached += onward
                if not (onward and all(_is_local(other) for other in onward)) and self._may_read(layers[-1], call):
                    reads.append(use)
            places += [new for new in dict.fromkeys(reached) if new not in places]
        return min(reads, key=lambda use: (use.lineno, use.col_offset), default=None)

    # Places

    @cached_property
    def _scopes(self) -> Scopes:
        return Scopes(self._module.tree)

    @cached_property
    def _moves(self) -> list[tuple[ast.expr, ast.expr]]:
        """Target and source of every assignment, unpacked where both sides can be; loops give any item to a target."""
        found: list[tuple[ast.expr, ast.expr]] = []
        for node in ast.walk(self._module.tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    found += _unpacked(target, node.value)
                    found += [(target, other) for other in node.targets if other is not target]
            elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
                found.append((node.target, node.value))
            elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
                found += [(target, node.iter) for target in _leaves(node.target)]
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

    def _places(self, node: ast.expr) -> list[Place]:
        """The place that an expression names; a slice or an unknown item is its whole container."""
        if isinstance(node, ast.Name):
            return [Place(usage) for usage in self._scopes.owners.get(node, ())]
        if isinstance(node, ast.Subscript) and not _is_item(node):
            return self._places(node.value)
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            root: ast.expr = node
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            owners = self._scopes.owners.get(root, ()) if isinstance(root, ast.Name) else ()
            local = [usage for usage in owners if usage.scope.is_function and not usage.is_parameter]
            return [Place(local[0] if local else None, ast.unparse(node), _last_part(node))]
        return []

    def _loads(self, place: Place) -> list[ast.expr]:
        if place.name is not None and not place.path:
            return [mention.node for mention in place.name.reads if isinstance(mention.node, ast.Name)]
        return [node for node in self._dotted.get(place.last_part, ()) if place in self._places(node)]

    def _loads_of_the_whole(self, place: Place) -> Iterator[ast.expr]:
        """For an item, the uses of its container that are not uses of one item."""
        for node in self._loads(place) if place.path.endswith("]") else ():
            for container in self._places(node.value) if isinstance(node, ast.Subscript) else ():
                for use in self._loads(container):
                    parent = self._module.parent(use)
                    if not (isinstance(parent, ast.Subscript) and _is_item(parent)):
                        yield use

    def _held(self, value: ast.expr) -> Iterator[Place]:
        """The places whose buffer an expression is, or may hold."""
        if isinstance(value, (ast.Tuple, ast.List, ast.Set, ast.BoolOp)):
            for element in value.values if isinstance(value, ast.BoolOp) else value.elts:
                yield from self._held(element)
        elif isinstance(value, ast.IfExp):
            yield from self._held(value.body)
            yield from self._held(value.orelse)
        elif isinstance(value, ast.NamedExpr):
            yield from self._places(value.target)
            yield from self._held(value.value)
        elif isinstance(value, ast.Starred):
            yield from self._held(value.value)
        elif isinstance(value, ast.Call):
            function = value.func
            if isinstance(function, ast.Attribute) and function.attr in _VIEWS | _TAKES_OUT:
                yield from self._held(function.value) if not _is_instance(function.value) else ()
        elif isinstance(value, ast.Attribute) and value.attr in _VIEWS:
            yield from self._held(value.value)
        else:
            yield from self._places(value)

    def _origins(self, place: Place) -> Iterator[Place]:
        for target, source in self._moves:
            if place in self._places(target):
                yield from self._held(source)

    def _layers(self, use: ast.expr) -> list[ast.expr]:
        """The use, and the expressions around it that still are the buffer, or hold it."""
        layers = [use]
        while id(layers[-1]) not in self._slots:
            parent = self._module.parent(layers[-1])
            if not isinstance(parent, ast.expr) or not _carries(parent, layers[-1]):
                break
            layers.append(parent)
        if isinstance(layers[-1], ast.Attribute) and layers[-1].attr in _TAKES_OUT:
            layers.pop()  # a method that is not called
        return layers

    def _onward(self, layers: list[ast.expr]) -> Iterator[Place]:
        """The places to which the statement around an expression takes it."""
        carried = {id(layer) for layer in layers}
        parent = self._module.parent(layers[-1])
        if isinstance(parent, ast.keyword):
            parent = self._module.parent(parent)
        given = isinstance(parent, ast.Call) and layers[-1] is not parent.func and id(layers[-1]) not in self._slots
        if isinstance(parent, ast.Call) and given and not self._only_looked_at(layers[-1]):
            if self._handed_to_operator(layers[-1]):
                return
            carried = {id(parent)}  # what a function makes of a buffer may hold it
            if isinstance(parent.func, ast.Attribute) and parent.func.attr in _PUTS_IN:
                yield from self._places(parent.func.value)
        for target, source in self._moves:
            if id(source) in carried:
                yield from self._places(target)

    # Reads

    def _may_read(self, use: ast.expr, call: ast.Call) -> bool:
        """Whether this use could see what the call left in the buffer."""
        if id(use) in self._slots or self._only_looked_at(use) or self._handed_to_operator(use):
            return False
        if self._exclusive(use, call):
            return False
        same_function = function_of(self._module, use) is function_of(self._module, call)
        if same_function and (use.lineno, use.col_offset) < (call.lineno, call.col_offset):
            return self._common_loop(use, call)
        return same_function or not self._in_initialiser(use)

    def _only_looked_at(self, use: ast.expr) -> bool:
        parent = self._module.parent(use)
        if isinstance(parent, ast.keyword):
            parent = self._module.parent(parent)
        if isinstance(parent, ast.Attribute):
            return parent.attr in _LOOKED_AT | _ABOUT_A_CONTAINER
        if isinstance(parent, ast.Call):
            return use is not parent.func and _only_looks(parent.func)
        if isinstance(parent, ast.Compare):
            return all(isinstance(operator, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for operator in parent.ops)
        return isinstance(parent, ast.Delete)

    def _handed_to_operator(self, use: ast.expr) -> bool:
        """Whether the buffer is an argument for a removed operator that a test or a launcher calls."""
        outer = self._module.parent(use)
        while isinstance(outer, (ast.Tuple, ast.List, ast.Starred, ast.keyword)):
            outer = self._module.parent(outer)
        return isinstance(outer, ast.Call) and any(id(argument) in self._sites for argument in outer.args)

    def _in_initialiser(self, node: ast.AST) -> bool:
        function = function_of(self._module, node)
        return isinstance(function, ast.FunctionDef) and function.name == "__init__"

    def _common_loop(self, one: ast.AST, other: ast.AST) -> bool:
        loops = {id(outer) for outer in self._module.ancestors(one) if isinstance(outer, _LOOPS)}
        return any(id(outer) in loops for outer in self._module.ancestors(other))

    def _exclusive(self, one: ast.AST, other: ast.AST) -> bool:
        """Whether two nodes stand in different arms of the same `if`, outside any common loop."""
        if self._common_loop(one, other):
            return False
        arms = dict(self._arms(one))
        return any(arms.get(node, arm) != arm for node, arm in self._arms(other))

    def _arms(self, node: ast.AST) -> Iterator[tuple[ast.If, str]]:
        inner: ast.AST = node
        for outer in self._module.ancestors(node):
            if isinstance(outer, ast.If):
                yield outer, "body" if inner in outer.body else "orelse" if inner in outer.orelse else "test"
            inner = outer


def function_of(module: Module, node: ast.AST) -> ast.AST | None:
    """The function or lambda around a node."""
    for outer in module.ancestors(node):
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return outer
    return None


def _slot_nodes(module: Module, site: Site) -> Iterator[ast.expr]:
    call = module.parent(site.node)
    if site.name.scratch and isinstance(call, ast.Call):
        yield from call.args
        yield from (keyword.value for keyword in call.keywords)


def _is_local(place: Place) -> bool:
    return place.name is not None and not place.path and place.name.scope.is_function


def _last_part(node: ast.Attribute | ast.Subscript) -> object:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.slice.value if isinstance(node.slice, ast.Constant) else None


def _is_item(node: ast.Subscript) -> bool:
    return isinstance(node.slice, ast.Constant)


def _is_instance(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in {"self", "cls"}


def _carries(parent: ast.expr, node: ast.expr) -> bool:
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
    return isinstance(parent, ast.Dict) and node in parent.values


def _only_looks(function: ast.expr) -> bool:
    """Whether a function leaves the values of its arguments alone and gives nothing of them back."""
    if isinstance(function, ast.Name) and function.id in _ABOUT_AN_OBJECT:
        return True
    last = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return last.endswith("_like") or "paged_attention" in last


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
