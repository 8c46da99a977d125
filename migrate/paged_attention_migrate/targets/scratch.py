"""The scratch buffers of `paged_attention_rocm`: whether a call can have them in front of it, and the statements."""

from __future__ import annotations

import ast
from typing import NamedTuple

from paged_attention_migrate.calls.arguments import Argument, arguments_of, can_go, can_stand_twice, short
from paged_attention_migrate.module import Module
from paged_attention_migrate.names.scopes import Scope
from paged_attention_migrate.names.values import ImportBinding
from paged_attention_migrate.targets import Place

# What vLLM's kernel cuts a sequence into since 0.8.0.
PARTITION = 256
_NAMES = ("exp_sum", "max_logits", "tmp_out")
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)


class NoRoom(Exception):
    """The buffers cannot be allocated in front of a call; `str()` says why and what to do."""


class Scratch(NamedTuple):
    """The names of the buffers, what they are made with, and the statements that make them."""

    names: tuple[str, str, str]
    torch: str
    query: str
    statements: tuple[str, ...]
    imports: tuple[str, ...]


def scratch_of(place: Place, query: Argument, length: Argument) -> Scratch:
    """What a call with this query and this greatest length needs in front of it; raises NoRoom."""
    _check_statement(place)
    _check_order(place, query.node, length.node)
    torch, imports = _torch(place)
    names = _names(place.module)
    statements = _statements(names, torch, query.node, length.node)
    return Scratch(names, torch, ast.unparse(query.node), statements, imports)


def _statements(names: tuple[str, str, str], torch: str, query: ast.expr, length: ast.expr) -> tuple[str, ...]:
    """Sums and greatest logits in float32, partial outputs as the query is, each for every partition."""
    sums, logits, partial = names
    tensor = ast.unparse(query)
    if isinstance(length, ast.Constant) and isinstance(length.value, int):
        count = str(-(-length.value // PARTITION))
    else:
        count = f"({ast.unparse(ast.BinOp(length, ast.Add(), ast.Constant(PARTITION - 1)))}) // {PARTITION}"
    shape = f"(*{tensor}.shape[:2], {count})"
    return (
        f"{sums} = {torch}.empty({shape}, dtype={torch}.float32, device={tensor}.device)",
        f"{logits} = {torch}.empty_like({sums})",
        f"{partial} = {torch}.empty((*{sums}.shape, {tensor}.shape[2]), dtype={tensor}.dtype, device={tensor}.device)",
    )


def not_in_front(module: Module, call: ast.Call, query: ast.expr, length: ast.expr) -> bool:
    """Whether the statement of a call does not follow the allocation of the buffers that it names."""
    statement = module.parent(call)
    by_name = {keyword.arg: keyword.value for keyword in call.keywords}
    named = [*call.args[1:4], *(by_name[each] for each in _NAMES if each in by_name)]
    names = tuple(node.id for node in named if isinstance(node, ast.Name))
    owner = module.parent(statement) if isinstance(statement, ast.stmt) else None
    blocks = [getattr(owner, field, []) for field in ("body", "orelse", "finalbody")]
    block = next((each for each in blocks if isinstance(each, list) and statement in each), None)
    if block is None or len(names) != 3:
        return True
    index = block.index(statement)
    found = [ast.dump(each) for each in block[max(index - 3, 0) : index]]
    first = block[index - 3] if index >= 3 else None
    made_by = first.value.func if isinstance(first, ast.Assign) and isinstance(first.value, ast.Call) else None
    torch = ast.unparse(made_by.value) if isinstance(made_by, ast.Attribute) else ""
    wanted = _statements((names[0], names[1], names[2]), torch, query, length) if torch else ()
    return found != [ast.dump(ast.parse(each).body[0]) for each in wanted]


def _check_statement(place: Place) -> None:
    module, call = place.module, place.call
    statement = module.parent(call)
    for outer in module.ancestors(call):
        if isinstance(outer, ast.Lambda):
            raise NoRoom("it stands in a lambda, where nothing can be allocated first: make a function of that")
        if isinstance(outer, ast.stmt):
            break
    if not isinstance(statement, (ast.Expr, ast.Return)):
        raise NoRoom("its scratch must be allocated first, and it is a part of a statement: give it one of its own")
    if place.site.scope.is_class:
        raise NoRoom("its scratch would become attributes of the class: call it in a function")
    start, _ = module.span(statement)
    text = module.source.text
    first = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if text[first:start].strip():
        raise NoRoom("its scratch must be allocated first, and other code stands in front of it: give it its own line")


def _check_order(place: Place, query: ast.expr, length: ast.expr) -> None:
    """The allocations are evaluated before the arguments, so nothing may be seen to happen earlier or twice."""
    for name, node in (("query", query), ("max_seq_len", length)):
        if not _may_be_read_first(node):
            text = f"its scratch is sized by {name}, and `{short(node)}` cannot be written twice: give it a name first"
            raise NoRoom(text)
    doing = [argument.node for argument in arguments_of(place.call) if not can_go(argument.node)]
    fixed = all(isinstance(node, ast.Constant) or _is_local(place, node) for node in (query, length))
    walrus = any(isinstance(node, ast.NamedExpr) for node in ast.walk(place.call))
    if doing and (walrus or not fixed):
        text = f"evaluating `{short(doing[0])}` may change what its scratch is sized by: evaluate it before the call"
        raise NoRoom(text)


def _is_local(place: Place, node: ast.expr) -> bool:
    """Whether a name is a variable of the function around a call alone, so that no other code binds it."""
    scope = place.site.scope
    if not (isinstance(node, ast.Name) and scope.is_function and scope.owner(node.id) is scope):
        return False
    return not any(each.outer_names.get(node.id) == "nonlocal" for each in place.module.flow.scopes)


def _may_be_read_first(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, _ARITHMETIC) and _may_be_read_first(node.left) and _may_be_read_first(node.right)
    return can_stand_twice(node)


def _names(module: Module) -> tuple[str, str, str]:
    """Names that nothing in the file has."""
    taken = set(module.flow.undefined | module.facts.named_unseen)
    taken.update(*(scope.bound for scope in module.flow.scopes), *(scope.outer_names for scope in module.flow.scopes))
    for prefix in ("", "rocm_", *(f"rocm_{number}_" for number in range(2, 1000))):
        names = (f"{prefix}{_NAMES[0]}", f"{prefix}{_NAMES[1]}", f"{prefix}{_NAMES[2]}")
        if not taken.intersection(names):
            return names
    raise NoRoom("no name for its scratch is free: call it in another file")


def _torch(place: Place) -> tuple[str, tuple[str, ...]]:
    """What torch is called where a call stands, and the module to import if it is not there."""
    module, scope = place.module, place.site.scope
    for binding in module.flow.imports:
        plain = binding.path == "torch" and not binding.star
        if plain and scope.owner(binding.local) is binding.owner and _is_there(place, binding):
            return binding.local, ()
    if scope.owner("torch") is not None or "torch" in scope.module().bound:
        raise NoRoom("its scratch is made by torch, which this name may not be at the call: import torch at the top")
    return "torch", ("torch",)


def _is_there(place: Place, binding: ImportBinding) -> bool:
    """Whether an import has run when the call does, and nothing else is bound to its name."""
    module, statement = place.module, binding.statement
    other = [node for node in binding.owner.stores.get(binding.local, ()) if not _imports_torch(node, binding.local)]
    if other or _is_deleted(binding.owner, binding.local):
        return False
    if statement.lineno >= place.call.lineno:
        return False
    block = _block_of(module, statement)
    return any(outer in block for outer in module.ancestors(place.call) if isinstance(outer, ast.stmt))


def _block_of(module: Module, statement: ast.AST) -> list[ast.stmt]:
    """The statements that run one after another in which this one stands."""
    outer = module.parent(statement)
    blocks = [block for _, block in ast.iter_fields(outer) if isinstance(block, list)] if outer is not None else []
    return next((block for block in blocks if statement in block), [])


def _imports_torch(node: ast.AST, local: str) -> bool:
    """Whether what a statement binds this name to is torch."""
    if not isinstance(node, ast.Import):
        return False
    bound = [alias for alias in node.names if (alias.asname or alias.name.partition(".")[0]) == local]
    return all((alias.name if alias.asname else local) == "torch" for alias in bound)


def _is_deleted(scope: Scope, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Del)
        for node in ast.walk(scope.node)
    )
