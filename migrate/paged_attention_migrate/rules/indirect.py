"""Uses that cannot be followed to the end.

PAM109 indirect: it cannot be told what this refers to

The name of a removed function is used on something that the tool cannot follow: a parameter, an item of a container,
a name that is bound to different things. If it is vLLM's, it is gone.
By hand: look where the object comes from; if it is `vllm._custom_ops` or `torch.ops._C`, call
`paged_attention_shim.paged_attention` instead.

PAM110 star-import: the name can only come from a star import

`from vllm._custom_ops import *` brought the function without naming it.
By hand: import `paged_attention` from `paged_attention_shim`, and call that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from paged_attention_migrate.findings import ERROR, INFO, WARNING
from paged_attention_migrate.module import FUNCTIONS, Draft, Module
from paged_attention_migrate.names.values import Instance, Local, Unknown
from paged_attention_migrate.rules.wording import gone, may_be_meant, perhaps_gone


def drafts(module: Module) -> Iterator[Draft]:
    """Drafts for star imports, ambiguous names, and names on unknown objects."""
    known = set()
    for site in module.sites:
        known.add(site.node)
        if site.name.family not in FUNCTIONS | {"ipex"}:
            continue
        start, end = module.span(site.node)
        what = gone(site.name, site.entries[0].home)
        if site.from_star:
            if site.handed_on and not module.target_for(site.name).changes_arguments(site.name):
                continue
            message = (
                f"{what}, and `{site.name.name}` can only come from a star import here: import the replacement by name"
            )
            yield Draft(start, end, "PAM110", ERROR, site.path, message)
        elif not site.certain and (site.form != "derived" or _is_called(module, site.node)):
            yield Draft(
                start,
                end,
                "PAM109",
                ERROR,
                site.path,
                f"{what}, and this may be it, or {_others(site.entries, site.other_meanings)}",
            )
    for node in module.flow.seen:
        if node in known or not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
            continue
        name = node.id if isinstance(node, ast.Name) else node.attr
        if name not in module.watched or not _could_be_gone(module, node):
            continue
        start, end = module.span(node)
        since, whose = perhaps_gone(module, name)
        if isinstance(node, ast.Name):
            message = f"`{name}` may be the one that is {since}: nothing here says where it comes from"
        else:
            message = f"`{name}` is {since} if `{_short(node.value)}` is {whose}, which this file does not say"
        yield Draft(start, end, "PAM109", WARNING if may_be_meant(module, name) else INFO, name, message)


def _could_be_gone(module: Module, node: ast.Name | ast.Attribute) -> bool:
    values = module.flow.seen[node][0]
    if isinstance(node, ast.Name):
        return all(isinstance(value, Unknown) and value.what in ("undefined", "star") for value in values)
    if not any(isinstance(value, Unknown) for value in values):
        return False
    base = module.flow.seen.get(node.value)
    # A method or field of the file's own classes is the file's own business.
    return not (base and all(isinstance(value, (Instance, Local)) for value in base[0]))


def _is_called(module: Module, node: ast.AST) -> bool:
    parent = module.parent(node)
    return isinstance(parent, ast.Call) and parent.func is node


def _others(entries: tuple[object, ...], others: tuple[str, ...]) -> str:
    paths = sorted({f"`{entry.home.path}.{entry.name.name}`" for entry in entries})  # type: ignore[attr-defined]
    return " or ".join([*paths[1:], *others]) or "something else"


def _short(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) < 40 else text[:37] + "..."
