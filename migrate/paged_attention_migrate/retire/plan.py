"""The whole of a run: what is defined, who still needs it, and the changes that follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from paged_attention_migrate.files import Candidate
from paged_attention_migrate.findings import Finding
from paged_attention_migrate.project import FileChange, Progress, own_trees
from paged_attention_migrate.proof import NotProved
from paged_attention_migrate.retire.build_lists import BuildLists
from paged_attention_migrate.retire.callers import Moved, move
from paged_attention_migrate.retire.cutting import Cut, Overlapping, without
from paged_attention_migrate.retire.dispatch import Specialised, specialise
from paged_attention_migrate.retire.orphans import without_orphans
from paged_attention_migrate.retire.readers import Readers
from paged_attention_migrate.retire.soundness import prove_native, prove_python
from paged_attention_migrate.retire.sources import Blocker, Sources
from paged_attention_migrate.retire.tree import Tree, TreeFile, module_name
from paged_attention_migrate.retire.wrappers import Wrappers
from paged_attention_migrate.settings import Settings
from paged_attention_migrate.source import Source, Undecodable
from paged_attention_migrate.taken_names import stem, taken_from


class Plan(NamedTuple):
    """What a run would do.

    `reasons` say of a path why it goes, or what of it; `blockers` are the places for which all definitions stay;
    `hints` are sentences for the person who goes on. In a tree that is no vLLM nothing is changed.
    """

    tree: Tree
    changes: tuple[FileChange, ...]
    reasons: dict[str, tuple[str, ...]]
    blockers: tuple[Blocker, ...]
    findings: tuple[Finding, ...]
    hints: tuple[str, ...]
    sources: Sources
    builds: BuildLists
    defined: tuple[str, ...]
    is_vllm: bool

    def reason_left_alone(self, file: TreeFile, line: int) -> str | None:
        """What a name in a line of Python that is not changed stands for."""
        from paged_attention_migrate.account import left_alone
        from paged_attention_migrate.module import Facts, Module

        module = Module(file.path, Source(self.tree.data(file)), Settings(), Facts())
        found = [each.reason for each in left_alone(module, ()) if each.line == line]
        return f"left alone, {found[0]}" if found else None


def plan(root: str, settings: Settings, progress: Progress | None = None) -> Plan:
    """Work out a run below `root`; raises GrammarMissing."""
    return _Planner(Tree(root, settings.exclude), settings).run(progress)


class _Planner:
    def __init__(self, tree: Tree, settings: Settings) -> None:
        self.tree = tree
        self.settings = settings
        self.changes: dict[str, FileChange] = {}
        self.reasons: dict[str, tuple[str, ...]] = {}
        self.blockers: list[Blocker] = []
        self.hints: list[str] = []

    def run(self, progress: Progress | None) -> Plan:
        tree = self.tree
        sources = Sources(tree)
        wrappers = self._wrappers()
        builds = BuildLists(tree, set(sources.deleted))
        defined = self._defined(sources, wrappers)
        if not defined or not self._is_vllm():
            return Plan(tree, (), {}, (), (), (), sources, builds, defined, False)
        specialised = self._specialised()
        texts = {path: each.data for path, each in specialised.items()}
        moved = move(tree, texts, self._with_homes(), progress)
        half = {each.path for each in moved.readers() if each.path in specialised and specialised[each.path].moves}
        if half:
            # An arm was to stand for the others, and its call cannot move: the file stays as it is.
            specialised = {path: each for path, each in specialised.items() if path not in half}
            moved = move(tree, {path: each.data for path, each in specialised.items()}, self._with_homes(), progress)
        self._python(specialised, moved)
        self.blockers += [*sources.blockers(), *builds.blockers]
        self.blockers += [Blocker(each.path, each.line, each.message) for each in moved.readers()]
        self._other_readers(wrappers)
        if not self.blockers:
            self._definitions(sources, wrappers, builds)
        if self.blockers:
            # Nothing of the definitions goes; what was done to the callers stands.
            self.changes = {path: each for path, each in self.changes.items() if path in self._callers}
            self.reasons = {path: each for path, each in self.reasons.items() if path in self._callers}
        findings = tuple(each for each in moved.findings if not each.fixed)
        self._hint(builds)
        changes = tuple(self.changes[path] for path in sorted(self.changes))
        return Plan(
            tree,
            changes,
            self.reasons,
            tuple(self.blockers),
            findings,
            tuple(self.hints),
            sources,
            builds,
            defined,
            True,
        )

    def _is_vllm(self) -> bool:
        """Whether this is vLLM or a fork, rather than a project that keeps the kernels, or a whole vLLM, in it."""
        near = any(file.inside.count("/") < _DEEPEST for file in self.tree.wrappers())
        return near or self.tree.prefix in own_trees(self.tree.source_files())

    def _wrappers(self) -> dict[str, tuple[TreeFile, Wrappers]]:
        found = {}
        for file in self.tree.wrappers():
            try:
                wrappers = Wrappers(self.tree.data(file))
            except (Undecodable, SyntaxError, ValueError) as error:
                self.blockers.append(Blocker(file.path, 1, f"it cannot be read: {error}"))
                continue
            if wrappers.definitions:
                found[file.path] = (file, wrappers)
        return found

    def _defined(self, sources: Sources, wrappers: dict[str, tuple[TreeFile, Wrappers]]) -> tuple[str, ...]:
        found = [
            f"{file.path}:{line} defines {name}" for file, each in wrappers.values() for name, line in each.names()
        ]
        for inside in (*sources.deleted, *sources.edited()):
            found += [
                f"{sources.files[inside].path}:{each.line} has {each.name}"
                for each in sources.occurrences.get(inside, ())
                if each.kind in {"registration", "declaration", "definition"}
            ]
        return tuple(found)

    # Python

    def _specialised(self) -> dict[str, Specialised]:
        found = {}
        settings = self._with_homes()
        for file in self.tree.naming("python"):
            if any(file.path == other.path for other in self.tree.wrappers()):
                continue
            result = specialise(file.path, self.tree.data(file), settings, self._is_taken(file))
            if result is not None:
                found[file.path] = result
                self.hints += result.refusals
                if result.notes and _ROCM in result.data and not result.moves:
                    self.hints.append(f"{file.path} is left with paged_attention_rocm: ROCm, head sizes 64 and 128")
        return found

    def _python(self, specialised: dict[str, Specialised], moved: Moved) -> None:
        """The files that lost arms of a dispatch, those whose calls moved, and those with both."""
        for path in sorted({*specialised, *moved.changes}):
            file = next(each for each in self.tree.files if each.path == path)
            first, second = specialised.get(path), moved.changes.get(path)
            before = self.tree.data(file)
            after = second.after if second is not None else first.data if first is not None else before
            notes = list(first.notes if first is not None else ())
            if second is not None:
                moves = sum(1 for each in moved.findings if each.path == path and each.fixed and each.code in _CALLS)
                notes += [f"moved {moves} call{'s' if moves != 1 else ''} to paged_attention"] if moves else []
                notes += second.notes
            try:
                after, more = self._tidy(file, before, after)
                prove_python(path, before, after, _removed_text(before, after, [*notes, *more]))
            except (NotProved, Undecodable, SyntaxError) as error:
                self.blockers.append(Blocker(path, 1, f"the edit was not made: {error}"))
                continue
            if after != before:
                self.changes[path] = FileChange(path, before, after)
                self.reasons[path] = (*notes, *more)
        self._callers = frozenset(self.changes)

    def _tidy(self, file: TreeFile, before: bytes, after: bytes) -> tuple[bytes, list[str]]:
        source = Source(after)
        text, notes = without_orphans(file.path, Source(before).text, source, self._is_taken(file))
        return source.encode(text), notes

    def _is_taken(self, file: TreeFile) -> Callable[[str], bool]:
        def is_taken(name: str) -> bool:
            needle, word = name.encode(), stem(file.path).encode()
            for other in self.tree.files:
                if other.kind != "python" or other.path == file.path:
                    continue
                data = self.tree.data(other)
                if needle in data and word in data:
                    names = taken_from(Candidate(other.path, "python", data), file.inside)
                    if name in names or "*" in names:
                        return True
            return False

        return is_taken

    def _other_readers(self, wrappers: dict[str, tuple[TreeFile, Wrappers]]) -> None:
        """What a check does not show, as a `noqa` does, or cannot."""
        told = {(each.path, each.line) for each in self.blockers}
        readers = Readers(self.tree, self._with_homes())
        for file in self.tree.naming("python"):
            change = self.changes.get(file.path)
            data = change.after if change is not None else self.tree.data(file)
            if file.path in wrappers:
                module = wrappers[file.path][1]
                data = module.source.encode(module.text()[0])
            self.blockers += [each for each in readers.of(file.path, data) if (each.path, each.line) not in told]
        for file in self.tree.foreign("python"):
            change = self.changes.get(file.path)
            data = change.after if change is not None else self.tree.data(file)
            found = readers.of(file.path, data, only_certain=True)
            self.blockers += [each for each in found if (each.path, each.line) not in told]
        self.blockers += readers.elsewhere()

    def _with_homes(self) -> Settings:
        """The settings, with the tree's own modules of wrappers among the homes of the functions."""
        own = tuple(home for home in map(module_name, self.tree.wrappers()) if home != "vllm._custom_ops")
        return self.settings._replace(homes=(*self.settings.homes, *own))

    # Definitions

    def _definitions(
        self, sources: Sources, wrappers: dict[str, tuple[TreeFile, Wrappers]], builds: BuildLists
    ) -> None:
        for file, each in wrappers.values():
            self._wrapper(file, each)
        for inside, reason in sources.deleted.items():
            file = self.tree.by_inside[inside]
            self.changes[file.path] = FileChange(file.path, self.tree.data(file), b"", deleted=True)
            self.reasons[file.path] = (f"deleted: {reason}",)
        for inside in sources.edited():
            self._native(self.tree.by_inside[inside], sources.files[inside].text, sources.cuts(inside))
        for file in builds.edited():
            if file.kind == "python":
                self._build_script(file, builds.cuts(file))
            else:
                self._native(file, self.tree.data(file).decode("latin-1"), builds.cuts(file))

    def _wrapper(self, file: TreeFile, wrappers: Wrappers) -> None:
        before = self.tree.data(file)
        try:
            text, notes = wrappers.text()
            after, more = self._tidy(file, before, wrappers.source.encode(text))
            after, imports = self._without_imports(file, before, after)
            prove_python(file.path, before, after, wrappers.source.text)
        except (NotProved, Overlapping, SyntaxError) as error:
            self.blockers.append(Blocker(file.path, 1, f"the edit was not made: {error}"))
            return
        self.changes[file.path] = FileChange(file.path, before, after)
        self.reasons[file.path] = (*notes, *more, *imports)

    def _without_imports(self, file: TreeFile, before: bytes, after: bytes) -> tuple[bytes, list[str]]:
        """The module without imports that only the wrappers used."""
        from paged_attention_migrate.module import Facts, Module
        from paged_attention_migrate.rewriting import without_unused_imports

        module = Module(file.path, Source(before), self.settings, Facts())
        source = Source(after)
        text, imports = without_unused_imports(module, source.text, self._is_taken(file))
        if imports is None or text == source.text:
            return after, []
        names = sorted({alias.asname or alias.name for each in imports.removed.values() for alias in each})
        return source.encode(text), [f"removed the import of {', '.join(names)} (nothing uses it any more)"]

    def _build_script(self, file: TreeFile, cuts: list[Cut]) -> None:
        before = self.tree.data(file)
        source = Source(before)
        if file.path in self.changes:
            self.blockers.append(Blocker(file.path, 1, "it lists a source, and its calls were moved: do one by hand"))
            return
        try:
            after = source.encode(without(source.text, cuts))
            prove_python(file.path, before, after, source.text)
        except (NotProved, Overlapping, SyntaxError) as error:
            self.blockers.append(Blocker(file.path, 1, f"the edit was not made: {error}"))
            return
        self._change(file, before, after, cuts)

    def _native(self, file: TreeFile, text: str, cuts: list[Cut]) -> None:
        before = self.tree.data(file)
        try:
            after = without(text, cuts).encode("latin-1")
            prove_native(file.path, file.kind, before, after)
        except (NotProved, Overlapping) as error:
            self.blockers.append(Blocker(file.path, 1, f"the edit was not made: {error}"))
            return
        self._change(file, before, after, cuts)

    def _change(self, file: TreeFile, before: bytes, after: bytes, cuts: list[Cut]) -> None:
        self.changes[file.path] = FileChange(file.path, before, after)
        self.reasons[file.path] = tuple(f"removed {cut.what}" for cut in cuts)

    def _hint(self, builds: BuildLists) -> None:
        moved = [path for path in self._callers if _SHIM in self.changes[path].after]
        shipped = [path for path in moved if "test" not in path and "benchmark" not in path]
        if shipped:
            verb = "imports" if len(shipped) == 1 else "import"
            need = "add paged-attention-migrate[kernels] to what the tree requires"
            self.hints.append(f"{', '.join(sorted(shipped))} now {verb} paged_attention_shim: {need}")
        self.hints += [
            f"{file.path} still declares the functions"
            for file in (self.tree.naming("stub") if not self.blockers else ())
        ]
        for path, line, name in builds.mentions:
            if ".egg-info/" in path:  # written anew by every build
                continue
            self.hints.append(f"{path}:{line} still speaks of {name}")


_DEEPEST = 3  # src/package/_custom_ops.py
_SHIM = b"paged_attention_shim"
_ROCM = b"paged_attention_rocm("
_CALLS = frozenset({"PAM102", "PAM103"})


def _removed_text(before: bytes, after: bytes, notes: list[str]) -> str:
    """The lines that are in the old text and not in the new, and what the notes tell: where a comment may have gone."""
    old, new = before.decode("utf-8", "replace").splitlines(), set(after.decode("utf-8", "replace").splitlines())
    return "\n".join([*(line for line in old if line not in new), *notes])
