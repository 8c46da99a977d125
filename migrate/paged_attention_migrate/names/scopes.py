"""The scopes of a file and the names that each of them binds (PEP 227, PEP 572 and class scopes included)."""

from __future__ import annotations

import ast

from paged_attention_migrate.names.values import ImportBinding, Values

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
ScopeNode = ast.Module | FunctionNode | ast.ClassDef | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

_SCOPES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
    ast.ClassDef,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Scope:
    """One scope: its names, what they hold now, and what they may come to hold later."""

    __slots__ = (
        "bound",
        "env",
        "imports",
        "later",
        "loads",
        "node",
        "order_at_definition",
        "others",
        "outer_names",
        "parent",
        "snapshot",
        "stars",
        "stores",
    )

    def __init__(self, node: ScopeNode, parent: Scope | None) -> None:
        self.node = node
        self.parent = parent
        self.bound, self.outer_names = bound_names(node)
        self.env: dict[str, Values] = {}
        self.later: dict[str, list[tuple[int, Values]]] = {}
        self.others: dict[str, Values] = {}
        self.snapshot: dict[str, Values] = {}
        self.order_at_definition = 0
        self.stars: list[ImportBinding] = []
        self.imports: list[ImportBinding] = []
        self.loads: dict[str, list[ast.Name]] = {}
        self.stores: dict[str, list[ast.AST]] = {}

    @property
    def is_function(self) -> bool:
        """Whether this is a function or a lambda."""
        return isinstance(self.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))

    @property
    def is_class(self) -> bool:
        """Whether this is a class body."""
        return isinstance(self.node, ast.ClassDef)

    @property
    def runs_at_once(self) -> bool:
        """Class bodies and comprehensions run where they stand; functions run later."""
        return self.is_class or isinstance(self.node, COMPREHENSIONS)

    def function(self) -> Scope:
        """The function or module scope around this one (itself included)."""
        scope = self
        while scope.parent is not None and not scope.is_function:
            scope = scope.parent
        return scope

    def module(self) -> Scope:
        """The module scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def owner(self, name: str) -> Scope | None:
        """The scope in which `name`, used here, is bound; None for a builtin or an undefined name."""
        scope: Scope | None = self
        first = True
        while scope is not None:
            if name in scope.outer_names:
                return self.module() if scope.outer_names[name] == "global" else _enclosing(scope, name)
            if name in scope.bound and (first or not scope.is_class):
                return scope
            # A comprehension sees its class only through the first iterable; being generous is safe here.
            first = first and isinstance(scope.node, COMPREHENSIONS)
            scope = scope.parent
        return None


def _enclosing(scope: Scope, name: str) -> Scope | None:
    outer = scope.parent
    while outer is not None and not (name in outer.bound and outer.is_function):
        outer = outer.parent
    return outer


def bound_names(node: ScopeNode) -> tuple[set[str], dict[str, str]]:
    """The names that a scope binds, and those that it declares global or nonlocal."""
    bound: set[str] = set()
    declared: dict[str, str] = {}
    stack: list[ast.AST] = []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        bound.update(argument.arg for argument in every_argument(node.args))
        stack.extend([node.body] if isinstance(node, ast.Lambda) else node.body)
    elif isinstance(node, COMPREHENSIONS):
        stack.extend(generator.target for generator in node.generators)
        return _collect(stack, bound, declared)
    else:
        stack.extend(node.body)
    return _collect(stack, bound, declared)


def _collect(stack: list[ast.AST], bound: set[str], declared: dict[str, str]) -> tuple[set[str], dict[str, str]]:
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                bound.add(node.id)
            continue
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
            stack.extend(node.decorator_list)
            continue
        if isinstance(node, COMPREHENSIONS):
            stack.extend(walrus for walrus in ast.walk(node) if isinstance(walrus, ast.NamedExpr))
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            bound.update(alias.asname or alias.name.partition(".")[0] for alias in node.names if alias.name != "*")
            continue
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            kind = "global" if isinstance(node, ast.Global) else "nonlocal"
            declared.update(dict.fromkeys(node.names, kind))
            continue
        captured = getattr(node, "name", None) or getattr(node, "rest", None)
        if isinstance(captured, str):
            bound.add(captured)
        stack.extend(ast.iter_child_nodes(node))
    bound.difference_update(declared)
    return bound, declared


def every_argument(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters of a function, in any position."""
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    found.extend(argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None)
    return found
