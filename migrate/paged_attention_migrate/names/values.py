"""What an expression can stand for, as far as the names pass needs to know."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from paged_attention_migrate.names.scopes import Scope


class ImportBinding:
    """One name that an import statement binds.

    `path` is the full dotted path of what is bound: `vllm._custom_ops` for `from vllm import _custom_ops as ops`.
    """

    __slots__ = ("alias", "local", "path", "reexported", "scope", "star", "statement")

    def __init__(
        self,
        statement: ast.Import | ast.ImportFrom,
        alias: ast.alias,
        scope: Scope,
        local: str,
        path: str,
        star: bool = False,
        reexported: bool = False,
    ) -> None:
        self.statement = statement
        self.alias = alias
        self.scope = scope
        self.local = local
        self.path = path
        self.star = star
        self.reexported = reexported

    @property
    def owner(self) -> Scope:
        """The scope whose name this is: another than `scope` after `global` or `nonlocal`."""
        return self.scope.owner(self.local) or self.scope


class Reference(NamedTuple):
    """Something that can be named by a dotted path from an import.

    `binding` is the import that it came through, `assigned` is True once the value went through a variable,
    an attribute or a return value, `reexported` when another file of the repository handed it on.
    """

    path: str
    binding: ImportBinding | None = None
    assigned: bool = False
    reexported: bool = False


class Local(NamedTuple):
    """A function or class that this file defines."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


class Instance(NamedTuple):
    """An object of a class that this file defines."""

    node: ast.ClassDef


class Partial(NamedTuple):
    """What `functools.partial` made of a function."""

    function: Reference
    call: ast.Call


class Text(NamedTuple):
    """A string; a NUL stands for a piece that is not known."""

    text: str


class Absent(NamedTuple):
    """None, False or an ellipsis: what code binds where an import failed."""


class Foreign(NamedTuple):
    """Nothing of vLLM's, as far as this file shows: a literal, what a call into another module gives.

    `path` names that result, `pkg.kernels.load().ops`, since the module may be one of the same repository.
    """

    path: str = ""
    binding: ImportBinding | None = None


class Unknown(NamedTuple):
    """Could be anything: a parameter, an item of a container."""

    what: str = ""


Value = Reference | Local | Instance | Partial | Text | Absent | Foreign | Unknown
Values = frozenset[Value]

NOTHING: Values = frozenset()
ABSENT: Values = frozenset({Absent()})
FOREIGN: Values = frozenset({Foreign()})
UNKNOWN: Values = frozenset({Unknown()})

HOLE = "\0"
_MOST_MEANINGS = 12


def join(left: Values, right: Values) -> Values:
    """Both sets of meanings, or UNKNOWN when there are too many to keep."""
    if left == right or not right:
        return left
    both = left | right
    return both if len(both) <= _MOST_MEANINGS else UNKNOWN


def handed_on(values: Values) -> Values:
    """The same values after they went through an assignment."""
    if not any(isinstance(value, Reference) and not value.assigned for value in values):
        return values
    return frozenset(value._replace(assigned=True) if isinstance(value, Reference) else value for value in values)
