"""Calls and other uses of the removed functions.

PAM102 call: a removed function is called

`paged_attention_v1` and `paged_attention_v2` left vLLM in 0.25.0 (https://github.com/vllm-project/vllm/pull/47361),
so the call raises an AttributeError or ImportError, often inside a broad `except`.
The surviving call takes the arguments of the last `paged_attention_v1`; one of v2 loses its three scratch buffers.

    ops.paged_attention_v2(out, exp_sums, max_logits, tmp_out, query, ...)   # before
    paged_attention(out, query, ...)                                         # after

Older argument lists are brought to the last one: `kv_scale` becomes `k_scale` and `v_scale`, `context_lens` and
`max_context_len` become `seq_lens` and `max_seq_len`.
Safe when the arguments fit one parameter list of the function's history and dropping the scratch drops no side effect.

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
from collections.abc import Iterator

from paged_attention_migrate.calls.arguments import short
from paged_attention_migrate.calls.judging import judge
from paged_attention_migrate.calls.verdict import Hazard, Plan, Verdict
from paged_attention_migrate.findings import ERROR, INFO, SAFE, UNSAFE, WARNING
from paged_attention_migrate.module import FUNCTIONS, Change, Draft, Module, Site
from paged_attention_migrate.names.values import Partial
from paged_attention_migrate.own import FAMILY
from paged_attention_migrate.registrations import last_name
from paged_attention_migrate.rules.hazards import context_hazards, doubts
from paged_attention_migrate.rules.wording import gone, then
from paged_attention_migrate.targets import Place

_OP_CONSUMERS = frozenset(
    {"opcheck", "signature", "getfullargspec", "isinstance", "id", "issubclass", "register_lowering"}
)
_TELL_APART = frozenset({"isinstance", "issubclass", "id", "type", "signature", "getfullargspec"})
_PARTIALS = frozenset({"functools.partial", "partial", "partialmethod", "functools.partialmethod"})


def drafts(module: Module) -> Iterator[Draft]:
    """Drafts for every use of a function."""
    uses = [site for site in module.sites if site.name.family in FUNCTIONS and site.certain]
    derived = [site for site in uses if site.form == "derived"]
    made: dict[Site, Draft] = {}
    for site in derived:
        draft = _derived(module, site)
        if draft is not None:
            made[site] = draft
    linked: set[int] = set()
    found: dict[Site, list[Draft]] = {}
    for site in uses:
        if site.form == "derived" or _is_defined_here(module, site):
            continue
        if site.from_star and (not site.handed_on or _changes_arguments(module, site)):
            continue
        found[site] = list(_use(module, site, made, derived))
        for draft in found[site]:
            linked.update(id(other) for other in draft.linked if draft.fix is not None)
    _ask_for_what_is_used(module, found)
    yield from (draft for each in found.values() for draft in each)
    # Where the reference stays, the call behind it says nothing that the reference does not.
    yield from (draft for draft in made.values() if draft.change is not None and id(draft) in linked)


def _ask_for_what_is_used(module: Module, found: dict[Site, list[Draft]]) -> None:
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


def _is_question(module: Module, site: Site) -> bool:
    return _asks_whether_there(module, site.node, module.parent(site.node))


def _changes_arguments(module: Module, site: Site) -> bool:
    return module.target_for(site.name).changes_arguments(site.name)


def _is_defined_here(module: Module, site: Site) -> bool:
    """Inside `def paged_attention_v1` of the defining module the call is the definition."""
    if not module.facts.own_definitions:
        return False
    return any(
        isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)) and outer.name == site.name.name
        for outer in module.ancestors(site.node)
    )


def _use(module: Module, site: Site, made: dict[Site, Draft], derived: list[Site]) -> Iterator[Draft]:
    parent = module.parent(site.node)
    if isinstance(parent, ast.Call) and parent.func is site.node:
        yield from call_drafts(module, site, parent)
    elif isinstance(parent, ast.Call) and parent.args[:1] == [site.node] and ast.unparse(parent.func) in _PARTIALS:
        yield from call_drafts(module, site, parent, in_partial=True)
    elif not site.handed_on or _changes_arguments(module, site):
        yield _reference(module, site, parent, made, derived)


def call_drafts(module: Module, site: Site, call: ast.Call, in_partial: bool = False) -> Iterator[Draft]:
    """The finding for a call, and remarks that do not stand in its way."""
    verdict = _judged(module, site, call, in_partial)
    if site.handed_on and not _changes_arguments(module, site) and verdict.fix == SAFE and verdict.plan.is_identity:
        # The file that hands the name on keeps it, and the call is right as it is.
        return
    blocking, remarks = context_hazards(module, site, call, verdict)
    target = module.target_for(site.name)
    if in_partial and target.takes_old:
        blocking += _completed_elsewhere(module, site, call)
    fix = verdict.fix
    reasons = [hazard.message for hazard in verdict.hazards]
    doubtful = list(doubts(module, site, call, verdict)) if fix is not None and not blocking else []
    if doubtful:
        fix = UNSAFE
        reasons = [hazard.message for hazard in doubtful] + reasons
    if blocking:
        fix = None
        reasons = [hazard.message for hazard in blocking] + reasons
    if fix is None and not reasons:
        reasons = ["the argument list could not be understood"]
    hazards = [*blocking, *doubtful, *verdict.hazards]
    code = hazards[0].code if fix != SAFE and hazards else "PAM102"
    start, end = module.span(site.node)
    name, home = site.entries[0].name, site.entries[0].home
    change = Change(site, call, verdict.plan, in_partial, verdict.scratch) if fix else None
    what = gone(name, home)
    if fix == SAFE:
        message = f"{what}: call `{target.path}`{_with_scratch(verdict)}"
        yield Draft(start, end, code, ERROR, site.path, message, fix, (), change)
        for hazard in verdict.hazards:
            yield Draft(start, end, hazard.code, INFO, site.path, hazard.message)
    else:
        yield Draft(start, end, code, ERROR, site.path, f"{what}: {reasons[0]}", fix, reasons, change)
    for hazard in remarks:
        yield Draft(start, end, hazard.code, WARNING, site.path, hazard.message)


def _completed_elsewhere(module: Module, site: Site, call: ast.Call) -> list[Hazard]:
    """What a `functools.partial` and the calls of it give together must need no other change."""
    found = []
    for node, (values, _) in module.flow.seen.items():
        later = module.parent(node)
        if not isinstance(later, ast.Call) or later.func is not node:
            continue
        if not any(isinstance(value, Partial) and value.call is call for value in values):
            continue
        given = [*call.args[1:], *later.args, *call.keywords, *later.keywords]
        whole = ast.parse(f"f({', '.join(ast.unparse(each) for each in given)})", mode="eval").body
        assert isinstance(whole, ast.Call)
        plan = _judged(module, site, whole)
        if plan.fix is None or plan.plan.split or plan.plan.replace or plan.plan.insert_after:
            text = f"with the arguments at line {later.lineno} it is a call that needs more than another name"
            found.append(Hazard("PAM404", text))
    return found


def _with_scratch(verdict: Verdict) -> str:
    if verdict.plan.before:
        return " with scratch buffers of its own"
    without = verdict.without or ("the scratch buffers" if verdict.scratch else "")
    return f" without {without}" if without else ""


def _judged(module: Module, site: Site, call: ast.Call, in_partial: bool = False) -> Verdict:
    entries = [(entry.name, entry.home) for entry in site.entries]
    version = module.settings.from_version
    place = Place(module, site, call)
    return judge(place, entries, version, _pin, skip=1 if in_partial else 0, complete=not in_partial)


def _pin() -> str | None:
    from paged_attention_migrate.settings import pinned_version

    return pinned_version()


def _reference(
    module: Module, site: Site, parent: ast.AST | None, made: dict[Site, Draft], derived: list[Site]
) -> Draft:
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
    verdict = _judged(module, site, outer)
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


def _derived(module: Module, site: Site) -> Draft | None:
    """A call through a variable or a field; the reference that filled it is reported by itself."""
    parent = module.parent(site.node)
    if not isinstance(parent, ast.Call) or parent.func is not site.node:
        return None
    verdict = _judged(module, site, parent)
    blocking, _ = context_hazards(module, site, parent, verdict)
    fix = None if blocking else verdict.fix
    start, end = module.span(site.node)
    reasons = [hazard.message for hazard in (*blocking, *verdict.hazards)]
    change = (
        Change(site, parent, verdict.plan, False, verdict.scratch) if fix and not verdict.plan.is_identity else None
    )
    what = gone(site.name, site.entries[0].home)
    message = f"{what}: {reasons[0] if reasons and fix != SAFE else 'this calls it through a variable'}"
    return Draft(start, end, "PAM102", ERROR, site.path, message, fix, reasons if fix != SAFE else (), change)


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
