"""Who reads a buffer after the call that it was scratch of, under whatever name, in the file of the call."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from paged_attention_migrate.buffers.places import Parameters, Place, Places, carries, is_uncalled_method
from paged_attention_migrate.calls.judging import judge
from paged_attention_migrate.module import Module, Site
from paged_attention_migrate.own import FAMILY
from paged_attention_migrate.targets import Place as CallPlace

_LOOKED_AT = frozenset({"shape", "dtype", "device", "ndim", "size", "stride", "numel", "dim", "is_cuda", "data_ptr"})
_ABOUT_A_CONTAINER = frozenset({"clear", "keys"})
_ABOUT_AN_OBJECT = frozenset({"callable", "id", "isinstance", "len", "type"})
_LOOPS = (ast.For, ast.While, ast.AsyncFor)


FIELD = "field"
VARIABLE = "variable"
ARGUMENT = "argument"


class Lent(NamedTuple):
    """A way by which other files may have a buffer: a field, a variable of the module, or an argument that they pass.

    `name` is that of the field, the variable or the function, which `skipped` parameters of a call do not fill; `own`
    says that it is scratch of a function of the settings.
    """

    kind: str
    name: str
    parameter: str = ""
    parameters: Parameters = Parameters((), None, None)
    skipped: int = 0
    own: bool = False

    @property
    def is_of_an_object(self) -> bool:
        """Whether it is a field or a method, which any file may reach through an object."""
        return self.kind == FIELD or self.skipped > 0

    def given(self, call: ast.Call) -> Iterator[ast.expr]:
        """What a call of the function passes."""
        return self.parameters.given(self.parameter, call, self.skipped)


class Buffers:
    """Follows buffers through one module: those of the table's functions, or `own` ones of the settings' functions."""

    def __init__(self, module: Module, own: bool) -> None:
        self._module = module
        self._own = own
        self._places = Places(module)
        self._sites = {id(site.node) for site in module.sites}
        sites = (site for site in module.sites if not own or site.name.family == FAMILY)
        self._slots = {id(node) for site in sites for node in _slot_nodes(module, site)}

    def first_read(self, scratch: ast.expr, call: ast.Call) -> ast.expr | None:
        """The first expression that may see what `call` left in the buffer that it was given as `scratch`."""
        return _first(self._reads(scratch, call, self._slots | {id(scratch)}, {}))

    def lent(self, scratch: ast.expr, call: ast.Call) -> list[Lent]:
        """The ways in which other files may have the buffer."""
        places: dict[Place, None] = {}
        for _ in self._reads(scratch, call, self._slots | {id(scratch)}, places):
            pass  # one read is as good as another; the places are what is wanted
        found = (_lent(self._module, place) for place in places)
        return list(dict.fromkeys(each._replace(own=self._own) for each in found if each is not None))

    def first_read_of(self, lent: Lent) -> ast.expr | None:
        """The first expression of this file that may read a buffer which another file has lent it."""
        if lent.kind == ARGUMENT:
            reads: Iterator[ast.expr] = (
                use
                for call in self._places.calls_named(lent.name)
                for argument in lent.given(call)
                for use in self._reads(argument, call, self._slots | {id(argument)}, {})
            )
            return _first(reads)
        uses = self._places.fields_named(lent.name)
        if lent.kind == VARIABLE:
            uses += [use for place in self._places.imported_as(lent.name) for use in self._places.loads(place)]
        return _first(use for use in uses if self._reads_it(self._carried(use, self._slots)[-1], self._slots))

    def _reads(
        self, scratch: ast.expr, call: ast.Call, passed_on: set[int], places: dict[Place, None]
    ) -> Iterator[ast.expr]:
        """Reads of one buffer; `passed_on` are the arguments that lead it to the removed function, and no reads."""
        waiting = list(dict.fromkeys(self._places.held_by(scratch)))
        for place in waiting:  # grows while it is walked
            reached = list(self._places.before(place))
            for use in self._places.loads(place):
                carried = self._carried(use, passed_on)
                if not self._reads_it(carried[-1], passed_on):
                    continue
                onward = list(self._places.after(carried))
                reached += onward
                moved = onward and all(other.is_local for other in onward) and not self._is_given_away(carried[-1])
                if not moved and self._comes_after(carried[-1], call):
                    yield use
            waiting += [new for new in dict.fromkeys(reached) if new not in waiting]
            if place not in places:
                places[place] = None
                passed = list(self._places.passed_as(place))
                further = passed_on | {id(argument) for argument, _ in passed}
                for argument, outer_call in passed:
                    yield from self._reads(argument, outer_call, further, places)

    def _reads_it(self, use: ast.expr, passed_on: set[int]) -> bool:
        """Whether a use, as wide as the buffer goes, is more than a look at its shape or the way to the old call."""
        return not (id(use) in passed_on or self._is_only_looked_at(use) or self._is_handed_to_operator(use))

    def _carried(self, use: ast.expr, passed_on: set[int]) -> list[ast.expr]:
        """The use, and the expressions around it that still are the buffer, or hold it."""
        carried = [use]
        while id(carried[-1]) not in passed_on:
            parent = self._module.parent(carried[-1])
            if not isinstance(parent, ast.expr) or not carries(parent, carried[-1]):
                break
            carried.append(parent)
        if is_uncalled_method(carried[-1]):
            carried.pop()
        return carried

    def _is_given_away(self, use: ast.expr) -> bool:
        """Whether a function other than one that builds something to be assigned gets it, and so may read it."""
        parent = self._module.parent(use)
        if isinstance(parent, ast.keyword):
            parent = self._module.parent(parent)
        return isinstance(parent, ast.Call) and use is not parent.func

    def _comes_after(self, use: ast.expr, call: ast.Call) -> bool:
        """Whether this use could see what the call left in the buffer."""
        if self._is_exclusive(use, call):
            return False
        same_function = function_of(self._module, use) is function_of(self._module, call)
        if same_function and isinstance(self._module.parent(use), (ast.Yield, ast.YieldFrom)):
            return True  # who got it reads it whenever it likes
        if same_function and (use.lineno, use.col_offset) < (call.lineno, call.col_offset):
            return self._in_common_loop(use, call)
        return same_function or not self._is_in_initialiser(use)

    def _is_only_looked_at(self, use: ast.expr) -> bool:
        parent = self._module.parent(use)
        if isinstance(parent, ast.keyword):
            parent = self._module.parent(parent)
        if isinstance(parent, ast.Attribute):
            return parent.attr in _LOOKED_AT | _ABOUT_A_CONTAINER
        if isinstance(parent, ast.Call):
            return use is not parent.func and (_only_looks(parent.func) or self._is_attention(parent.func))
        if isinstance(parent, ast.Compare):
            return all(isinstance(operator, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for operator in parent.ops)
        return isinstance(parent, ast.Delete)

    def _is_attention(self, function: ast.expr) -> bool:
        """Whether a function is one of those that take the scratch of the table's, and read nothing out of it."""
        return not self._own and "paged_attention" in _last_name(function)

    def _is_handed_to_operator(self, use: ast.expr) -> bool:
        """Whether the buffer is an argument for a removed operator that a test or a launcher calls."""
        outer = self._module.parent(use)
        while isinstance(outer, (ast.Tuple, ast.List, ast.Starred, ast.keyword)):
            outer = self._module.parent(outer)
        return isinstance(outer, ast.Call) and any(id(argument) in self._sites for argument in outer.args)

    def _is_in_initialiser(self, node: ast.AST) -> bool:
        function = function_of(self._module, node)
        return isinstance(function, ast.FunctionDef) and function.name == "__init__"

    def _in_common_loop(self, one: ast.AST, other: ast.AST) -> bool:
        loops = {id(outer) for outer in self._module.ancestors(one) if isinstance(outer, _LOOPS)}
        return any(id(outer) in loops for outer in self._module.ancestors(other))

    def _is_exclusive(self, one: ast.AST, other: ast.AST) -> bool:
        """Whether two nodes stand in different arms of the same `if`, outside any common loop."""
        if self._in_common_loop(one, other):
            return False
        arms = dict(self._arms(one))
        return any(arms.get(node, arm) != arm for node, arm in self._arms(other))

    def _arms(self, node: ast.AST) -> Iterator[tuple[ast.If, str]]:
        inner: ast.AST = node
        for outer in self._module.ancestors(node):
            if isinstance(outer, ast.If):
                yield outer, "body" if inner in outer.body else "orelse" if inner in outer.orelse else "test"
            inner = outer


@lru_cache(maxsize=2)
def buffers_of(module: Module, own: bool = False) -> Buffers:
    """The buffers of a module, whose index is made once."""
    return Buffers(module, own)


def _first(uses: Iterable[ast.expr]) -> ast.expr | None:
    return min(uses, key=lambda use: (use.lineno, use.col_offset), default=None)


def _lent(module: Module, place: Place) -> Lent | None:
    """How other files may come to what is kept in a place, if they can."""
    if place.name is None or place.path:
        field: ast.expr = ast.parse(place.path, mode="eval").body
        while isinstance(field, ast.Subscript):
            field = field.value
        return Lent(FIELD, field.attr) if isinstance(field, ast.Attribute) else None
    scope = place.name.scope.node
    if isinstance(scope, ast.Module):
        return Lent(VARIABLE, place.name.name) if not place.name.import_paths else None
    around = module.parent(scope)
    if not place.name.is_parameter or not isinstance(around, (ast.Module, ast.ClassDef)):
        return None
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    is_class = isinstance(around, ast.ClassDef)
    name = around.name if isinstance(around, ast.ClassDef) and scope.name == "__init__" else scope.name
    return Lent(ARGUMENT, name, place.name.name, Parameters.of(scope.args), int(is_class))


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
    elif site.name.family == FAMILY and isinstance(call, ast.Call) and call.func is site.node:
        entries = [(entry.name, entry.home) for entry in site.entries]
        yield from judge(CallPlace(module, site, call), entries, None, lambda: None).scratch


def _only_looks(function: ast.expr) -> bool:
    """Whether a function leaves the values of its arguments alone and gives nothing of them back."""
    if isinstance(function, ast.Name) and function.id in _ABOUT_AN_OBJECT:
        return True
    return _last_name(function).endswith("_like")


def _last_name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
