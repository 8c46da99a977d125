"""Names that the project's own settings call removed.

PAM501 own-import: a name that the settings call removed is imported

`[[tool.paged-attention-migrate.removed]]` in pyproject.toml lists names of any library, with what takes their place.
The import becomes one of the replacement, in the same `try`, function or branch, once every use can be rewritten.

PAM502 own-call: a function that the settings call removed is called

The arguments are bound to `signature` and passed on as `replacement-signature` takes them: `renamed` ones under their
new names, `dropped` ones not at all, and what the old function took by default is written out where the new default
is another. Arguments keep their order; those whose place has changed get a keyword.
Safe when the arguments fit, when dropping does not drop work that evaluating an argument does, when nothing reads a
dropped buffer afterwards, and unless the settings say `safe = false`.
By hand: the message says what stands in the way, be it a star, a `partial`, or a default that is no literal.

PAM503 own-reference: a function that the settings call removed is stored or handed on

Where both signatures are the same, the reference is renamed. Where they differ, whoever calls it passes the old
arguments, so it is renamed only with the calls of a local variable that all can be rewritten.
A comparison and `isinstance` tell objects apart, so their edits need a reader (`rewrite --unsafe`).
By hand: change the calls first, then the reference.

PAM504 own-string: a string or a patch names what the settings call removed

A full dotted name in a string, or the name beside its module as in `getattr(ops, "old_norm")` and
`monkeypatch.setattr(ops, "old_norm", fake)`.
By hand: name the replacement.

PAM505 own-indirect: it may be what the settings call removed

The name is used on something that cannot be followed, or can only come from a star import.
By hand: look where the object comes from. In a file that imports nothing of the package this is a mention, which
`--info` shows.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from paged_attention_migrate.findings import ERROR, INFO, WARNING
from paged_attention_migrate.module import Draft, Module
from paged_attention_migrate.names.values import Reference, Unknown
from paged_attention_migrate.own import CALL, FAMILY, IMPORT
from paged_attention_migrate.registrations import last_name
from paged_attention_migrate.rules.wording import gone, may_be_meant, perhaps_gone

_REFERENCE, _STRING, _INDIRECT = "PAM503", "PAM504", "PAM505"
# What the rules for all removed functions call a finding, and what it is for a name of the settings.
_CODES = {
    "PAM101": IMPORT,
    "PAM103": _REFERENCE,
    "PAM106": _STRING,
    "PAM109": _INDIRECT,
    "PAM110": _INDIRECT,
    "PAM111": _REFERENCE,
}
_ASKS = frozenset({"hasattr", "getattr"})


def under_own_codes(module: Module, drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts, those about names of the settings with the codes for such."""
    own = {*module.own, *(row.name.name for row, _ in module.own.values())}
    found = list(drafts)
    for draft in found:
        if draft.name in own and not draft.code.startswith("PAM5"):
            draft.code = _CODES.get(draft.code, CALL)
    return found


def drafts(module: Module) -> Iterator[Draft]:
    """Drafts for strings that name what the settings call removed, and for calls that nothing else tells of."""
    in_strings = list(_in_strings(module))
    yield from in_strings
    told = {site.path for site in module.sites if site.form != "derived"}.union(draft.name for draft in in_strings)
    for site in module.sites:
        call = module.parent(site.node)
        is_called = isinstance(call, ast.Call) and call.func is site.node
        if site.name.family == FAMILY and site.form == "derived" and is_called and site.path not in told:
            start, end = module.span(site.node)
            message = f"{gone(site.name, site.entries[0].home)}, and this may be it: change it by hand"
            yield Draft(start, end, _INDIRECT, ERROR, site.path, message)


def _in_strings(module: Module) -> Iterator[Draft]:
    names = {row.name.name for row, _ in module.own.values()}
    whole = re.compile(rf"(?:(?P<home>[\w.]+)[.:])?(?P<name>{'|'.join(sorted(names))})\Z")
    inside = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(module.own)))})(?!\w)")
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        match = whole.match(node.value)
        if match is None:
            named = inside.search(node.value)
            if named is not None and not _is_prose(module, node):
                yield _draft(module, node, INFO, named[0])
        elif match["home"]:
            path = module.flow.canonical(f"{match['home']}.{match['name']}")[0]
            if path in module.own:
                yield _draft(module, node, WARNING, path)
        else:
            yield from _beside_its_module(module, node, match["name"])


def _is_prose(module: Module, node: ast.Constant) -> bool:
    return isinstance(module.parent(node), ast.Expr)


def _beside_its_module(module: Module, node: ast.Constant, name: str) -> Iterator[Draft]:
    call = module.parent(node)
    if not isinstance(call, ast.Call) or call.args[1:2] != [node]:
        return
    held = module.flow.seen.get(call.args[0])
    values = held[0] if held else frozenset()
    paths = [f"{value.path}.{name}" for value in values if isinstance(value, Reference)]
    path = next((path for path in paths if path in module.own), None)
    if path is not None:
        yield _draft(module, node, WARNING, path)
    elif last_name(call.func) in _ASKS and any(isinstance(value, Unknown) for value in values):
        since, whose = perhaps_gone(module, name)
        start, end = module.span(node)
        message = f"`{name}` is {since} if `{ast.unparse(call.args[0])}` is {whose}, which this file does not say"
        yield Draft(start, end, _INDIRECT, WARNING if may_be_meant(module, name) else INFO, name, message)


def _draft(module: Module, node: ast.Constant, severity: str, path: str) -> Draft:
    start, end = module.span(node)
    row, home = module.own[path]
    what = "this string names" if severity == WARNING else "a text mentions"
    told = f"{what} `{path}`, which {gone(row.name, home).partition('` ')[2]}"
    instead = f": name `{row.target.path}`" if row.target.is_there and severity == WARNING else ""
    return Draft(start, end, _STRING, severity, path, told + instead)
