"""Which scope owns each name of a module, and every place that binds or reads it.

Doubt is resolved towards more readers: a name in a class body may belong to the class or to a function around it,
so it counts for both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

# Names and attributes by which code reaches local variables without spelling them.
_FRAME_READERS = frozenset({"locals", "globals", "exec", "eval"})
_FRAME_READERS_WITHOUT_ARGUMENTS = frozenset({"vars", "dir"})
_FRAME_ATTRIBUTES = frozenset({"_getframe", "currentframe", "f_locals"})
_STRING_EVALUATORS = frozenset({"eval", "query", "evaluate"})


def numbered_scopes(tree: ast.AST) -> list[ast.AST]:
    """The module and its functions and lambdas, in the order in which a recursive pre-order visit meets them."""
    found = [tree]
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _FUNCTIONS):
            found.append(node)
        waiting.extend(reversed(list(ast.iter_child_nodes(node))))
    return found


class Place(NamedTuple):
    """One mention of a name: the node, and the innermost statement around it."""

    node: ast.AST
    statement: ast.stmt


class Scope:
    """A module, class, function, lambda or comprehension."""

    def __init__(self, node: ast.AST, parent: Scope | None) -> None:
        self.node = node
        self.parent = parent
        self.names: dict[str, Usage] = {}
        self.declared_global: set[str] = set()
        self.declared_nonlocal: set[str] = set()
        self.reads_frames = False

    @property
    def is_function(self) -> bool:
        """Whether local variables of this scope vanish when it returns."""
        return isinstance(self.node, _FUNCTIONS)

    def usage(self, name: str) -> Usage:
        """The record of a name that this scope binds."""
        return self.names.setdefault(name, Usage(name, self))


class Usage:
    """Everything that a module does with one name of one scope."""

    def __init__(self, name: str, scope: Scope) -> None:
        self.name = name
        self.scope = scope
        self.reads: list[Place] = []
        self.bindings: list[Place] = []
        self.deletions: list[Place] = []
        self.import_paths: set[str] = set()
        self.is_parameter = False
        self.is_shared = False

    @property
    def is_private(self) -> bool:
        """Whether only the text of one function can touch the name."""
        return self.scope.is_function and not (self.is_parameter or self.is_shared or self.scope.reads_frames)


class Scopes:
    """The scopes of a module; `owners` says what each name node may refer to."""

    def __init__(self, tree: ast.Module) -> None:
        self.module = Scope(tree, None)
        self.of_node: dict[ast.AST, Scope] = {tree: self.module}
        self.owners: dict[ast.AST, list[Usage]] = {}
        self._mentions: list[tuple[ast.Name, Scope, ast.stmt]] = []
        for statement in tree.body:
            self._visit(statement, self.module, statement)
        self._settle_declarations()
        for node, scope, statement in self._mentions:
            self._settle(node, scope, statement)

    def resolve(self, name: str, scope: Scope) -> list[Usage]:
        """The usages to which `name`, written in `scope`, may refer; none for a builtin."""
        found = []
        at: Scope | None = scope
        while at is not None:
            if name in at.declared_global:
                at = self.module
            if name in at.names and name not in at.declared_nonlocal and (at is scope or not _is_class(at)):
                found.append(at.names[name])
                if not _is_class(at):
                    break
            at = at.parent
        return found

    def _settle_declarations(self) -> None:
        for scope in list(self.of_node.values()):
            for name in scope.declared_global:
                self.module.usage(name).is_shared = True
            for name in scope.declared_nonlocal:
                for usage in self.resolve(name, scope):
                    usage.is_shared = True

    def _settle(self, node: ast.Name, scope: Scope, statement: ast.stmt) -> None:
        usages = self.resolve(node.id, scope)
        if not isinstance(node.ctx, ast.Load):
            usages = usages[:1]
        self.owners[node] = usages
        for usage in usages:
            if isinstance(node.ctx, ast.Load):
                usage.reads.append(Place(node, statement))
            elif isinstance(node.ctx, ast.Del):
                usage.deletions.append(Place(node, statement))
            else:
                usage.bindings.append(Place(node, statement))

    def _bind(self, name: str, node: ast.AST, scope: Scope, statement: ast.stmt, import_path: str = "") -> None:
        if name in scope.declared_global:
            scope = self.module
        usage = scope.usage(name)
        usage.bindings.append(Place(node, statement))
        if import_path:
            usage.import_paths.add(import_path)

    def _visit_all(self, nodes: list[ast.expr] | list[ast.stmt], scope: Scope, statement: ast.stmt) -> None:
        for node in nodes:
            self._visit(node, scope, statement)

    def _visit(self, node: ast.AST, scope: Scope, statement: ast.stmt) -> None:
        if isinstance(node, ast.stmt):
            statement = node
        if isinstance(node, ast.Name):
            self._mention(node, scope, statement)
        elif isinstance(node, _FUNCTIONS):
            self._visit_function(node, scope, statement)
        elif isinstance(node, ast.ClassDef):
            self._visit_class(node, scope)
        elif isinstance(node, _COMPREHENSIONS):
            self._visit_comprehension(node, scope, statement)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self._visit_import(node, scope)
        elif isinstance(node, ast.Global):
            scope.declared_global.update(node.names)
        elif isinstance(node, ast.Nonlocal):
            scope.declared_nonlocal.update(node.names)
        else:
            self._visit_other(node, scope, statement)

    def _visit_other(self, node: ast.AST, scope: Scope, statement: ast.stmt) -> None:
        if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            self._bind(node.name, node, scope, statement)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            self._bind(node.rest, node, scope, statement)
        elif (isinstance(node, ast.Attribute) and node.attr in _FRAME_ATTRIBUTES) or _evaluates_a_string(node):
            _mark_frame_reading(scope)
        for child in ast.iter_child_nodes(node):
            self._visit(child, scope, statement)

    def _mention(self, node: ast.Name, scope: Scope, statement: ast.stmt) -> None:
        if isinstance(node.ctx, ast.Load):
            if node.id in _FRAME_READERS:
                _mark_frame_reading(scope)
        else:
            owner = scope
            # Only a walrus binds inside a comprehension other than its own targets, and it binds around it.
            if isinstance(scope.node, _COMPREHENSIONS) and node not in _comprehension_targets(scope.node):
                while isinstance(owner.node, _COMPREHENSIONS) and owner.parent is not None:
                    owner = owner.parent
                scope = owner
            if node.id not in owner.declared_global and node.id not in owner.declared_nonlocal:
                owner.usage(node.id)
        self._mentions.append((node, scope, statement))

    def _visit_function(self, node: FunctionNode, scope: Scope, statement: ast.stmt) -> None:
        inner = self.of_node[node] = Scope(node, scope)
        for parameter in _parameters(node.args):
            usage = inner.usage(parameter.arg)
            usage.is_parameter = True
            usage.bindings.append(Place(parameter, statement))
            if parameter.annotation is not None:
                self._visit(parameter.annotation, scope, statement)
        defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
        self._visit_all(defaults, scope, statement)
        if isinstance(node, ast.Lambda):
            self._visit(node.body, inner, statement)
            return
        self._bind(node.name, node, scope, node)
        self._visit_all(node.decorator_list, scope, node)
        if node.returns is not None:
            self._visit(node.returns, scope, node)
        for parameter_type in getattr(node, "type_params", ()):
            self._visit(parameter_type, scope, node)
        self._visit_all(node.body, inner, node)

    def _visit_class(self, node: ast.ClassDef, scope: Scope) -> None:
        inner = self.of_node[node] = Scope(node, scope)
        self._bind(node.name, node, scope, node)
        self._visit_all([*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)], scope, node)
        for parameter_type in getattr(node, "type_params", ()):
            self._visit(parameter_type, scope, node)
        self._visit_all(node.body, inner, node)

    def _visit_comprehension(self, node: ast.AST, scope: Scope, statement: ast.stmt) -> None:
        assert isinstance(node, _COMPREHENSIONS)
        inner = self.of_node[node] = Scope(node, scope)
        for position, generator in enumerate(node.generators):
            self._visit(generator.target, inner, statement)
            self._visit(generator.iter, inner if position else scope, statement)
            self._visit_all(generator.ifs, inner, statement)
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._visit_all(results, inner, statement)

    def _visit_import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        for alias in node.names:
            if isinstance(node, ast.ImportFrom):
                path = "." * node.level + (f"{node.module}." if node.module else "") + alias.name
            else:
                path = alias.name if alias.asname else alias.name.partition(".")[0]
            self._bind(alias.asname or alias.name.partition(".")[0], node, scope, node, path)


def _is_class(scope: Scope) -> bool:
    return isinstance(scope.node, ast.ClassDef)


def _parameters(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None)


def _comprehension_targets(node: ast.AST) -> set[ast.AST]:
    assert isinstance(node, _COMPREHENSIONS)
    return {inner for generator in node.generators for inner in ast.walk(generator.target)}


def _evaluates_a_string(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        first = node.args[0] if node.args else None
        is_text = isinstance(first, ast.JoinedStr) or (isinstance(first, ast.Constant) and isinstance(first.value, str))
        return is_text and node.func.attr in _STRING_EVALUATORS
    has_arguments = bool(node.args or node.keywords)
    return isinstance(node.func, ast.Name) and node.func.id in _FRAME_READERS_WITHOUT_ARGUMENTS and not has_arguments


def _mark_frame_reading(scope: Scope) -> None:
    at: Scope | None = scope
    while at is not None:
        at.reads_frames = True
        at = at.parent
