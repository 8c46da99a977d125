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
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from paged_attention_migrate.calls.judging import judged
from paged_attention_migrate.calls.verdict import Hazard, Verdict
from paged_attention_migrate.findings import ERROR, INFO, SAFE, UNSAFE, WARNING
from paged_attention_migrate.module import FUNCTIONS, Change, Draft, Module, Site
from paged_attention_migrate.names.values import Partial
from paged_attention_migrate.rules.hazards import context_hazards, doubts
from paged_attention_migrate.rules.references import ask_for_what_is_used, reference
from paged_attention_migrate.rules.wording import gone

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
    ask_for_what_is_used(module, found)
    yield from (draft for each in found.values() for draft in each)
    # Where the reference stays, the call behind it says nothing that the reference does not.
    yield from (draft for draft in made.values() if draft.change is not None and id(draft) in linked)


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
        yield reference(module, site, parent, made, derived)


def call_drafts(module: Module, site: Site, call: ast.Call, in_partial: bool = False) -> Iterator[Draft]:
    """The finding for a call, and remarks that do not stand in its way."""
    verdict = judged(module, site, call, in_partial)
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
        plan = judged(module, site, whole)
        if plan.fix is None or plan.plan.split or plan.plan.replace or plan.plan.insert_after:
            text = f"with the arguments at line {later.lineno} it is a call that needs more than another name"
            found.append(Hazard("PAM404", text))
    return found


def _with_scratch(verdict: Verdict) -> str:
    if verdict.plan.before:
        return " with scratch buffers of its own"
    without = verdict.without or ("the scratch buffers" if verdict.scratch else "")
    return f" without {without}" if without else ""


def _derived(module: Module, site: Site) -> Draft | None:
    """A call through a variable or a field; the reference that filled it is reported by itself."""
    parent = module.parent(site.node)
    if not isinstance(parent, ast.Call) or parent.func is not site.node:
        return None
    verdict = judged(module, site, parent)
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
