"""Which expressions can go without a trace: allocations, arithmetic, and reading of shapes and plain attributes.

An expression that may draw random numbers, write somewhere, run other code or exhaust an iterator is not pure.
"""

from __future__ import annotations

import ast

from paged_attention_migrate.simplify import known
from paged_attention_migrate.simplify.scopes import Scopes, Usage

_OPERATORS = (ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)
_TRANSPARENT = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.Tuple,
    ast.List,
    ast.Slice,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.Starred,
)


class Purity:
    """Judges expressions of one module, whose scopes say what a name stands for."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._looking_into: set[ast.AST] = set()

    def is_pure(self, node: ast.AST | None) -> bool:
        """Whether evaluating the expression changes nothing and its value is all that it is for."""
        if node is None or isinstance(node, _OPERATORS):
            return True
        if isinstance(node, ast.Call):
            return self._is_pure_call(node)
        if isinstance(node, ast.Subscript):
            return self._is_pure_subscript(node)
        if isinstance(node, ast.BinOp):
            pure_operator = not isinstance(node.op, ast.MatMult)
            return pure_operator and self.is_pure(node.left) and self.is_pure(node.right)
        if isinstance(node, _TRANSPARENT):
            return all(self.is_pure(child) for child in ast.iter_child_nodes(node))
        return False

    def is_scratch(self, node: ast.AST | None) -> bool:
        """Whether the value is a fresh buffer, a view of a local one, or a constant in place of one."""
        if node is None or isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.IfExp):
            return self.is_pure(node.test) and self.is_scratch(node.body) and self.is_scratch(node.orelse)
        if isinstance(node, (ast.Tuple, ast.List)):
            return all(self.is_scratch(element) for element in node.elts)
        if isinstance(node, ast.Call):
            return self._is_allocation(node) or self._is_local_view(node)
        return isinstance(node, ast.Subscript) and self._is_local_view(node)

    def is_harmless_context(self, node: ast.expr) -> bool:
        """Whether entering and leaving the context manager around nothing does nothing."""
        path = self.path(node.func) if isinstance(node, ast.Call) else None
        known = {"torch.no_grad", "torch.inference_mode", "torch.device", "torch.cuda.device", "contextlib.nullcontext"}
        return path in known and self._are_pure_arguments(node)

    def is_range(self, node: ast.expr) -> bool:
        """Whether the expression is a `range` of pure numbers."""
        return isinstance(node, ast.Call) and self.path(node.func) == "range" and self.is_pure(node)

    def path(self, node: ast.expr) -> str | None:
        """The dotted path of an imported or built-in object; None for anything that is made in this module."""
        if isinstance(node, ast.Attribute):
            base = self.path(node.value)
            return f"{base}.{node.attr}" if base is not None else None
        if not isinstance(node, ast.Name):
            return None
        usages = [usage for usage in self._scopes.owners.get(node, ()) if usage.bindings]
        if not usages:
            return known.CANONICAL.get(node.id, node.id)
        if len(usages) > 1 or len(usages[0].import_paths) != 1 or not _only_imported(usages[0]):
            return None
        return next(iter(usages[0].import_paths))

    def _is_pure_call(self, node: ast.Call) -> bool:
        if not self._are_pure_arguments(node):
            return False
        if self._is_allocation(node) or self._is_local_view(node):
            return True
        path = self.path(node.func)
        if path is None:
            return self._is_reading_method(node) or self._is_pure_function(node.func)
        root, _, name = path.rpartition(".")
        if not root:
            bare = len(node.args) == 1 and isinstance(node.args[0], ast.Name)
            return name in known.ROUNDING or (name in known.BUILTINS and not (bare and name in known.MAY_EXHAUST))
        if root == "math" or name in known.ROUNDING or path in known.ENVIRONMENT_READERS:
            return True
        if root in known.LIBRARIES:
            return name in known.LIBRARY_READERS
        return self._is_reading_method(node)

    def _is_allocation(self, node: ast.Call) -> bool:
        if not self._are_pure_arguments(node):
            return False
        if isinstance(node.func, ast.Attribute):
            if node.func.attr in known.FRESH_METHODS | known.VIEWS and isinstance(node.func.value, ast.Call):
                return self._is_allocation(node.func.value)
            if node.func.attr in known.ALLOCATING_METHODS:
                return self.is_pure(node.func.value)
        path = self.path(node.func)
        if path is None:
            return False
        root, _, name = path.rpartition(".")
        return root in (*known.LIBRARIES, "torch.cuda") and name in known.ALLOCATORS

    def _is_local_view(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return self.path(node) is None
        if isinstance(node, ast.Subscript):
            return self._is_plain_index(node.slice) and self._is_local_view(node.value)
        if (
            not isinstance(node, ast.Call)
            or not isinstance(node.func, ast.Attribute)
            or node.func.attr not in known.VIEWS
        ):
            return False
        return self._are_pure_arguments(node) and self._is_local_view(node.func.value)

    def _are_pure_arguments(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.Call):
            return True
        # `out=` makes any function of a tensor library write.
        writes = any(keyword.arg == "out" for keyword in node.keywords)
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        return not writes and all(self.is_pure(value) for value in values)

    def _is_pure_subscript(self, node: ast.Subscript) -> bool:
        if not self.is_pure(node.value) or not self.is_pure(node.slice):
            return False
        if self._is_plain_index(node.slice):
            return True
        # A variable may be the key of a mapping that makes entries; a shape is a tuple.
        base = node.value.func if isinstance(node.value, ast.Call) else node.value
        return isinstance(base, ast.Attribute) and base.attr in {"shape", "size", "strides", "stride"}

    def _is_plain_index(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Tuple):
            return all(self._is_plain_index(element) for element in node.elts)
        if isinstance(node, ast.Slice):
            return self.is_pure(node)
        if isinstance(node, ast.UnaryOp):
            return self._is_plain_index(node.operand)
        return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, (int, type(...))))

    def _is_reading_method(self, node: ast.Call) -> bool:
        if not isinstance(node.func, ast.Attribute) or not self.is_pure(node.func.value):
            return False
        asks = node.func.attr.startswith("is_") and not node.args and not node.keywords
        return asks or node.func.attr in known.READING_METHODS

    def _is_pure_function(self, function: ast.expr) -> bool:
        """Whether this is a function of the module that only returns a pure expression."""
        usages = self._scopes.owners.get(function, ())
        if len(usages) != 1 or len(usages[0].bindings) != 1:
            return False
        definition = usages[0].bindings[0].node
        if not isinstance(definition, ast.FunctionDef) or definition.decorator_list or definition in self._looking_into:
            return False
        statements = definition.body[1:] if ast.get_docstring(definition, clean=False) is not None else definition.body
        if len(statements) != 1 or not isinstance(statements[0], ast.Return):
            return False
        self._looking_into.add(definition)
        try:
            return self.is_pure(statements[0].value)
        finally:
            self._looking_into.discard(definition)


def _only_imported(usage: Usage) -> bool:
    """Whether the name holds its import or, where that failed, None."""
    if usage.is_parameter or usage.is_shared:
        return False
    for node, statement in usage.bindings:
        value = statement.value if isinstance(statement, ast.Assign) else statement
        is_none = isinstance(value, ast.Constant) and value.value is None
        if not isinstance(node, (ast.Import, ast.ImportFrom)) and not is_none:
            return False
    return True
