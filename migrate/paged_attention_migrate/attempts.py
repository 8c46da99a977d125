"""Attempts at rewriting a module: all that may be, as much as can be proved, one place with what belongs to it."""

from __future__ import annotations

from collections.abc import Iterable

from paged_attention_migrate.edits import NotEditable
from paged_attention_migrate.findings import SAFE, UNSAFE, Choice, Replacement
from paged_attention_migrate.module import Draft, Module
from paged_attention_migrate.replacements import replacements
from paged_attention_migrate.rewriting import Rewriting, Rewritten, acceptable


def as_many_as_proved(
    module: Module, drafts: list[Draft], unsafe: bool, simplify: bool
) -> tuple[Rewritten | None, list[tuple[Draft, str]]]:
    """The proved rewrite of as many drafts as possible, and those that failed, with the reason."""
    chosen = acceptable(drafts, unsafe)
    wholesale, reason = _attempt(module, chosen, drafts, unsafe, simplify)
    if wholesale is not None:
        return wholesale, []
    failures: list[tuple[Draft, str]] = []
    sound: list[Draft] = []
    for draft in chosen:
        if draft in sound:
            continue
        group = with_all_it_needs(draft, chosen)
        alone, why = _attempt(module, group, drafts, unsafe, simplify=False)
        if alone is None:
            failures.append((draft, why))
        else:
            sound += [each for each in group if each not in sound]
    together, reason = _attempt(module, sound, drafts, unsafe, simplify)
    if together is None:
        together, reason = _attempt(module, sound, drafts, unsafe, simplify=False)
    if together is None:
        return None, [(draft, reason) for draft in chosen]
    return together, failures


def proposed(module: Module, drafts: list[Draft]) -> dict[int, tuple[Replacement, ...]]:
    """The edit of each draft on its own, by the draft's `id`; a draft whose edit is not proved has none.

    An import goes when nothing needs it any more, so its edit is that of all drafts of its level.
    """
    known: dict[frozenset[int], tuple[Replacement, ...]] = {}
    found = {}
    for draft in drafts:
        if draft.fix not in (SAFE, UNSAFE):
            continue
        whole = draft.binding is not None
        group = acceptable(drafts, draft.fix == UNSAFE) if whole else with_all_it_needs(draft, drafts)
        key = frozenset(map(id, group))
        if key not in known:
            rewritten, _ = _attempt(module, group, drafts, draft.fix == UNSAFE, simplify=False)
            known[key] = replacements(module.source, rewritten.text) if rewritten is not None else ()
        found[id(draft)] = known[key]
    return found


def choices(module: Module, settled: Iterable[Draft], drafts: list[Draft], simplify: bool) -> tuple[Choice, ...]:
    """What can be rewritten apart from the rest, in the order of the file; imports follow from it."""
    found: dict[frozenset[int], Choice] = {}
    sites = [draft for draft in settled if draft.change is not None]
    for draft in sorted(sites, key=lambda each: each.start):
        group = with_all_it_needs(draft, drafts)
        key = frozenset(map(id, group))
        if key not in found:
            unsafe = any(each.fix == UNSAFE for each in group)
            rewritten, _ = _attempt(module, group, drafts, unsafe, simplify)
            after = module.source.encode(rewritten.text) if rewritten is not None else None
            places = {module.source.position(each.start) for each in (draft, *group)}
            found[key] = Choice(module.path, tuple(sorted(places)), after)
    return tuple(found.values())


def with_all_it_needs(draft: Draft, drafts: Iterable[Draft]) -> list[Draft]:
    """A draft with those that can only be rewritten together with it, in the order of `drafts`."""
    drafts = list(drafts)
    group: dict[int, Draft] = {}
    pending = [draft]
    while pending:
        each = pending.pop()
        if id(each) in group or each.change is None:
            continue
        group[id(each)] = each
        pending += each.linked
        pending += [owner for owner in drafts if any(other is each for other in owner.linked)]
    return acceptable((each for each in drafts if id(each) in group), unsafe=True)


def _attempt(
    module: Module, chosen: list[Draft], drafts: list[Draft], unsafe: bool, simplify: bool
) -> tuple[Rewritten | None, str]:
    from paged_attention_migrate.proof import NotProved, prove

    try:
        rewriting = Rewriting(module, chosen, drafts, module.facts.imported_elsewhere.__contains__, unsafe)
        rewritten = rewriting.run(simplify)
        if rewritten.text != module.source.text:
            whole = not module.facts.declined and len(chosen) == len(acceptable(drafts, unsafe))
            prove(module, rewritten, unsafe, whole)
    except (NotEditable, NotProved) as error:
        return None, str(error)
    return rewritten, ""
