"""The files that matter in a run, and what one of them says about another: definitions, registrations, re-exports."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable
from typing import TYPE_CHECKING

from paged_attention_migrate import files as listing
from paged_attention_migrate.files import Candidate, SourceFile
from paged_attention_migrate.findings import INFO, Finding, Occurrence
from paged_attention_migrate.markers import holds_any, may_hold_remark, may_hold_removed_name
from paged_attention_migrate.project import FileChange, Result, defining_trees, own_trees, package_of
from paged_attention_migrate.taken_names import first, stem, taken_from

if TYPE_CHECKING:
    from paged_attention_migrate.buffers import Lent
    from paged_attention_migrate.module import Facts, Module
    from paged_attention_migrate.native import Facts as NativeFacts
    from paged_attention_migrate.project import Options, Progress
    from paged_attention_migrate.study import Studied, Wanted

_MANY_BYTES = 2_000_000
_MOST_CHAINED = 8
_PYTHON = frozenset(["python", "stub", "notebook"])
_IMPORTING = frozenset(["python", "notebook"])
# The root of what a module of the repository defines itself under a removed name.
_OWN = "here"


class Repository:
    """One run over the files that hold a marker."""

    def __init__(self, options: Options, files: list[SourceFile], hits: list[Candidate]) -> None:
        self.options = options
        self.own_names = options.settings.own_names
        self.files = files
        self.hits = [hit for hit in hits if hit.kind != "python" or self._may_concern(hit)]
        self.remarked = [hit for hit in hits if hit.kind == "python" and may_hold_remark(hit.data)]
        self.named = frozenset(listing.tidy(path) for path in options.paths if not os.path.isdir(path))
        self.known_packages: dict[str, bool] = {}
        self.notices: list[str] = []
        self.trees = defining_trees(self.hits, files)
        self.own = own_trees(files)
        self.aliases: dict[str, str] = {}
        self.beside: dict[str, dict[str, str]] = {}
        self.imported: dict[str, set[str]] = {}
        self.registered: dict[str, str] = {}
        self.scratch_read: dict[str, dict[object, str]] = {}
        self.together: list[tuple[str, str]] = []
        self.native_facts: NativeFacts | None = None
        self.sources = frozenset(file.path for file in files if file.path.endswith((".cu", ".cuh")))

    def _may_concern(self, hit: Candidate) -> bool:
        own = holds_any(hit.data, self.own_names)
        return own or may_hold_removed_name(hit.data, self.options.account)

    def run(self, rewriting: bool, progress: Progress | None) -> Result:
        """Study every file; a file that imports from one that hands a removed name on is studied too."""
        hits = self._outside_defining_trees()
        python = [hit for hit in hits if hit.kind in _PYTHON or self._has_examples(hit)]
        others = [hit for hit in hits if hit.kind not in {"python", "notebook"}]
        findings, occurrences = self._other_languages(others)
        if self.options.account:
            occurrences += self._inside_defining_trees(hits)
        if not python:
            findings += self._remarks_elsewhere(())
            return Result(tuple(findings), (), 0, tuple(self.notices), False, tuple(sorted(occurrences)))
        from paged_attention_migrate.study import Wanted

        options = self.options
        wanted = Wanted(False, options.unsafe, options.simplify, options.account)
        studied = {each.path: each for each in self._study(python, wanted, progress)}
        python += self._providers(python, studied, wanted)
        importers = self._importers(python, studied, wanted, progress)
        if self._note_registrations(studied):
            for each in self._study([*python, *importers], wanted, progress):
                studied[each.path] = each
        self._note_readers_of_scratch(studied)
        lenders = [hit for hit in (*python, *importers) if hit.path in self.scratch_read]
        for each in self._study(lenders, wanted, None):
            studied[each.path] = each
        if rewriting:
            wanted = wanted._replace(rewrite=True, add_todo=options.add_todo, choose=options.choose)
            again = [hit for hit in (*python, *importers) if _may_change(studied[hit.path], hit, options.add_todo)]
            for each in self._study(again, wanted, progress) if again else ():
                studied[each.path] = each
        elif options.propose:
            wanted = wanted._replace(propose=True)
            fixable = [hit for hit in (*python, *importers) if any(each.fix for each in studied[hit.path].findings)]
            for each in self._study(fixable, wanted, progress):
                studied[each.path] = each
        data = {hit.path: hit.data for hit in (*python, *importers)}
        changes = [
            FileChange(each.path, data[each.path], each.after, each.notes, each.once_written, each.todo_comments)
            for each in sorted(studied.values())
            if each.after is not None
        ]
        changes = [self._with_mentions(each) for each in changes]
        found = [finding for each in studied.values() for finding in each.findings]
        if findings:
            from paged_attention_migrate.documents.mentions import without_told_twice

            findings = without_told_twice(findings, found)
        findings += found
        findings += self._remarks_elsewhere(studied)
        occurrences += [occurrence for each in studied.values() for occurrence in each.occurrences]
        if rewriting and options.add_todo:
            self._note_places_without_comments(findings, changes)
        result = Result(tuple(findings), tuple(changes), 0, tuple(self.notices), False, tuple(sorted(occurrences)))
        choices = tuple(choice for each in sorted(studied.values()) for choice in each.choices)
        return result._replace(choices=choices, together=tuple(self.together))

    def _remarks_elsewhere(self, studied: Container[str]) -> list[Finding]:
        """What remarks to this tool say in files in which it looked for nothing."""
        elsewhere = [hit for hit in self.remarked if hit.path not in studied and hit.path not in self.named]
        if not elsewhere:
            return []
        from paged_attention_migrate.rules.remarks import in_file_without_names

        settings = self.options.settings
        outside = (hit for hit in elsewhere if self._tree_of(hit.path) is None)
        return [found for hit in outside for found in in_file_without_names(hit.path, hit.data, settings)]

    def _outside_defining_trees(self) -> list[Candidate]:
        if not self.trees:
            return self.hits
        kept = []
        for hit in self.hits:
            root = self._tree_of(hit.path)
            is_definition = hit.path == f"{root}vllm/_custom_ops.py"
            forced = self.options.force_callers and hit.kind == "python" and not is_definition
            if root is None or forced or (hit.kind in _PYTHON and holds_any(hit.data, self.own_names)):
                kept.append(hit)
        for root, place in sorted(self.trees.items()):
            where = root.rstrip("/") or "this tree"
            if self.options.force_callers:
                self.notices.append(
                    f"{place}: {where} is read as if the definitions were gone; they themselves are left alone"
                )
            else:
                self.notices.append(
                    f"{place}: {where} defines the functions itself, so its calls still work and were left alone; "
                    "`retire` deletes them there, --force-callers reads it as if they were gone"
                )
        return kept

    def _inside_defining_trees(self, kept: list[Candidate]) -> list[Occurrence]:
        from paged_attention_migrate.native.gone import NAME
        from paged_attention_migrate.native.places import TextFile

        studied = {hit.path for hit in kept}
        found = []
        for hit in self.hits:
            if hit.path in studied and not self._has_own_names_only(hit.path):
                continue
            file = TextFile(hit.path, hit.data)
            for match in NAME.finditer(file.text):
                reason = "it belongs to a vLLM that defines the function itself"
                found.append(Occurrence(hit.path, *file.position(match.start()), match[0], reason))
        return found

    def _tree_of(self, path: str) -> str | None:
        return next((root for root in self.trees if path.startswith(root)), None)

    def _has_own_names_only(self, path: str) -> bool:
        """Whether a file is part of a tree that defines what the table calls removed, and is read as such."""
        return self._tree_of(path) is not None and not self.options.force_callers

    def _is_looked_at(self, path: str) -> bool:
        """Whether a file's uses count: those in a tree that defines the functions only for names of the settings."""
        return not self._has_own_names_only(path) or bool(self.own_names)

    def _other_languages(self, hits: list[Candidate]) -> tuple[list[Finding], list[Occurrence]]:
        if not hits:
            return [], []
        from paged_attention_migrate import native

        paths = {file.path for file in self.files}

        def exists_in_tree(suffix: str) -> bool:
            return any(path == suffix or path.endswith(f"/{suffix}") for path in paths)

        facts = native.survey(
            ((hit.path, hit.kind, hit.data) for hit in hits),
            native.NOTHING_KNOWN._replace(exists_in_tree=exists_in_tree),
        )
        for registered in facts.registered:
            if native.keeps_alive(registered.namespace) and self._tree_of(registered.path) is None:
                self.registered.setdefault(registered.name, f"{registered.path}:{registered.line}")
        self.native_facts = facts
        findings: list[Finding] = []
        occurrences: list[Occurrence] = []
        for hit in hits:
            findings += self._in_text(hit)
            if self.options.account:
                occurrences += native.left_alone(hit.path, hit.kind, hit.data, self._about(facts, hit.path))
        self._note_missing_grammars(hits, findings)
        return findings, occurrences

    def _in_text(self, hit: Candidate) -> list[Finding]:
        """What is found in a file of another language, or in what is no Python in it."""
        from paged_attention_migrate import native
        from paged_attention_migrate.silencing import ignored_codes, unless_kept

        facts = self._about(self.native_facts or native.NOTHING_KNOWN, hit.path)
        ignored = ignored_codes(hit.path, self.options.settings)
        found = native.findings_in(hit.path, hit.kind, hit.data, facts)
        return [unless_kept(finding) for finding in found if not finding.code.startswith(ignored)]

    def _has_examples(self, hit: Candidate) -> bool:
        """Whether a file is a document with Python in it, which can be studied; says once what that needs."""
        if hit.kind != "markdown":
            return False
        from paged_attention_migrate.documents import MISSING, can_be_read, may_hold_examples

        if not may_hold_examples(hit.data):
            return False
        if not can_be_read(hit.path) and MISSING not in self.notices:
            self.notices.append(MISSING)
        return can_be_read(hit.path)

    def _with_mentions(self, change: FileChange) -> FileChange:
        """The change of a file that holds more than Python, with what is to be said of the rest."""
        kind = listing.kind_of(change.path)
        if kind not in {"markdown", "stub"}:
            return change
        from paged_attention_migrate.documents.mentions import without_told_twice

        mentions = self._in_text(Candidate(change.path, kind, change.after))
        left = [each for each in change.findings if not each.fixed]
        return change._replace(findings=(*without_told_twice(mentions, left), *change.findings))

    def _note_places_without_comments(self, findings: list[Finding], changes: list[FileChange]) -> None:
        """Say how many places are left that no comment was asked for."""
        changed = {each.path for each in changes}
        told = [
            *(each for each in findings if each.path not in changed),
            *(each for one in changes for each in one.findings),
        ]
        left = (each for each in told if each.severity != INFO and not each.fixed)
        count = sum(listing.kind_of(each.path) in {"notebook", "stub"} for each in left)
        if count:
            places = "1 place is" if count == 1 else f"{count} places are"
            self.notices.append(
                f"--add-todo leaves no comments in notebooks and stubs: {places} left there without one"
            )

    def _note_missing_grammars(self, hits: list[Candidate], findings: list[Finding]) -> None:
        """Say once where patterns had to do what a grammar does exactly, if anything came of it."""
        from paged_attention_migrate import native

        read = {hit.path for hit in hits if hit.kind in native.BY_GRAMMAR}
        if any(finding.path in read and finding.severity != INFO for finding in findings):
            from paged_attention_migrate.native.grammars import INSTALL, available

            if not available():
                self.notices.append(f"C++ and build files were read by patterns; their grammars are exact: {INSTALL}")

    def _about(self, facts: NativeFacts, path: str) -> NativeFacts:
        return facts._replace(is_vllm=True) if self._tree_of(path) is not None else facts

    # What modules say about each other

    def _facts(self, path: str) -> Facts:
        from paged_attention_migrate.module import Facts

        package, is_package = package_of(path, self.known_packages)
        directory = path.rpartition("/")[0]
        aliases = {**self.aliases, **self.beside.get(directory, {})} if self.aliases or self.beside else {}
        own = self._tree_of(path) is not None or path.startswith(self.own)
        imported = frozenset(self.imported.get(path, ()))
        read = self.scratch_read.get(path, {})
        whole = path not in self.named
        declined = frozenset((line, column) for there, line, column in self.options.declined if there == path)
        facts = Facts(package, aliases, self.registered, own, is_package, imported, self.sources, read, declined, whole)
        return facts._replace(own_names_only=self._has_own_names_only(path))

    def _note_registrations(self, studied: dict[str, Studied]) -> bool:
        """Whether Python files define operators of `_C`, which then may be there whatever vLLM has."""
        before = dict(self.registered)
        for each in studied.values():
            for name, line in each.registers:
                self.registered.setdefault(name, f"{each.path}:{line}")
        return self.registered != before

    def _note_readers_of_scratch(self, studied: dict[str, Studied]) -> None:
        """Where files read a buffer that they may have from one whose call is to be rewritten without it."""
        from paged_attention_migrate.buffers import buffers_of

        lenders = {path: each.lent for path, each in studied.items() if each.lent}
        words = sorted({lent.name.encode() for lents in lenders.values() for lent in lents})
        for hit in listing.files_mentioning(self.files, words) if words else ():
            if not self._is_looked_at(hit.path):
                continue
            module = self._module_of(hit)
            if module is None:
                continue
            for path, lents in lenders.items():
                for lent in lents if path != hit.path else ():
                    use = buffers_of(module, lent.own).first_read_of(lent) if _may_have(lent, hit, path) else None
                    if use is not None:
                        self.scratch_read.setdefault(path, {}).setdefault(lent, f"{hit.path}:{use.lineno}")

    def _module_of(self, hit: Candidate) -> Module | None:
        """The module of a file, which need not hold any removed name; None where it does not parse."""
        from paged_attention_migrate.module import Module
        from paged_attention_migrate.source import Source, Undecodable

        try:
            return Module(hit.path, Source(hit.data), self.options.settings, self._facts(hit.path))
        except (Undecodable, SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    def _providers(self, python: list[Candidate], studied: dict[str, Studied], wanted: Wanted) -> list[Candidate]:
        """Study the modules of this repository that hand on something of which a removed name is used."""
        known = {hit.path for hit in python}
        added: list[Candidate] = []
        for hit in python:
            for path in studied[hit.path].open_paths:
                provider = self._file_of(path, hit.path)
                if provider is not None and self._tree_of(provider) is not None and not self.own_names:
                    # A vendored vLLM answers for itself; the rest of the repository runs with the installed one.
                    continue
                data = listing.read(provider) if provider is not None and provider not in known else None
                if provider is not None and data:
                    known.add(provider)
                    added.append(Candidate(provider, "python", data))
        for each in self._study(added, wanted, None):
            studied[each.path] = each
        return added

    def _file_of(self, dotted: str, importer: str) -> str | None:
        """The file of this repository that is the longest module at the beginning of a dotted path."""
        parts = dotted.split(".")
        beside = importer.rpartition("/")[0]
        for length in range(len(parts) - 1, 0, -1):
            stem = "/".join(parts[:length])
            for suffix in (f"{stem}.py", f"{stem}/__init__.py"):
                for file in self.files:
                    if file.path == suffix or (file.path == f"{beside}/{suffix}" and length == 1):
                        return file.path
                    if (
                        file.path.endswith(f"/{suffix}")
                        and length > 1
                        and self._module_name(file.path) == ".".join(parts[:length])
                    ):
                        return file.path
        return None

    def _module_name(self, path: str) -> str:
        package, is_package = package_of(path, self.known_packages)
        return package if is_package else f"{package}.{stem(path)}" if package else stem(path)

    def _importers(
        self, python: list[Candidate], studied: dict[str, Studied], wanted: Wanted, progress: Progress | None
    ) -> list[Candidate]:
        """Study the files that take removed names from the ones studied so far, until no more turn up."""
        known = {hit.path for hit in python}
        added: list[Candidate] = []
        exporting = {hit.path: studied[hit.path].exports for hit in python if studied[hit.path].exports}
        for _ in range(_MOST_CHAINED):
            if not exporting:
                break
            documents = [hit for hit in python if hit.kind == "markdown"]
            mentions = [*self._mentioning(exporting), *documents]
            self._note_exports(exporting, mentions)
            fresh = [
                hit
                for hit in mentions
                if self._is_looked_at(hit.path)
                if any(_takes(hit, path, names) for path, names in exporting.items() if path != hit.path)
            ]
            fresh += [hit for hit in python if hit not in fresh and self._reached(studied[hit.path].open_paths)]
            self.together += [
                (path, hit.path)
                for hit in fresh
                for path, names in exporting.items()
                if path != hit.path and (_takes(hit, path, names) or hit.path in known)
            ]
            handed_on = {hit.path: studied[hit.path].exports for hit in fresh if hit.path in studied}
            for each in self._study(fresh, wanted, progress):
                studied[each.path] = each
            added += [hit for hit in fresh if hit.path not in known]
            known.update(hit.path for hit in fresh)
            # A module that now hands on more than before has importers of its own.
            exporting = {
                hit.path: studied[hit.path].exports
                for hit in fresh
                if studied[hit.path].exports != handed_on.get(hit.path, ())
            }
        return added

    def _reached(self, paths: Iterable[str]) -> bool:
        """Whether a dotted path now leads through a module that hands something on."""
        return any(path.startswith(f"{alias}.") for path in paths for alias in self.aliases)

    def _mentioning(self, exporting: dict[str, tuple[tuple[str, str], ...]]) -> list[Candidate]:
        """Files that may import from the exporting ones: by the module's name, or from inside its package."""
        words = {stem(path).encode() for path in exporting}
        inside = tuple(path.removesuffix("__init__.py") for path in exporting if path.endswith("/__init__.py"))
        names = {first(name).encode() for path in exporting for name, _ in exporting[path] if inside}
        found = {hit.path: hit for hit in listing.files_mentioning(self.files, sorted(words), _IMPORTING)}
        if inside:
            below = [file for file in self.files if file.path.startswith(inside)]
            found.update((hit.path, hit) for hit in listing.files_mentioning(below, sorted(names), _IMPORTING))
        return [found[path] for path in sorted(found)]

    def _note_exports(self, exporting: dict[str, tuple[tuple[str, str], ...]], mentions: list[Candidate]) -> None:
        from paged_attention_shim.removed import entry_point

        own = {path for each in self.options.settings.removed for path in each.paths}
        for path, names in exporting.items():
            package, is_package = package_of(path, self.known_packages)
            word = stem(path)
            module = package if is_package else f"{package}.{word}" if package else ""
            dotted = path.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
            for name, target in names:
                for prefix in {module, dotted, dotted.removeprefix("src.")} - {""}:
                    if entry_point(f"{prefix}.{name}") is not None or f"{prefix}.{name}" in own:
                        continue
                    self.aliases[f"{prefix}.{name}"] = target or f"{_OWN}.{prefix}.{name}"
                if not package:
                    there = target or f"{_OWN}.{word}.{name}"
                    self.beside.setdefault(path.rpartition("/")[0], {})[f"{word}.{name}"] = there
            for hit in mentions:
                if hit.path != path:
                    taken = taken_from(hit, path)
                    wanted = {name for name, _ in names if name in taken or "*" in taken}
                    self.imported.setdefault(path, set()).update(wanted)

    def _study(self, hits: list[Candidate], wanted: Wanted, progress: Progress | None) -> list[Studied]:
        from paged_attention_migrate.study import study_file

        settings = self.options.settings
        if self.options.instead:
            instead = dict(self.options.instead)
            hits = [hit._replace(data=instead.get(hit.path, hit.data)) for hit in hits]
        jobs = self.options.jobs or (2 if sum(len(hit.data) for hit in hits) > _MANY_BYTES and len(hits) > 1 else 1)
        if jobs > 1 and len(hits) > 1:
            return self._study_in_parallel(hits, wanted, jobs, progress)
        found = []
        for number, hit in enumerate(hits):
            if progress is not None:
                progress(number, len(hits))
            found.append(study_file(hit.path, hit.data, settings, self._facts(hit.path), wanted))
        if progress is not None:
            progress(len(hits), len(hits))
        return found

    def _study_in_parallel(
        self, hits: list[Candidate], wanted: Wanted, jobs: int, progress: Progress | None
    ) -> list[Studied]:
        from concurrent.futures import ProcessPoolExecutor

        from paged_attention_migrate.study import study_file

        settings = self.options.settings
        workers = min(jobs, len(hits), max(os.cpu_count() or 1, 1))
        found = []
        with ProcessPoolExecutor(workers) as pool:
            waiting = [
                pool.submit(study_file, hit.path, hit.data, settings, self._facts(hit.path), wanted)
                for hit in sorted(hits, key=lambda hit: -len(hit.data))
            ]
            for number, future in enumerate(waiting, 1):
                found.append(future.result())
                if progress is not None:
                    progress(number, len(waiting))
        return found


def _may_change(studied: Studied, hit: Candidate, add_todo: bool) -> bool:
    """Whether a rewrite has anything to do in a file; Python files alone get comments."""
    add_todo = add_todo and hit.kind == "python"
    return any(finding.fix or (add_todo and finding.severity != INFO) for finding in studied.findings)


def _takes(hit: Candidate, path: str, names: tuple[tuple[str, str], ...]) -> bool:
    taken = taken_from(hit, path)
    return "*" in taken or any(first(name) in taken for name, _ in names)


def _may_have(lent: Lent, hit: Candidate, path: str) -> bool:
    """Whether a file can have what another lends: a field of any object, but a name only if it seems to take it."""
    if lent.is_of_an_object:
        return True
    taken = taken_from(hit, path)
    return "*" in taken or lent.name in taken
