"""The expression half of the names pass: what a name, an attribute or a call evaluates to."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from paged_attention_migrate.names.scopes import COMPREHENSIONS, Scope, ScopeNode
from paged_attention_migrate.names.values import (
    ABSENT,
    FOREIGN,
    HOLE,
    NOTHING,
    UNKNOWN,
    Absent,
    Foreign,
    ImportBinding,
    Instance,
    Local,
    Partial,
    Reference,
    Text,
    Unknown,
    Values,
    handed_on,
    join,
)

_SAME_OBJECT = {"torch._ops.ops": "torch.ops"}
_IMPORTERS = frozenset({"importlib.import_module", "builtins.__import__"})
# What holds vLLM's operators, and is handed about in their place; homes that settings name do so, too.
_HOLDERS = frozenset(
    ["vllm", "vllm._custom_ops", "vllm._C", "vllm._C.ops", "vllm.attention_ops", "torch.ops", "torch.ops._C"]
)
_PARTIALS = frozenset({"functools.partial", "functools.partialmethod"})


class Expressions:
    """Evaluates expressions in `scope`; `Flow` adds the statements."""

    scope: Scope
    module_scope: Scope

    def __init__(
        self,
        package: str,
        watched: frozenset[str],
        roots: frozenset[str],
        aliases: Mapping[str, str],
        homes: frozenset[str],
    ) -> None:
        self.package = package
        self.watched = watched
        self.roots = roots
        self.aliases = aliases
        self.holders = _HOLDERS | homes
        self.class_attributes: dict[ast.ClassDef, dict[str, Values]] = {}
        self.results: dict[ast.AST, Values] = {}
        self.written_globals: dict[str, Values] = {}
        self._canonical: dict[str, tuple[str, bool]] = {}
        self.start_round()

    def start_round(self) -> None:
        """Forget what is found anew in every round; results, attributes and globals stay."""
        self.known_attributes, self.class_attributes = self.class_attributes, {}
        self.known_results, self.results = self.results, {}
        self.known_globals, self.written_globals = self.written_globals, {}
        self.seen: dict[ast.AST, tuple[Values, Scope]] = {}
        self.imports: list[ImportBinding] = []
        self.scopes: list[Scope] = []
        self.waiting: list[Scope] = []
        self.class_bases: dict[ast.ClassDef, list[Values]] = {}
        self.defaults: dict[ast.AST, dict[str, Values]] = {}
        self.patched: list[tuple[ast.Attribute, Reference]] = []
        self.foreign_attribute_stores: set[str] = set()
        self.undefined: set[str] = set()
        self._logs: dict[Scope, list[tuple[int, str, Values]]] = {}
        self.order = 0

    def state(self) -> object:
        """What a further round could change, as far as it is of interest."""
        attributes = {
            (node, name): values
            for node, table in self.class_attributes.items()
            for name, values in table.items()
            if self.interesting(values)
        }
        results = {node: values for node, values in self.results.items() if self.interesting(values)}
        at_module_level = self.module_scope.env
        written = {
            name: values
            for name, values in self.written_globals.items()
            if self.interesting(values) or self.interesting(at_module_level.get(name, NOTHING))
        }
        return {
            kind: {key: _paths(values) for key, values in table.items()}
            for kind, table in (("attributes", attributes), ("results", results), ("globals", written))
            if table
        }

    def open_questions(self) -> int:
        """How many uses of a watched name stand on something that is not known, perhaps only not yet."""
        return sum(
            any(isinstance(value, Unknown) for value in values)
            for node, (values, _) in self.seen.items()
            if (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")) in self.watched
        )

    def interesting(self, values: Values) -> bool:
        """Whether any of the values could lead to a removed name."""
        for value in values:
            if isinstance(value, Reference):
                if value.path.partition(".")[0] in self.roots:
                    return True
            elif isinstance(value, (Instance, Partial)):
                return True
        return False

    # Names

    def _new_scope(self, node: ScopeNode, parent: Scope | None) -> Scope:
        scope = Scope(node, parent)
        self.scopes.append(scope)
        return scope

    def scope_log(self) -> list[tuple[int, str, Values]]:
        """What was bound in this scope so far: order, name, values."""
        return self._logs.setdefault(self.scope, [])

    def note_load(self, node: ast.Name) -> Scope | None:
        """Record that a name is read; gives the scope that binds it."""
        owner = self.scope.owner(node.id)
        if owner is not None:
            owner.loads.setdefault(node.id, []).append(node)
        return owner

    def bind(self, name: str, values: Values, node: ast.AST) -> None:
        """Bind a name in the scope that owns it."""
        scope = self.scope
        while isinstance(scope.node, COMPREHENSIONS) and name not in scope.bound and scope.parent is not None:
            scope = scope.parent
        if name in scope.outer_names:
            owner = scope.owner(name) or self.module_scope
            owner.others[name] = join(owner.others.get(name, NOTHING), values)
            if owner is self.module_scope:
                self.written_globals[name] = join(self.written_globals.get(name, NOTHING), values)
            owner.stores.setdefault(name, []).append(node)
            scope.env[name] = values
            return
        self.order += 1
        scope.env[name] = values
        scope.later.setdefault(name, []).append((self.order, values))
        scope.stores.setdefault(name, []).append(node)
        self._logs.setdefault(scope, []).append((self.order, name, values))

    def lookup(self, name: str) -> Values:
        """What a name read here may hold."""
        scope: Scope | None = self.scope
        crossed: Scope | None = None
        first = True
        while scope is not None:
            if name in scope.outer_names:
                if crossed is None and name in scope.env:
                    return scope.env[name]
                owner = scope.owner(name)
                return self._whenever(owner, name, scope.function()) if owner is not None else UNKNOWN
            if name in scope.bound and (first or not scope.is_class):
                if crossed is not None:
                    return self._whenever(scope, name, crossed)
                held = join(scope.env.get(name, NOTHING), scope.others.get(name, NOTHING))
                return held or frozenset({Unknown("unbound")})
            if scope.is_function:
                crossed = scope
            first = first and isinstance(scope.node, COMPREHENSIONS)
            scope = scope.parent
        return self._not_bound(name)

    def _whenever(self, owner: Scope, name: str, function: Scope) -> Values:
        """What a name of an outer scope may hold while `function`, defined inside it, runs."""
        held = join(function.snapshot.get(name, NOTHING), owner.others.get(name, NOTHING))
        if owner is self.module_scope:
            held = join(held, self.known_globals.get(name, NOTHING))
        for order, values in owner.later.get(name, ()):
            if order > function.order_at_definition:
                held = join(held, values)
        return held or join(owner.env.get(name, NOTHING), frozenset({Unknown("unbound")}))

    def _not_bound(self, name: str) -> Values:
        stars = [star for scope in self._enclosing() for star in scope.stars]
        for star in stars:
            path, reexported = self.canonical(f"{star.path}.{name}")
            if name in self.watched and (path.partition(".")[0] in self.roots or reexported):
                return frozenset({Reference(path, star, reexported=reexported)})
        if stars and name in self.watched:
            return frozenset({Unknown("star")})
        from paged_attention_migrate.names.flow import BUILTINS

        if name in BUILTINS:
            return frozenset({Reference(f"builtins.{name}")})
        self.undefined.add(name)
        return frozenset({Unknown("undefined")})

    def _enclosing(self) -> list[Scope]:
        found = []
        scope: Scope | None = self.scope
        while scope is not None:
            found.append(scope)
            scope = scope.parent
        return found

    def defer(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """Evaluate the defaults now and keep the body for later."""
        arguments = node.args
        named: dict[str, Values] = {}
        positional = [*arguments.posonlyargs, *arguments.args]
        for argument, default in zip(reversed(positional), reversed(arguments.defaults), strict=False):
            named[argument.arg] = handed_on(self.evaluate(default))
        for argument, keyword_default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if keyword_default is not None:
                named[argument.arg] = handed_on(self.evaluate(keyword_default))
        if any(self.interesting(values) for values in named.values()):
            self.defaults[node] = named
        scope = self._new_scope(node, self.scope)
        around = self.scope
        while around.runs_at_once and around.parent is not None:
            around = around.parent
        scope.snapshot = dict(around.env)
        scope.order_at_definition = self.order
        self.waiting.append(scope)

    # Paths

    def absolute_module(self, statement: ast.ImportFrom) -> str:
        """The dotted module of a from-import, relative ones resolved against this file's package."""
        module = statement.module or ""
        if not statement.level:
            return module
        parts = self.package.split(".") if self.package else []
        kept = parts[: len(parts) - (statement.level - 1)]
        return ".".join([*kept, *([module] if module else [])]) or "."

    def canonical(self, path: str) -> tuple[str, bool]:
        """The path under which the table knows an object, and whether this repository handed it on."""
        known = self._canonical.get(path)
        if known is None:
            known = self._canonical[path] = self._find_canonical(path)
        return known

    def _find_canonical(self, path: str) -> tuple[str, bool]:
        for other, usual in _SAME_OBJECT.items():
            if path == other or path.startswith(other + "."):
                path = usual + path[len(other) :]
        if not self.aliases:
            return path, False
        head = path
        while head:
            target = self.aliases.get(head)
            if target is not None and target != path:
                return target + path[len(head) :], True
            head = head.rpartition(".")[0]
        return path, False

    # Expressions

    def evaluate(self, node: ast.expr) -> Values:  # noqa: C901  # one branch a node type
        """What the expression may stand for; interesting ones are recorded in `seen`."""
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Constant):
            return _constant(node)
        if isinstance(node, ast.IfExp):
            self.evaluate(node.test)
            return join(self.evaluate(node.body), self.evaluate(node.orelse))
        if isinstance(node, ast.BoolOp):
            held = NOTHING
            for value in node.values:
                held = join(held, self.evaluate(value))
            return held
        if isinstance(node, ast.NamedExpr):
            values = self.evaluate(node.value)
            self.assign(node.target, values, node.value)
            return values
        if isinstance(node, ast.Lambda):
            self.defer(node)
            return frozenset({Local(node)})
        if isinstance(node, COMPREHENSIONS):
            return self._comprehension(node)
        if isinstance(node, ast.JoinedStr):
            return self._joined_string(node)
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        return self._other(node)

    def _other(self, node: ast.expr) -> Values:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.evaluate(child)
            elif isinstance(child, ast.keyword):
                self.evaluate(child.value)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        return UNKNOWN if isinstance(node, (ast.Await, ast.Starred, ast.Yield, ast.YieldFrom)) else FOREIGN

    def _subscript(self, node: ast.Subscript) -> Values:
        key = node.slice
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and isinstance(node.value, ast.Attribute):
            base = self.seen.get(node.value)
            if ast.unparse(node.value) == "sys.modules" or (base and _paths(base[0]) == {"sys.modules"}):
                path, reexported = self.canonical(key.value)
                module = frozenset({Reference(path, assigned=True, reexported=reexported)})
                self._see(node, module)
                return module
        return UNKNOWN

    def _name(self, node: ast.Name) -> Values:
        owner = self.note_load(node)
        if owner is None and node.id not in self.watched:
            return self._not_bound(node.id)
        values = self.lookup(node.id)
        if node.id in self.watched or self.interesting(values):
            self._see(node, values)
        return values

    def _see(self, node: ast.expr, values: Values) -> None:
        known = self.seen.get(node)
        self.seen[node] = (join(known[0], values) if known else values, self.scope)

    def _attribute(self, node: ast.Attribute) -> Values:
        values = self.attribute_of(self.evaluate(node.value), node.attr)
        if node.attr in self.watched or self.interesting(values):
            self._see(node, values)
        return values

    def _asked_for_by_name(self, node: ast.Call, arguments: list[Values]) -> None:
        """`getattr(base, "name")` and its like: keep what the base is, whatever it is."""
        if len(arguments) < 2:
            return
        for value in arguments[1]:
            if isinstance(value, Text) and (value.text in self.watched or "paged_attention" in value.text):
                self._see(node.args[0], arguments[0])

    def attribute_of(self, bases: Values, name: str) -> Values:
        """What `.name` on any of `bases` may stand for."""
        held = NOTHING
        for base in bases:
            if isinstance(base, Reference):
                path, reexported = self.canonical(f"{base.path}.{name}")
                held |= {base._replace(path=path, reexported=base.reexported or reexported)}
            elif isinstance(base, (Instance, Local)) and isinstance(base.node, ast.ClassDef):
                held |= self.class_attribute(base.node, name)
            elif isinstance(base, Partial) and name == "func":
                held |= {base.function}
            elif isinstance(base, Unknown):
                held |= {base}
            elif isinstance(base, Foreign) and base.path:
                held |= self._of_foreign(f"{base.path}.{name}", base.binding)
            elif not isinstance(base, Absent):
                held |= FOREIGN
        return held or UNKNOWN

    def _of_foreign(self, path: str, binding: ImportBinding | None = None) -> Values:
        """A thing of another module by its path; the repository may have said what it is."""
        target, reexported = self.canonical(path)
        return frozenset({Reference(target, binding, True, True) if reexported else Foreign(path, binding)})

    def class_attribute(self, node: ast.ClassDef, name: str, depth: int = 0) -> Values:
        """What an attribute of a class of this file, or of its instances, may hold."""
        held = join(
            self.known_attributes.get(node, {}).get(name, NOTHING),
            self.class_attributes.get(node, {}).get(name, NOTHING),
        )
        found = NOTHING
        for value in held:
            found = join(found, self._property(value) if isinstance(value, Local) else frozenset({value}))
        if found:
            return join(found, UNKNOWN) if name in self.foreign_attribute_stores else found
        for bases in self.class_bases.get(node, ()) if depth < 8 else ():
            for base in bases:
                if isinstance(base, Local) and isinstance(base.node, ast.ClassDef):
                    found = join(found, self.class_attribute(base.node, name, depth + 1))
                elif isinstance(base, Reference) and base.path.partition(".")[0] in self.roots:
                    found = join(found, frozenset({base._replace(path=f"{base.path}.{name}", assigned=True)}))
        return found or frozenset({Unknown("attribute")})

    def _property(self, method: Local) -> Values:
        decorators = getattr(method.node, "decorator_list", [])
        if any(ast.unparse(decorator).endswith("property") for decorator in decorators):
            return self.result_of(method) or UNKNOWN
        return frozenset({method})

    def add_attribute(self, node: ast.ClassDef, name: str, values: Values) -> None:
        """Note what an attribute of a class may hold."""
        table = self.class_attributes.setdefault(node, {})
        table[name] = join(table.get(name, NOTHING), values)

    def result_of(self, function: Local) -> Values:
        """What calling a function of this file gives, as far as earlier rounds found out."""
        return self.known_results.get(function.node, NOTHING) or self.results.get(function.node, NOTHING)

    def _call(self, node: ast.Call) -> Values:
        callee = self.evaluate(node.func)
        arguments = [self.evaluate(argument) for argument in node.args]
        arguments += [self.evaluate(keyword.value) for keyword in node.keywords]
        self._asked_for_by_name(node, arguments)
        held = NOTHING
        for value in callee:
            held = join(held, self._called(value, node, arguments))
        if any(isinstance(value, Foreign) for value in held) and any(map(self._hands_over, arguments)):
            # `SimpleNamespace(ops=ops)`, `cast(Any, ops)`: what it was given may come back.
            held = UNKNOWN
        held = self._formatted(node) or held or UNKNOWN
        if self.interesting(held) and any(isinstance(value, (Reference, Partial)) for value in held):
            self._see(node, held)
        return held

    def _hands_over(self, values: Values) -> bool:
        """Whether a value is a module that held removed functions, or holds such a one."""
        return any(isinstance(value, Reference) and value.path in self.holders for value in values)

    def _formatted(self, node: ast.Call) -> Values:
        """`"paged_attention_{}".format(version)`."""
        if not isinstance(node.func, ast.Attribute) or node.func.attr != "format":
            return NOTHING
        if not isinstance(node.func.value, ast.Constant) or not isinstance(node.func.value.value, str):
            return NOTHING
        text = frozenset({Text(re.sub(r"\{[^{}]*\}", HOLE, node.func.value.value))})
        self._see_text(node, text)
        return text

    def _called(self, callee: object, node: ast.Call, arguments: list[Values]) -> Values:
        if isinstance(callee, Local):
            if isinstance(callee.node, ast.ClassDef):
                return frozenset({Instance(callee.node)})
            return self.result_of(callee) or UNKNOWN
        if isinstance(callee, Foreign):
            return self._of_foreign(f"{callee.path}()", callee.binding) if callee.path else FOREIGN
        if not isinstance(callee, Reference):
            return UNKNOWN
        if callee.path in _IMPORTERS:
            return self._imported_by_name(callee.path, node, arguments)
        if callee.path in _PARTIALS and arguments:
            made = {Partial(value, node) for value in arguments[0] if isinstance(value, Reference)}
            return frozenset(made) or UNKNOWN
        if callee.path == "builtins.getattr" and len(arguments) >= 2:
            return self._getattr(arguments)
        if callee.path in {"builtins.setattr", "builtins.vars"}:
            self._setattr(arguments)
        root = callee.path.partition(".")[0]
        if callee.reexported or root == "" or (root in self.roots and root != "torch"):
            return UNKNOWN
        return UNKNOWN if callee.path.startswith("torch.ops") else self._of_foreign(f"{callee.path}()", callee.binding)

    def _imported_by_name(self, importer: str, node: ast.Call, arguments: list[Values]) -> Values:
        held = NOTHING
        for value in arguments[0] if arguments else ():
            if not isinstance(value, Text) or HOLE in value.text or value.text.startswith("."):
                return UNKNOWN
            path = value.text
            if importer == "builtins.__import__" and len(node.args) < 4 and not node.keywords:
                path = path.partition(".")[0]
            path, reexported = self.canonical(path)
            held |= {Reference(path, assigned=True, reexported=reexported)}
        return held or UNKNOWN

    def _getattr(self, arguments: list[Values]) -> Values:
        held = NOTHING
        for value in arguments[1]:
            if not isinstance(value, Text) or HOLE in value.text:
                return join(held, UNKNOWN)
            held = join(held, handed_on(self.attribute_of(arguments[0], value.text)))
        return join(held, arguments[2]) if len(arguments) > 2 else held

    def _setattr(self, arguments: list[Values]) -> None:
        names = arguments[1] if len(arguments) > 1 else NOTHING
        for base in arguments[0] if arguments else ():
            if not isinstance(base, (Instance, Local)) or not isinstance(base.node, ast.ClassDef):
                continue
            for name in names:
                if isinstance(name, Text) and len(arguments) > 2 and HOLE not in name.text:
                    self.add_attribute(base.node, name.text, handed_on(arguments[2]))

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Values:
        outer = self.scope
        self.evaluate(node.generators[0].iter)
        self.scope = self._new_scope(node, outer)
        for number, generator in enumerate(node.generators):
            if number:
                self.evaluate(generator.iter)
            self.assign(generator.target, self.items_of(generator.iter), generator.iter)
            for condition in generator.ifs:
                self.evaluate(condition)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for part in parts:
            self.evaluate(part)
        self.scope = outer
        return FOREIGN

    def _joined_string(self, node: ast.JoinedStr) -> Values:
        pieces = []
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                held = self.evaluate(value.value)
                if value.format_spec is not None:
                    self.evaluate(value.format_spec)
                known = [text.text for text in held if isinstance(text, Text)]
                pieces.append(known[0] if len(known) == len(held) == 1 else HOLE)
            elif isinstance(value, ast.Constant):
                pieces.append(str(value.value))
        text = frozenset({Text("".join(pieces))})
        self._see_text(node, text)
        return text

    def _binary(self, node: ast.BinOp) -> Values:
        left, right = self.evaluate(node.left), self.evaluate(node.right)
        made = NOTHING
        for value in left:
            if not isinstance(value, Text):
                continue
            if isinstance(node.op, ast.Add):
                texts = [other.text for other in right if isinstance(other, Text)] or [HOLE]
                made |= {Text(value.text + text) for text in texts}
            elif isinstance(node.op, ast.Mod):
                made |= {Text(value.text.replace("%s", HOLE).replace("%d", HOLE))}
        if made:
            self._see_text(node, made)
        return made or (UNKNOWN if UNKNOWN & (left | right) else FOREIGN)

    def _see_text(self, node: ast.expr, values: Values) -> None:
        if any(isinstance(value, Text) and "paged_attention_" in value.text for value in values):
            self._see(node, values)

    # Targets

    def items_of(self, iterable: ast.expr) -> Values:
        """What iterating over an expression gives: the elements of a display, else anything."""
        if not isinstance(iterable, (ast.Tuple, ast.List, ast.Set)) or not iterable.elts:
            return UNKNOWN
        held = NOTHING
        for element in iterable.elts:
            recorded = self.seen.get(element)
            if recorded:
                held = join(held, handed_on(recorded[0]))
            else:
                held = join(held, _constant(element) if isinstance(element, ast.Constant) else UNKNOWN)
        return held

    def assign(self, target: ast.expr, values: Values, value_node: ast.expr) -> None:
        """Give `values` to a target: a name, an attribute, a tuple."""
        if isinstance(target, ast.Name):
            self.bind(target.id, handed_on(values), target)
        elif isinstance(target, ast.Attribute):
            self._assign_attribute(target, values)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._assign_elements(target.elts, value_node)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, UNKNOWN, value_node)
        else:
            self._other(target)

    def _assign_elements(self, targets: list[ast.expr], value_node: ast.expr) -> None:
        parts: list[ast.expr] | None = None
        if isinstance(value_node, (ast.Tuple, ast.List)) and len(value_node.elts) == len(targets):
            parts = value_node.elts
        for number, target in enumerate(targets):
            if parts is None or isinstance(target, ast.Starred):
                self.assign(target, UNKNOWN, value_node)
                continue
            part = parts[number]
            recorded = self.seen.get(part)
            if recorded is None:
                values = _constant(part) if isinstance(part, ast.Constant) else UNKNOWN
            else:
                values = recorded[0]
            self.assign(target, values, part)

    def _assign_attribute(self, target: ast.Attribute, values: Values) -> None:
        bases = self.evaluate(target.value)
        for base in bases:
            if isinstance(base, (Instance, Local)) and isinstance(base.node, ast.ClassDef):
                self.add_attribute(base.node, target.attr, handed_on(values))
            elif isinstance(base, Reference):
                path, _ = self.canonical(f"{base.path}.{target.attr}")
                self.patched.append((target, base._replace(path=path)))
            elif isinstance(base, Unknown):
                self.foreign_attribute_stores.add(target.attr)


def _constant(node: ast.Constant) -> Values:
    if isinstance(node.value, str):
        return frozenset({Text(node.value)})
    return ABSENT if node.value is None or node.value is False or node.value is ... else FOREIGN


def _paths(values: Values) -> frozenset[str]:
    return frozenset(value.path if isinstance(value, Reference) else type(value).__name__ for value in values)
