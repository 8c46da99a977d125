"""A run over a repository: which files matter, what they say of each other, and each one's study."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from paged_attention_migrate import files as listing
from paged_attention_migrate.files import Candidate, SourceFile
from paged_attention_migrate.settings import Settings

if TYPE_CHECKING:
    from paged_attention_migrate.baseline import Tolerated
    from paged_attention_migrate.findings import Choice, Finding, Occurrence

Progress = Callable[[int, int], None]

_ONLY_MENTIONS = frozenset({"markdown", "json"})
_DEFINITION = rb"(?m)^def (paged_attention_v[12])\b"


class Options(NamedTuple):
    """What a run is asked for."""

    paths: tuple[str, ...] = (".",)
    settings: Settings = Settings()
    unsafe: bool = False
    simplify: bool = True
    force_callers: bool = False
    jobs: int = 0
    account: bool = False
    mentions: bool = True  # False leaves out the files that can only mention a name
    examples: bool = False  # documents are read all the same, for the Python in them
    add_todo: bool = False
    choose: bool = False  # the result says what can be rewritten apart from the rest
    declined: frozenset[tuple[str, int, int]] = frozenset()  # places, path, line and column, to leave as they are
    propose: bool = False  # findings carry the edits that a rewrite would make
    instead: tuple[tuple[str, bytes], ...] = ()  # paths, and what is read in the place of these files


class FileChange(NamedTuple):
    """The old and new bytes of a file, and what is to be said of them; a `deleted` one has no new ones.

    `notes` tell what was taken out on the way, `findings` are those of the file once it is written.
    """

    path: str
    before: bytes
    after: bytes
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    todo_comments: int = 0
    deleted: bool = False
    keep_remarks: int = 0


class Result(NamedTuple):
    """What a run found and prepared; nothing is written yet.

    With a baseline, `findings` are those that are not in it, and `tolerated` tells of the others.
    """

    findings: tuple[Finding, ...]
    changes: tuple[FileChange, ...] = ()
    files_scanned: int = 0
    notices: tuple[str, ...] = ()
    failed: bool = False
    occurrences: tuple[Occurrence, ...] = ()
    tolerated: Tolerated | None = None
    choices: tuple[Choice, ...] = ()
    together: tuple[tuple[str, str], ...] = ()  # files of which one hands a removed name on to the other

    def once_written(self) -> Result:
        """The same run when its changes are written: what is left in a changed file stands at its new place."""
        from paged_attention_migrate.findings import by_place

        changed = {change.path for change in self.changes}
        elsewhere = (each for each in self.findings if each.path not in changed)
        told = (each for change in self.changes for each in change.findings)
        return self._replace(findings=tuple(sorted((*elsewhere, *told), key=by_place)))


def check(options: Options, progress: Progress | None = None) -> Result:
    """Find every reference to a removed name."""
    return _run(options, False, progress)


def rewrite(options: Options, progress: Progress | None = None) -> Result:
    """Find every reference, and prepare the files that can be rewritten."""
    return _run(options, True, progress)


def _run(options: Options, rewriting: bool, progress: Progress | None) -> Result:
    files, problems = listing.list_files(options.paths, options.settings.exclude)
    wanted = files
    if not (options.mentions or options.account):
        unwanted = _ONLY_MENTIONS - {"markdown"} if options.examples else _ONLY_MENTIONS
        wanted = [file for file in files if file.kind not in unwanted]
    hits, unread = listing.candidates(wanted, options.account, options.settings.own_names)
    notices = tuple(problem.message for problem in (*problems, *unread))
    if not hits:
        return Result((), (), len(files), notices, bool(problems or unread))
    from paged_attention_migrate.findings import by_place
    from paged_attention_migrate.repository import Repository

    repository = Repository(options, files, hits)
    result = repository.run(rewriting, progress)
    return result._replace(
        files_scanned=len(files),
        notices=(*notices, *result.notices),
        failed=bool(problems or unread),
        findings=tuple(sorted(result.findings, key=by_place)),
    )


def package_of(path: str, known: dict[str, bool]) -> tuple[str, bool]:
    """The dotted package that holds a file, and whether the file is the package's own `__init__`."""
    directory, _, name = path.rpartition("/")
    parts: list[str] = []
    while directory:
        if directory not in known:
            known[directory] = os.path.exists(f"{directory}/__init__.py")
        if not known[directory]:
            break
        above, _, part = directory.rpartition("/")
        parts.insert(0, part)
        directory = above
    return ".".join(parts), name == "__init__.py"


def own_trees(files: Iterable[SourceFile]) -> tuple[str, ...]:
    """Directories that hold vLLM itself, sources and package: what its modules take from each other is its own."""
    paths = {file.path for file in files}
    inits = [path for path in paths if path == "vllm/__init__.py" or path.endswith("/vllm/__init__.py")]
    roots = [path[: -len("vllm/__init__.py")] for path in inits]
    return tuple(root for root in sorted(roots) if any(path.startswith(f"{root}csrc/") for path in paths))


def defining_trees(hits: Iterable[Candidate], files: Iterable[SourceFile]) -> dict[str, str]:
    """Directories that hold a vLLM which still defines the functions, each with the place that shows it."""
    found: dict[str, str] = {}
    sources = []
    for hit in hits:
        if hit.kind == "python" and (hit.path == "vllm/_custom_ops.py" or hit.path.endswith("/vllm/_custom_ops.py")):
            match = re.search(_DEFINITION, hit.data)
            if match:
                line = hit.data.count(b"\n", 0, match.start()) + 1
                root = hit.path[: -len("vllm/_custom_ops.py")]
                found.setdefault(root, f"{hit.path}:{line} defines {match[1].decode()}")
        elif hit.kind == "c++" and "csrc/" in hit.path:
            sources.append(hit)
    paths = {file.path for file in files} if sources else set()
    for hit in sources:
        root = hit.path[: hit.path.index("csrc/")]
        if root not in found and f"{root}vllm/__init__.py" in paths:
            from paged_attention_migrate.native import registers_op

            for line, name, _ in registers_op(hit.path, hit.data):
                found.setdefault(root, f"{hit.path}:{line} registers {name}")
    return found
