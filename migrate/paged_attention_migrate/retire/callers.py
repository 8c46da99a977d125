"""The Python that stays: its calls move through the same engine as `rewrite --force-callers`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from paged_attention_migrate.files import Candidate
from paged_attention_migrate.findings import ERROR, Finding
from paged_attention_migrate.markers import may_hold_removed_name
from paged_attention_migrate.project import FileChange, Options, Progress
from paged_attention_migrate.repository import Repository
from paged_attention_migrate.retire.tree import Tree
from paged_attention_migrate.settings import Settings

# Code that only asks hears "not there" and goes on.
_ASKS = frozenset({"PAM105"})


class Moved(NamedTuple):
    """What became of the callers: changes by path, and the findings that are left."""

    changes: dict[str, FileChange]
    findings: tuple[Finding, ...]

    def readers(self) -> list[Finding]:
        """The findings whose code still needs a removed function."""
        return [each for each in self.findings if not each.fixed and each.severity == ERROR and each.code not in _ASKS]


def move(tree: Tree, texts: Mapping[str, bytes], settings: Settings, progress: Progress | None = None) -> Moved:
    """Rewrite the callers; `texts` are files, by path, that an earlier step has changed.

    `settings` name the tree's modules of wrappers among the homes.
    """
    hits = []
    defining = {file.path for file in tree.wrappers()}
    for file in tree.files:
        if file.kind not in ("python", "stub") or file.path in defining:
            continue
        data = texts.get(file.path, tree.data(file))
        if may_hold_removed_name(data):
            hits.append(Candidate(file.path, file.kind, data))
    options = Options((tree.root,), settings, force_callers=True)
    repository = Repository(options, tree.source_files(), hits)
    repository.trees = {tree.prefix: tree.root}
    repository.registered.clear()
    result = repository.run(True, progress)
    told = result.once_written()
    return Moved({change.path: change for change in result.changes}, told.findings)
