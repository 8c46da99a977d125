"""References that are not calls.

PAM103 reference: a removed function is stored or handed on

A plain reference to v1 is renamed, since the surviving function takes the same arguments.
One to v2 stays: the call elsewhere still passes scratch buffers.
By hand: change that call first, then the reference.

PAM111 op-object: the operator itself is needed, not a function

`opcheck`, `.default`, lowerings, FLOP formulas, signatures and comparisons need the registered operator.
By hand: test or register the surviving function instead, or drop the entry.
"""

from __future__ import annotations

import ast

from paged_attention_migrate.calls.arguments import short
from paged_attention_migrate.calls.judging import judged
from paged_attention_migrate.calls.verdict import Plan, Verdict
from paged_attention_migrate.findings import ERROR, SAFE, UNSAFE
from paged_attention_migrate.module import Change, Draft, Module, Site
from paged_attention_migrate.own import FAMILY
from paged_attention_migrate.registrations import last_name
from paged_attention_migrate.rules.hazards import context_hazards
from paged_attention_migrate.rules.wording import gone, then

_OP_CONSUMERS = frozenset(
    {"opcheck", "signature", "getfullargspec", "isinstance", "id", "issubclass", "register_lowering"}
)
_TELL_APART = frozenset({"isinstance", "issubclass", "id", "type", "signature", "getfullargspec"})


def reference(
    module: Module, site: Site, parent: ast.AST | None, made: dict[Site, Draft], derived: list[Site]
) -> Draft:
    """The finding for a use that is no call; `made` are the drafts of calls through variables, at `derived`."""
    start, end = module.span(site.node)
    name, home = site.entries[0].name, site.entries[0].home
    what = gone(name, home)
    needs = _needs_operator(module, site, parent)
    registered = module.registers_itself(name.name) if home.call_style == "op" else None
    if registered:
        reason = f"{registered} registers the operator itself, so it may still be there"
        return Draft(start, end, "PAM406", ERROR, site.path, f"{what}: {reason}", None, [reason])
    if needs and not _asks_whether_there(module, site.node, parent):
        return Draft(start, end, "PAM111", ERROR, site.path, f"{what}: {needs}", None, [needs])
    target = module.target_for(site.name)
    if not target.is_there:
        reason = then(name)
        return Draft(start, end, "PAM103", ERROR, site.path, f"{what}: {reason}", None, [reason])
    if _asks_whether_there(module, site.node, parent):
        doubtful = target.doubt or _older_than_a_question(site)
        if doubtful:
            return Draft(
                start,
                end,
                "PAM103",
                ERROR,
                site.path,
                f"{what}: {doubtful}",
                UNSAFE,
                [doubtful],
                Change(site, None, None),
            )
        message = f"{what}: use `{target.path}`"
        return Draft(start, end, "PAM103", ERROR, site.path, message, SAFE, (), Change(site, None, None))
    if target.changes_arguments(name):
        return _reference_with_other_arguments(module, site, parent, made, derived)
    return _plain_reference(module, site, parent, made, derived)


def ask_for_what_is_used(module: Module, found: dict[Site, list[Draft]]) -> None:
    """Let a question whether an imported name is there move only with all that is used of the name."""
    questions = [site for site in found if found[site] and site.form == "imported" and _is_question(module, site)]
    for site in questions:
        question = found[site][0]
        others = [other for other in found if other not in questions and set(other.bindings) & set(site.bindings)]
        uses = [draft for other in others for draft in found[other] if draft.severity == ERROR]
        left = [draft for draft in uses if draft.fix is None]
        if question.fix is None or not uses:
            continue
        if left:
            line, _ = module.source.position(left[0].start)
            reason = f"it asks for what line {line} uses, which stays"
            question.fix, question.change, question.reasons = None, None, (reason,)
            question.message = f"{gone(site.name, site.entries[0].home)}: {reason}"
            continue
        doubts_of_use = [reason for draft in uses if draft.fix == UNSAFE for reason in draft.reasons]
        if doubts_of_use:
            question.fix, question.reasons = UNSAFE, tuple(dict.fromkeys(doubts_of_use))
        question.linked = uses


def _reference_with_other_arguments(
    module: Module, site: Site, parent: ast.AST | None, made: dict[Site, Draft], derived: list[Site]
) -> Draft:
    start, end = module.span(site.node)
    what = gone(site.name, site.entries[0].home)
    target = module.target_for(site.name)
    calls = _all_calls_of_variable(site, parent, made, derived) if target.through_variables else None
    if calls is None:
        return Draft(start, end, "PAM103", ERROR, site.path, f"{what}: {target.stored}", None, [target.stored])
    fix = UNSAFE if any(call.fix == UNSAFE for call in calls) else SAFE
    message = f"{what}: use `{target.path}`"
    draft = Draft(start, end, "PAM103", ERROR, site.path, message, fix, (), Change(site, None, None))
    draft.linked = calls
    return draft


def _plain_reference(
    module: Module, site: Site, parent: ast.AST | None, made: dict[Site, Draft], derived: list[Site]
) -> Draft:
    start, end = module.span(site.node)
    home = site.entries[0].home
    what = gone(site.name, home)
    change = Change(site, None, None)
    target = module.target_for(site.name)
    reasons = [each for each in (target.doubt, _told_apart(module, site)) if each]
    fix: str | None = UNSAFE if reasons else SAFE
    if home.call_style == "pybind":
        fix = UNSAFE
        reasons = [f"what is called through this may still pass an older parameter list of `{home.path}`"]
    if home.call_style == "op" and isinstance(parent, ast.Call):
        fix = UNSAFE
        reasons = [f"`{short(parent.func)}` may need the operator and not a function"]
    misused = _used_as_operator(module, site)
    if misused:
        return Draft(start, end, "PAM111", ERROR, site.path, f"{what}: {misused}", None, [misused])
    mixed = _mixed_call(module, site)
    if mixed:
        fix, reasons = None, [f"line {mixed} calls this and other functions through one variable"]
    linked = [made[other] for other in derived if other in made and _came_from(other, site)]
    for draft in linked:
        if draft.fix is None:
            fix, reasons = None, [f"the call of what is stored here needs a person: {draft.message}"]
        elif draft.fix == UNSAFE and fix == SAFE:
            fix, reasons = UNSAFE, list(draft.reasons)
    blocking, _ = context_hazards(module, site, None, Verdict(fix, Plan()))
    if blocking:
        fix, reasons = None, [hazard.message for hazard in blocking]
    todo = reasons[0] if reasons else f"use `{target.path}`, which takes the same arguments"
    message = f"{what}: {todo}"
    found = Draft(
        start,
        end,
        blocking[0].code if blocking else "PAM103",
        ERROR,
        site.path,
        message,
        fix,
        reasons,
        change if fix else None,
    )
    found.linked = linked
    return found


def _older_than_a_question(site: Site) -> str:
    """Why even a question about the function is not safe to rename: its calls may not be."""
    old = [entry.home.path for entry in site.entries if entry.home.call_style == "pybind"]
    return f"its calls may pass an older parameter list of `{old[0]}`" if old else ""


def _asks_whether_there(module: Module, node: ast.AST, parent: ast.AST | None) -> bool:
    """`f is None`, `if f:`, `not f`: questions that the replacement answers as well."""
    if isinstance(parent, ast.Compare):
        others = [parent.left, *parent.comparators]
        return all(other is node or (isinstance(other, ast.Constant) and other.value is None) for other in others)
    while isinstance(parent, (ast.BoolOp, ast.UnaryOp)):
        node, parent = parent, module.parent(parent)
    return isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.Assert)) and parent.test is node


def _used_as_operator(module: Module, site: Site) -> str:
    """How a variable that holds the function is used as more than a function; "" if it is not."""
    for other in module.sites:
        if other.form == "derived" and site.path in {entry.reference.path for entry in other.entries}:
            parent = module.parent(other.node)
            needs = _needs_operator(module, other, parent) or _told_apart(module, other)
            if needs and not _asks_whether_there(module, other.node, parent) and not _passes_all_on(module, other):
                return f"at line {other.node.lineno} {needs}"
    return ""


def _passes_all_on(module: Module, site: Site) -> bool:
    """`(held or fallback)(*arguments)`: the call takes the replacement as it took the old function."""
    node: ast.AST = site.node
    outer = module.parent(node)
    while isinstance(outer, (ast.IfExp, ast.BoolOp, ast.NamedExpr)):
        node, outer = outer, module.parent(outer)
    if not isinstance(outer, ast.Call) or outer.func is not node or node is site.node:
        return False
    verdict = judged(module, site, outer)
    return verdict.fix == SAFE and verdict.plan.is_identity


def _mixed_call(module: Module, site: Site) -> int:
    """The line of a call that may reach this function or another; 0 if there is none."""
    for other in module.sites:
        paths = {entry.reference.path for entry in other.entries}
        if other.form == "derived" and not other.certain and site.path in paths:
            return other.node.lineno
    return 0


def _came_from(derived: Site, site: Site) -> bool:
    return {entry.reference.path for entry in derived.entries} == {entry.reference.path for entry in site.entries}


def _needs_operator(module: Module, site: Site, parent: ast.AST | None) -> str:
    if isinstance(parent, ast.Attribute):
        return f"`.{parent.attr}` is an attribute of the old function or operator, not of its replacement"
    if isinstance(parent, ast.Subscript) and parent.value is site.node:
        return "it is launched or indexed with [], which the replacement may not support"
    if isinstance(parent, ast.MatchValue):
        return "a pattern that is a bare name would match everything"
    if isinstance(parent, ast.Compare) and site.name.family != FAMILY:
        return "both old functions become the same one, so the comparison would change its meaning"
    if isinstance(parent, ast.Call) and site.name.family != FAMILY:
        last = last_name(parent.func)
        if last in _OP_CONSUMERS or "register" in last or last.endswith("opcheck"):
            looks = "looks at the operator or its signature, and the replacement is a plain function"
            return f"`{short(parent.func)}` {looks}"
    if any(isinstance(outer, ast.JoinedStr) for outer in module.ancestors(site.node)):
        return "it stands inside an f-string"
    node: ast.AST = site.node
    while isinstance(parent, (ast.IfExp, ast.BoolOp, ast.NamedExpr)):
        node, parent = parent, module.parent(parent)
    if isinstance(parent, ast.Call) and parent.func is node and node is not site.node:
        return "it is chosen and called in one expression: choose first, then call"
    return ""


def _told_apart(module: Module, site: Site) -> str:
    """How a name of the settings is told from others, which may not hold for what takes its place; "" if it is not."""
    node: ast.AST = site.node
    parent = module.parent(node)
    while isinstance(parent, (ast.Tuple, ast.List, ast.Set)):
        node, parent = parent, module.parent(parent)
    if site.name.family != FAMILY or (isinstance(parent, ast.Call) and parent.func is node):
        return ""
    if isinstance(parent, ast.Compare):
        return "it is compared, and what it is compared with may still be the old one"
    if isinstance(parent, ast.Call) and last_name(parent.func) in _TELL_APART:
        return (
            f"`{short(parent.func)}` looks at the object itself, and what it is held against may still be the old one"
        )
    return ""


def _all_calls_of_variable(
    site: Site, parent: ast.AST | None, made: dict[Site, Draft], derived: list[Site]
) -> list[Draft] | None:
    """The calls of a local variable that holds v2, when it has no other use and each can be rewritten."""
    if not isinstance(parent, ast.Assign) or len(parent.targets) != 1 or not isinstance(parent.targets[0], ast.Name):
        return None
    scope = site.scope
    name = parent.targets[0].id
    if not scope.is_function or name in scope.outer_names or len(scope.stores.get(name, ())) != 1:
        return None
    loads = set(scope.loads.get(name, ()))
    calls = {other.node: made.get(other) for other in derived}
    found = [calls.get(load) for load in loads]
    if not found or any(draft is None or draft.fix is None for draft in found):
        return None
    return [draft for draft in found if draft is not None]


def _is_question(module: Module, site: Site) -> bool:
    return _asks_whether_there(module, site.node, module.parent(site.node))
