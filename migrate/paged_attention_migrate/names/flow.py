"""What the names in a file stand for: one walk in the order of execution, with joins where control flow meets.

Functions run later than they are defined, so a name of an enclosing scope means, inside them, what it held at the
definition or comes to hold afterwards. Attributes of `self` mean whatever the class assigns to them.
Results of the file's own functions and attributes of its own classes are found by walking again until they settle.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping, Sequence

from paged_attention_migrate.names.expressions import Expressions
from paged_attention_migrate.names.scopes import Scope, every_argument
from paged_attention_migrate.names.values import (
    ABSENT,
    FOREIGN,
    NOTHING,
    UNKNOWN,
    Foreign,
    ImportBinding,
    Instance,
    Local,
    Reference,
    Unknown,
    Values,
    handed_on,
    join,
)

BUILTINS = frozenset(dir(builtins))
_MOST_ROUNDS = 4


class Flow(Expressions):
    """Walks one module; afterwards `seen` says what each interesting expression may stand for."""

    def __init__(
        self,
        tree: ast.Module,
        package: str,
        watched: frozenset[str],
        roots: frozenset[str],
        aliases: Mapping[str, str] | None = None,
        homes: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(package, watched, roots, aliases or {}, homes)
        self.tree = tree
        self.handlers: dict[type, Callable[[ast.stmt], bool]] = {
            ast.Import: self._import,
            ast.ImportFrom: self._import_from,
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.ClassDef: self._class,
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.If: self._if,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.While: self._while,
            ast.Try: self._try,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.Return: self._return,
            ast.Delete: self._delete,
        }
        if hasattr(ast, "TryStar"):
            self.handlers[ast.TryStar] = self._try
        self.handlers[ast.Match] = self._match

    def run(self) -> None:
        """Walk the module until class attributes, results and globals settle."""
        settled: object = None, 0
        for _ in range(_MOST_ROUNDS):
            self.start_round()
            self.scope = self.module_scope = self._new_scope(self.tree, None)
            for name, values in self.written_globals.items():
                self.module_scope.others[name] = values
            self.block(self.tree.body)
            while self.waiting:
                self._run_function(self.waiting.pop())
            reached = self.state(), self.open_questions()
            if reached in (settled, ({}, 0)):
                break
            settled = reached

    # Statements: each returns False when control does not go on to the next one.

    def block(self, statements: Sequence[ast.stmt]) -> bool:
        """Walk statements in order."""
        for statement in statements:
            handler = self.handlers.get(type(statement))
            goes_on = handler(statement) if handler is not None else self._plain(statement)
            if not goes_on:
                return False
        return True

    def _plain(self, statement: ast.stmt) -> bool:
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.expr):
                self.evaluate(child)
        if isinstance(statement, (ast.Raise, ast.Continue, ast.Break)):
            return False
        return not (isinstance(statement, ast.Expr) and self._leaves(statement.value))

    def _leaves(self, expression: ast.expr) -> bool:
        if not isinstance(expression, ast.Call):
            return False
        callee = ast.unparse(expression.func) if isinstance(expression.func, (ast.Name, ast.Attribute)) else ""
        return callee in {"sys.exit", "exit", "quit", "os._exit", "pytest.skip", "pytest.fail"}

    def _import(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, ast.Import)
        for alias in statement.names:
            local = alias.asname or alias.name.partition(".")[0]
            path, reexported = self.canonical(alias.name if alias.asname else local)
            self._bind_import(ImportBinding(statement, alias, self.scope, local, path, reexported=reexported))
        return True

    def _import_from(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, ast.ImportFrom)
        module = self.absolute_module(statement)
        for alias in statement.names:
            if alias.name == "*":
                path, _ = self.canonical(module)
                binding = ImportBinding(statement, alias, self.scope, "*", path, star=True)
                self.scope.stars.append(binding)
                self.imports.append(binding)
                continue
            path, reexported = self.canonical(f"{module}.{alias.name}" if module else alias.name)
            local = alias.asname or alias.name
            self._bind_import(ImportBinding(statement, alias, self.scope, local, path, reexported=reexported))
        return True

    def _bind_import(self, binding: ImportBinding) -> None:
        self.imports.append(binding)
        self.scope.imports.append(binding)
        reference = Reference(binding.path, binding, reexported=binding.reexported)
        self.bind(binding.local, frozenset({reference}), binding.statement)

    def _function(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef))
        for decorator in statement.decorator_list:
            self.evaluate(decorator)
        self.defer(statement)
        annotations = [argument.annotation for argument in every_argument(statement.args)]
        for annotation in (*annotations, statement.returns):
            if annotation is not None:
                self.evaluate(annotation)
        self.bind(statement.name, frozenset({Local(statement)}), statement)
        return True

    def _class(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, ast.ClassDef)
        for decorator in statement.decorator_list:
            self.evaluate(decorator)
        bases = [self.evaluate(base) for base in statement.bases]
        for keyword in statement.keywords:
            self.evaluate(keyword.value)
        self.class_bases[statement] = bases
        outer = self.scope
        self.scope = self._new_scope(statement, outer)
        self.block(statement.body)
        for name in self.scope.bound:
            for _, values in self.scope.later.get(name, ()):
                self.add_attribute(statement, name, handed_on(values))
        self.scope = outer
        self.bind(statement.name, frozenset({Local(statement)}), statement)
        return True

    def _assign(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, ast.Assign)
        values = self.evaluate(statement.value)
        for target in statement.targets:
            self.assign(target, values, statement.value)
        return True

    def _annotated(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, ast.AnnAssign)
        self.evaluate(statement.annotation)
        if statement.value is not None:
            self.assign(statement.target, self.evaluate(statement.value), statement.value)
        return True

    def _augmented(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, ast.AugAssign)
        self.evaluate(statement.value)
        if isinstance(statement.target, ast.Name):
            self.note_load(statement.target)
        self.assign(statement.target, UNKNOWN, statement.value)
        return True

    def _return(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, ast.Return)
        values = self.evaluate(statement.value) if statement.value is not None else ABSENT
        function = self.scope.function().node
        self.results[function] = join(self.results.get(function, NOTHING), handed_on(values))
        return False

    def _delete(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, ast.Delete)
        for target in statement.targets:
            if isinstance(target, ast.Name):
                self.note_load(target)
                self.scope.env.pop(target.id, None)
            else:
                self._plain(statement)
        return True

    def _if(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, ast.If)
        self.evaluate(statement.test)
        before = dict(self.scope.env)
        body_goes_on = self.block(statement.body)
        after_body = self.scope.env
        self.scope.env = before
        else_goes_on = self.block(statement.orelse)
        if body_goes_on and else_goes_on:
            self.scope.env = joined(after_body, self.scope.env)
        elif body_goes_on:
            self.scope.env = after_body
        return body_goes_on or else_goes_on

    def _match(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, ast.Match)
        self.evaluate(statement.subject)
        before = dict(self.scope.env)
        ends = [before]
        for case in statement.cases:
            self.scope.env = dict(before)
            for node in ast.walk(case.pattern):
                captured = getattr(node, "name", None) or getattr(node, "rest", None)
                if isinstance(captured, str):
                    self.bind(captured, UNKNOWN, node)
                elif isinstance(node, ast.expr):
                    self.evaluate(node)
            if case.guard is not None:
                self.evaluate(case.guard)
            if self.block(case.body):
                ends.append(self.scope.env)
        self.scope.env = ends[0]
        for end in ends[1:]:
            self.scope.env = joined(self.scope.env, end)
        return True

    def _for(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, (ast.For, ast.AsyncFor))
        self.evaluate(statement.iter)
        items = self.items_of(statement.iter)
        self._loop(statement.body, statement.orelse, lambda: self.assign(statement.target, items, statement.iter))
        return True

    def _while(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, ast.While)
        self._loop(statement.body, statement.orelse, lambda: self.evaluate(statement.test))
        return True

    def _loop(self, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt], begin: Callable[[], object]) -> None:
        before = dict(self.scope.env)
        start = self.order
        begin()
        self.block(body)
        if self.touched_since(start, before):
            # What the body binds is there at the start of the next turn.
            self.scope.env = self.possible_since(start, before)
            begin()
            self.block(body)
        self.scope.env = self.possible_since(start, before)
        self.block(orelse)

    def _try(self, statement: ast.stmt) -> bool:
        before = dict(self.scope.env)
        start = self.order
        goes_on = self.block(statement.body)  # type: ignore[attr-defined]  # Try and TryStar
        broken_off = self.possible_since(start, before)
        if goes_on:
            goes_on = self.block(statement.orelse)  # type: ignore[attr-defined]
        ends = [self.scope.env] if goes_on else []
        for handler in statement.handlers:  # type: ignore[attr-defined]
            self.scope.env = dict(broken_off)
            if handler.type is not None:
                self.evaluate(handler.type)
            if handler.name is not None:
                self.bind(handler.name, FOREIGN, handler)
            if self.block(handler.body):
                ends.append(self.scope.env)
        if ends:
            self.scope.env = ends[0]
            for end in ends[1:]:
                self.scope.env = joined(self.scope.env, end)
        elif statement.finalbody:  # type: ignore[attr-defined]
            self.scope.env = broken_off
        return self.block(statement.finalbody) and bool(ends)  # type: ignore[attr-defined]

    def _with(self, statement: ast.stmt) -> bool:
        assert isinstance(statement, (ast.With, ast.AsyncWith))
        may_suppress = False
        for item in statement.items:
            if item.optional_vars is None:
                self.evaluate(item.context_expr)
            may_suppress = may_suppress or "suppress" in ast.dump(item.context_expr)
            if item.optional_vars is not None:
                entered = self.evaluate(item.context_expr)
                foreign = all(isinstance(value, Foreign) for value in entered)
                self.assign(item.optional_vars, entered if foreign else UNKNOWN, item.context_expr)
        before = dict(self.scope.env)
        start = self.order
        goes_on = self.block(statement.body)
        if may_suppress:
            self.scope.env = self.possible_since(start, before)
        return goes_on or may_suppress

    # Functions run after the scope that defines them.

    def _run_function(self, scope: Scope) -> None:
        self.scope = scope
        node = scope.node
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        self._bind_parameters(node, scope)
        if isinstance(node, ast.Lambda):
            self.results[node] = handed_on(self.evaluate(node.body))
        elif self.block(node.body):
            self.results[node] = join(self.results.get(node, NOTHING), ABSENT)

    def _annotated_as(self, argument: ast.arg) -> Values:
        """An instance of a class of this file, when the annotation names one."""
        if not isinstance(argument.annotation, ast.Name):
            return NOTHING
        named = self.lookup(argument.annotation.id)
        classes = [value.node for value in named if isinstance(value, Local) and isinstance(value.node, ast.ClassDef)]
        return frozenset({Instance(classes[0])}) if len(classes) == len(named) == 1 else NOTHING

    def _bind_parameters(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> None:
        for argument in every_argument(node.args):
            values = self.defaults.get(node, {}).get(argument.arg, NOTHING)
            scope.env[argument.arg] = join(self._annotated_as(argument) or frozenset({Unknown("parameter")}), values)
        owner = scope.parent
        positional = [*node.args.posonlyargs, *node.args.args]
        if owner is None or not isinstance(owner.node, ast.ClassDef) or not positional or isinstance(node, ast.Lambda):
            return
        decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
        if "staticmethod" in decorators:
            return
        is_class_method = "classmethod" in decorators or node.name == "__new__"
        first = Local(owner.node) if is_class_method else Instance(owner.node)
        scope.env[positional[0].arg] = frozenset({first})

    def touched_since(self, start: int, before: Mapping[str, Values]) -> bool:
        """Whether a name that holds something of interest was bound since `start`."""
        return any(
            self.interesting(values) or self.interesting(before.get(name, NOTHING))
            for order, name, values in reversed(self.scope_log())
            if order > start
        )

    def possible_since(self, start: int, before: Mapping[str, Values]) -> dict[str, Values]:
        """`before`, with all that was bound since `start` as further possibilities."""
        env = dict(before)
        for order, name, values in reversed(self.scope_log()):
            if order <= start:
                break
            env[name] = join(env.get(name, NOTHING), values)
        return env


def joined(left: dict[str, Values], right: dict[str, Values]) -> dict[str, Values]:
    """What may hold after two ways met."""
    if left is right:
        return left
    both = dict(left)
    for name, values in right.items():
        known = both.get(name)
        both[name] = values if known is None else join(known, values)
    return both
