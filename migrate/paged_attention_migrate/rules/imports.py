"""Imports of what is gone, and modules that are gone without being imported by name.

PAM101 import: a removed function is imported

`from vllm._custom_ops import paged_attention_v1` raises an ImportError since vLLM 0.25.0
(https://github.com/vllm-project/vllm/pull/47361). The import becomes one of `paged_attention_shim.paged_attention`,
in the same `try`, function or branch, once every use of the name can be rewritten.
A name that other code may import from this module keeps its name.

PAM203 dead-import: the module itself is gone

`vllm._C.ops`, `vllm._C.cache_ops`, `vllm.attention_ops` and `vllm.cache_ops` were compiled modules of vLLM up to 0.4.3.
The import goes with the last call that needed it.
One that is reached through the module around it, `_C.ops.rms_norm` after `from vllm import _C`, is gone as well.
By hand: take what is left from `vllm._custom_ops`.

PAM204 moved: the module moved

`vllm.attention.ops.paged_attn` is `vllm.v1.attention.ops.paged_attn` since 0.14.0, and holds less.
By hand: import from the new place what still exists.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from paged_attention_migrate.findings import ERROR, SAFE
from paged_attention_migrate.module import FUNCTIONS, Draft, Module
from paged_attention_migrate.names.values import ImportBinding, Reference
from paged_attention_migrate.rules.wording import gone, then
from paged_attention_shim.removed import Home, RemovedName


def drafts(module: Module) -> Iterator[Draft]:
    """A draft for every import of a removed name or module, and for every other use of such a module."""
    yield from _reached(module)
    for binding in module.flow.imports:
        if binding.reexported or binding.star:
            continue
        found = module.entry(binding.path) or module.entry(binding.alias.name)
        if found is None:
            continue
        name, home = found
        if name.family in FUNCTIONS:
            yield _function(module, binding, name, home)
        elif name.family == "module":
            yield _dead(module, binding, name, home)
        elif name.family == "helper":
            yield from _helper(module, binding, name, home)
        else:
            start, end = _place(module, binding)
            yield Draft(start, end, "PAM202", ERROR, binding.path, f"{gone(name, home)}: {then(name)}")


def _function(module: Module, binding: ImportBinding, name: RemovedName, home: Home) -> Draft:
    start, end = _place(module, binding)
    target = module.target_for(name)
    todo = f"import `{target.function}` from `{target.module}`" if target.is_there else then(name)
    message = f"{gone(name, home)}: {todo}"
    return Draft(start, end, "PAM101", ERROR, f"{home.path}.{name.name}", message, SAFE, (), None, binding)


def _dead(module: Module, binding: ImportBinding, name: RemovedName, home: Home) -> Draft:
    start, end = _place(module, binding)
    code = "PAM204" if name.moved else "PAM203"
    message = f"{gone(name, home)}: {then(name)}"
    return Draft(start, end, code, ERROR, f"{home.path}.{name.name}", message, SAFE, (), None, binding)


def _reached(module: Module) -> Iterator[Draft]:
    """A draft for every use of a dead module through the module around it, which is not gone."""
    imported = {binding.alias.name for binding in module.flow.imports}
    reported = {site.node for site in module.sites if not site.name.moved}
    for node in module.flow.seen:
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            continue
        found = _module_in(module, node)
        if found is None or found[1].path + "." + found[0].name in imported or _chain_of(module, node) & reported:
            continue
        name, home = found
        start, end = module.span(node)
        code = "PAM204" if name.moved else "PAM203"
        yield Draft(start, end, code, ERROR, f"{home.path}.{name.name}", f"{gone(name, home)}: {then(name)}")


def _module_in(module: Module, node: ast.Attribute) -> tuple[RemovedName, Home] | None:
    """The dead module that an attribute takes from the module around it."""
    around = module.flow.seen.get(node.value)
    for value in around[0] if around else ():
        found = module.entry(f"{value.path}.{node.attr}") if isinstance(value, Reference) else None
        if found is not None and found[0].family == "module":
            return found
    return None


def _chain_of(module: Module, node: ast.Attribute) -> set[ast.AST]:
    """The attributes that are taken from an attribute: of `a.b` in `a.b.c.d()` they are `a.b.c` and `a.b.c.d`."""
    found: set[ast.AST] = set()
    outer = module.parent(node)
    while isinstance(outer, ast.Attribute):
        found.add(outer)
        outer = module.parent(outer)
    return found


def _helper(module: Module, binding: ImportBinding, name: RemovedName, home: Home) -> Iterator[Draft]:
    if name.moved and _only_removed_methods(module, binding):
        return
    start, end = _place(module, binding)
    code = "PAM204" if name.moved else "PAM201"
    yield Draft(start, end, code, ERROR, f"{home.path}.{name.name}", f"{gone(name, home)}: {then(name)}")


def _only_removed_methods(module: Module, binding: ImportBinding) -> bool:
    """Whether every use of an imported class or module is one that its own finding reports."""
    used = 0
    for node, (values, _) in module.flow.seen.items():
        if not isinstance(node, ast.Attribute):
            continue
        for value in values:
            if isinstance(value, Reference) and value.binding is binding and value.path != binding.path:
                row = module.entry(value.path)
                if row is not None and row[0].moved:
                    return row[0].name == "PagedAttention" and binding.path.endswith("paged_attn")
                used += 1
    return used > 0


def _place(module: Module, binding: ImportBinding) -> tuple[int, int]:
    return module.span(binding.alias)
