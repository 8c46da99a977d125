"""Removal of names that nothing reads any more: first the scratch itself, then what was computed only for it.

A name goes with all of its assignments or not at all. Optimism finds mutual dependence: every candidate is assumed to
be removable until a binding or a reader speaks against it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from paged_attention_migrate.simplify.live import Live
from paged_attention_migrate.simplify.purity import Purity
from paged_attention_migrate.simplify.scopes import Place, Scope, Usage

if TYPE_CHECKING:
    from paged_attention_migrate.simplify import Dropped

_FILLING_METHODS = frozenset({"zero_", "fill_"})


class Unread:
    """Finds, among candidate names, those that can be removed, and removes them."""

    def __init__(self, live: Live, purity: Purity) -> None:
        self._live = live
        self._purity = purity
        self._owners = live.parsed.scopes.owners

    def remove_scratch(self, dropped: Iterable[Dropped]) -> bool:
        """Remove the names that stood in scratch slots; True if there were any."""
        parsed = self._live.parsed
        seeds = []
        for index, names in dropped:
            scope = parsed.scopes.of_node[parsed.numbered[index]] if index < len(parsed.numbered) else None
            for name in names:
                usages = parsed.scopes.resolve(name, scope) if scope is not None else []
                seeds += [usage for usage in usages if usage not in seeds]
        gone = self._remove(seeds, self._purity.is_scratch)
        for names_of_scope in _by_scope(gone):
            pronoun = "them" if len(names_of_scope) > 1 else "it"
            self._live.notes.append(f"removed {_listed(names_of_scope)} (nothing reads {pronoun} any more)")
        return bool(gone)

    def remove_orphans(self) -> bool:
        """Remove the names that lost their last reader to a removal; True if there were any."""
        candidates = [
            usage
            for scope in self._live.parsed.scopes.of_node.values()
            for usage in scope.names.values()
            if any(self._live.is_dead(place.node) for place in usage.reads)
        ]
        gone = self._remove(candidates, lambda value: self._purity.is_pure(value) or self._purity.is_scratch(value))
        for names_of_scope in _by_scope(gone):
            self._live.notes.append(f"removed {_listed(names_of_scope)} (used only by what was removed)")
        return bool(gone)

    def _remove(self, candidates: list[Usage], is_removable_value: Callable[[ast.AST | None], bool]) -> list[Usage]:
        chosen = [usage for usage in candidates if usage.is_private and self._live.living(usage.bindings)]
        attempt = _Attempt(self._live, self._purity, self._owners, is_removable_value)
        while True:
            attempt.names = set(chosen)
            kept = [usage for usage in chosen if attempt.can_go(usage)]
            if len(kept) == len(chosen):
                break
            chosen = kept
        for usage in chosen:
            self._live.gone_names.add(usage.name)
            for place in (*usage.bindings, *usage.deletions, *usage.reads):
                if not self._live.is_dead(place.node):
                    self._live.dead.add(place.statement)
        return chosen


class _Attempt:
    """Whether each of a set of names can go, provided that the others of the set go, too."""

    def __init__(
        self,
        live: Live,
        purity: Purity,
        owners: dict[ast.AST, list[Usage]],
        is_removable_value: Callable[[ast.AST | None], bool],
    ) -> None:
        self._live = live
        self._purity = purity
        self._owners = owners
        self._is_removable_value = is_removable_value
        self.names: set[Usage] = set()

    def can_go(self, usage: Usage) -> bool:
        """Whether every mention of the name is in a statement that goes with the set."""
        live = self._live.living
        places: list[Place] = [*live(usage.bindings), *live(usage.deletions), *live(usage.reads)]
        return all(self._statement_goes(statement) for _, statement in places)

    def _statement_goes(self, statement: ast.stmt) -> bool:
        if statement in self._live.dead:
            return True
        if isinstance(statement, ast.Assign):
            return self._targets_go(statement.targets) and self._is_removable_value(statement.value)
        if isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
            return self._targets_go([statement.target]) and self._is_removable_value(statement.value)
        if isinstance(statement, ast.Delete):
            return all(self._is_chosen(target) for target in statement.targets)
        if isinstance(statement, ast.Expr):
            return self._only_fills(statement.value)
        if isinstance(statement, ast.If) and statement not in self._live.swallowed:
            branches = self._live.block([*statement.body, *statement.orelse])
            return self._purity.is_pure(statement.test) and all(self._statement_goes(branch) for branch in branches)
        return False

    def _targets_go(self, targets: Iterable[ast.expr]) -> bool:
        flat = list(_flattened(targets))
        return any(self._is_chosen(target) for target in flat) and all(self._is_free(target) for target in flat)

    def _is_chosen(self, target: ast.expr) -> bool:
        return any(usage in self.names for usage in self._owners.get(target, ()))

    def _is_free(self, target: ast.expr) -> bool:
        """Whether an assignment target goes with the set, or is one that nothing reads at all."""
        if not isinstance(target, ast.Name):
            return False
        return all(usage in self.names or self._is_unread(usage) for usage in self._owners[target])

    def _is_unread(self, usage: Usage) -> bool:
        needs_it = any(isinstance(place.statement, ast.AugAssign) for place in self._live.living(usage.bindings))
        return usage.is_private and not (usage.deletions or needs_it or self._live.living(usage.reads))

    def _only_fills(self, value: ast.expr) -> bool:
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
            return False
        arguments = [*value.args, *(keyword.value for keyword in value.keywords)]
        pure = all(self._purity.is_pure(argument) for argument in arguments)
        return pure and value.func.attr in _FILLING_METHODS and self._is_chosen(value.func.value)


def _flattened(targets: Iterable[ast.expr]) -> Iterator[ast.expr]:
    for target in targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            yield from _flattened(target.elts)
        else:
            yield target


def _by_scope(usages: list[Usage]) -> list[list[Usage]]:
    groups: dict[Scope, list[Usage]] = {}
    for usage in usages:
        groups.setdefault(usage.scope, []).append(usage)
    return list(groups.values())


def _listed(usages: list[Usage]) -> str:
    return ", ".join(f"`{usage.name}`" for usage in usages)
