"""Removed names as strings.

PAM104 name-string: a string names a removed function

The string may feed `getattr`, `eval`, a patcher or a table of operators. It names nothing any more.
By hand: take the entry out, or name the replacement `paged_attention_shim.paged_attention`.

PAM105 guard: code asks whether a removed function is there

`hasattr(torch.ops._C, "paged_attention_v1")` and `getattr(..., None)` are constant now: not there.
By hand: decide whether the guard should ask for the shim, or go.

PAM106 patched: a removed function is replaced at run time

`monkeypatch.setattr`, `mock.patch` and assignments to `ops.paged_attention_v1` fail, or patch what nothing calls.
By hand: patch `paged_attention` where the rewritten code imports it.

PAM107 registers-op: an operator is registered under the removed name

`torch.library` definitions and fakes for `_C::paged_attention_v1` name an operator that vLLM no longer defines.
By hand: remove the registration, or keep it if this project brings the operator itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from paged_attention_migrate.findings import ERROR, INFO, WARNING
from paged_attention_migrate.module import ATTENTION, FUNCTIONS, Draft, Module
from paged_attention_migrate.names.values import HOLE, Reference, Text, Unknown
from paged_attention_migrate.native.deleted_files import (
    deleted_source,
    deleted_source_message,
    deleted_source_severity,
)
from paged_attention_migrate.registrations import last_name, namespace_of
from paged_attention_migrate.rules.wording import gone

_NAMES = "|".join(sorted(ATTENTION))
_WHOLE = re.compile(rf"(?:(?P<head>[\w.:]*?)(?:\.|::))?(?P<name>{_NAMES})(?:\.default)?\Z")
_INSIDE = re.compile(rf"(?<![\w])(?:{_NAMES})(?!\w)")
_QUOTED = re.compile(r"""["'][^\n]*(?:paged_att|single_query)|(?:paged_att|single_query)[^\n]*["']""")
_HEADS = frozenset(
    {
        "",
        "_C",
        "ops",
        "torch.ops._C",
        "vllm._custom_ops",
        "_custom_ops",
        "vllm._C.ops",
        "vllm.attention_ops",
        "ops._C",
        "vllm_ops",
        "torch.ops._C.ops",
    }
)
_ASKS = frozenset({"hasattr", "getattr"})
_PATCHES = frozenset({"setattr", "delattr", "patch", "object", "setitem", "replace"})
_REGISTERS = frozenset(
    {
        "register_fake",
        "impl_abstract",
        "define",
        "impl",
        "custom_op",
        "register_kernel",
        "register_autograd",
        "register_torch_dispatch",
        "triton_op",
    }
)
_RUNS = frozenset({"eval", "exec", "compile"})


def drafts(module: Module) -> Iterator[Draft]:
    """Drafts for strings that are, or may become, a removed name."""
    for target, reference in module.flow.patched:
        row = module.entry(reference.path)
        if row is not None and row[0].family in FUNCTIONS:
            start, end = module.span(target)
            message = f"{gone(*row)}, so nothing calls what is put in its place here"
            yield Draft(start, end, "PAM106", ERROR, reference.path, message)
    if not _QUOTED.search(module.source.text):
        return
    yield from _deleted_sources(module)
    prose = _docstrings(module.tree)
    in_all = _exported_names(module.tree)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant):
            if _may_name(node) and node not in prose | in_all and not isinstance(module.parent(node), ast.JoinedStr):
                yield from _constant(module, node)
        elif isinstance(node, (ast.JoinedStr, ast.BinOp, ast.Call)) and node in module.flow.seen:
            yield from _composed(module, node)


def _deleted_sources(module: Module) -> Iterator[Draft]:
    """Build lists in Python that take a source which vLLM deleted and this repository does not have."""
    if ".cu" not in module.source.text:
        return
    for node in ast.walk(module.tree):
        path = deleted_source(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
        if (
            path
            and isinstance(node, ast.Constant)
            and not any(f"/{own}".endswith(f"/{path}") for own in module.facts.own_sources)
        ):
            message = deleted_source_message(path)
            yield _draft(module, node, "PAM303", deleted_source_severity(path), path, message)


def _may_name(node: ast.Constant) -> bool:
    return isinstance(node.value, str) and ("paged_att" in node.value or "single_query" in node.value)


def _constant(module: Module, node: ast.Constant) -> Iterator[Draft]:
    text = str(node.value)
    match = _WHOLE.match(text)
    call, position = _call_around(module, node)
    callee = last_name(call.func) if call is not None else ""
    if match is None:
        if _INSIDE.search(text):
            yield from _prose_or_code(module, node, text, callee)
        return
    head, name = match["head"] or "", match["name"]
    given_by = module.flow.canonical(f"{head}.{name}")[0]
    if head not in _HEADS and head not in module.settings.homes and module.entry(given_by) is None:
        return
    if call is not None and callee in _ASKS and position == 1:
        yield from _asked(module, node, call, callee, name)
    elif call is not None and callee in _PATCHES:
        yield from _patched(module, node, call, position, name)
    elif callee in _REGISTERS and _in_other_namespace(module, call):
        return
    elif callee in _REGISTERS or _decorates(module, node):
        yield _draft(
            module,
            node,
            "PAM107",
            ERROR,
            name,
            f"`{text}` is registered here, and vLLM no longer defines that operator",
        )
    else:
        message = f"this string names `{name}`, which is gone since vLLM 0.25.0 (#47361)"
        yield _draft(module, node, "PAM104", WARNING, name, message)


def _prose_or_code(module: Module, node: ast.Constant, text: str, callee: str) -> Iterator[Draft]:
    match = _INSIDE.search(text)
    assert match is not None
    name = match[0]
    if callee in _RUNS:
        message = f"this code string uses `{name}`, which is gone since vLLM 0.25.0 (#47361)"
        yield _draft(module, node, "PAM104", WARNING, name, message)
    elif callee in _REGISTERS and _in_other_namespace(module, _call_around(module, node)[0]):
        return
    elif callee in _REGISTERS and f"{name}(" in text.replace(" ", ""):
        message = f"the schema of `{name}` is defined here, and vLLM no longer defines that operator"
        yield _draft(module, node, "PAM107", ERROR, name, message)
    elif not deleted_source(text):
        yield _draft(module, node, "PAM305", INFO, name, f"a text mentions `{name}`, which is gone since vLLM 0.25.0")


def _asked(module: Module, node: ast.Constant, call: ast.Call, callee: str, name: str) -> Iterator[Draft]:
    base = call.args[0]
    held = module.flow.seen.get(base)
    paths = [value.path for value in held[0] if isinstance(value, Reference)] if held else []
    ours = [path for path in paths if module.entry(f"{path}.{name}") is not None]
    if not ours and (
        paths or (held and not any(isinstance(value, Unknown) for value in held[0])) or _is_foreign(module, base)
    ):
        return
    where = f"`{ours[0]}`" if ours else f"`{ast.unparse(base)}`"
    if callee == "hasattr" or len(call.args) > 2:
        answer = "False" if callee == "hasattr" else "its default"
        lost = f"{where} has no `{name}` since vLLM 0.25.0 (#47361)"
        message = f"{lost}, so this is always {answer}: ask for the shim, or drop the guard"
        yield _draft(module, node, "PAM105", ERROR if ours else WARNING, name, message)
    else:
        message = f"{where} has no `{name}` since vLLM 0.25.0 (#47361), so this raises AttributeError"
        yield _draft(module, node, "PAM104", ERROR if ours else WARNING, name, message)


def _is_foreign(module: Module, base: ast.expr) -> bool:
    """An object whose module is known and is not vLLM's."""
    if isinstance(base, ast.Name):
        scope = module.flow.module_scope
        held = scope.env.get(base.id)
        return bool(held) and not any(isinstance(value, Unknown) for value in held or ())
    return False


def _patched(module: Module, node: ast.Constant, call: ast.Call, position: int, name: str) -> Iterator[Draft]:
    if position == 1 and call.args:
        held = module.flow.seen.get(call.args[0])
        paths = [value.path for value in held[0] if isinstance(value, Reference)] if held else []
        if (paths and not any(module.entry(f"{path}.{name}") for path in paths)) or (
            not held and _is_foreign(module, call.args[0])
        ):
            return
    message = (
        f"`{name}` is gone since vLLM 0.25.0 (#47361): patch `paged_attention` where the rewritten code imports it"
    )
    yield _draft(module, node, "PAM106", ERROR, name, message)


def _composed(module: Module, node: ast.expr) -> Iterator[Draft]:
    for value in module.flow.seen[node][0]:
        if not isinstance(value, Text) or HOLE not in value.text:
            continue
        pattern = re.compile(
            "".join(r"\w*" if piece == HOLE else re.escape(piece) for piece in re.split(f"({HOLE})", value.text))
        )
        names = sorted(name for name in ATTENTION if pattern.fullmatch(name))
        call, _ = _call_around(module, node)
        callee = last_name(call.func) if call is not None else ""
        if not names or any(isinstance(outer, (ast.JoinedStr, ast.BinOp)) for outer in [module.parent(node)]):
            continue
        severity = WARNING if callee in _ASKS | _PATCHES | _RUNS or not callee else INFO
        message = f"this string can become `{names[0]}`, which is gone since vLLM 0.25.0 (#47361)"
        yield _draft(module, node, "PAM104", severity, names[0], message)
        return


def _in_other_namespace(module: Module, call: ast.Call | None) -> bool:
    """Whether an operator is registered through a `torch.library.Library` of another namespace than `_C`."""
    return call is not None and namespace_of(module, call) not in (None, "_C")


def _draft(module: Module, node: ast.expr, code: str, severity: str, name: str, message: str) -> Draft:
    start, end = module.span(node)
    return Draft(start, end, code, severity, name, message)


def _call_around(module: Module, node: ast.expr) -> tuple[ast.Call | None, int]:
    parent = module.parent(node)
    if isinstance(parent, ast.Call) and node in parent.args:
        return parent, parent.args.index(node)
    if isinstance(parent, ast.keyword):
        outer = module.parent(parent)
        return (outer, -1) if isinstance(outer, ast.Call) else (None, -1)
    return None, -1


def _decorates(module: Module, node: ast.expr) -> bool:
    call, _ = _call_around(module, node)
    return call is not None and last_name(call.func) in _REGISTERS


def _docstrings(tree: ast.Module) -> set[ast.AST]:
    """Strings that stand as statements: docstrings and remarks."""
    return {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def _exported_names(tree: ast.Module) -> set[ast.AST]:
    """Entries of `__all__` whose name the module binds: the binding is what counts."""
    bound = {name for node in tree.body for name in _bound_by(node)}
    found: set[ast.AST] = set()
    for node in tree.body:
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, (ast.AnnAssign, ast.AugAssign))
            else []
        )
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            value = getattr(node, "value", None)
            parts = ast.walk(value) if value is not None else ()
            found.update(part for part in parts if isinstance(part, ast.Constant) and part.value in bound)
    return found


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
