"""Which files a run looks at, and the bytes of those that can matter.

Inside a git work tree the files are those that git tracks or would track; elsewhere a walk finds them.
Links are not followed: their targets are read where they stand.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import subprocess

_KINDS = {
    "python": ".py .pyw",
    "stub": ".pyi",
    "notebook": ".ipynb",
    "cython": ".pyx .pxd .pxi",
    "c++": ".c .cc .cpp .cxx .h .hh .hpp .cu .cuh .hip .mm .metal",
    "cmake": ".cmake",
    "toml": ".toml",
    "yaml": ".yml .yaml",
    "shell": ".sh .bash",
    "markdown": ".md .mdx .markdown .qmd .rst",
    "rust": ".rs",
    "patch": ".patch .diff",
    "json": ".json .csv .txt",
}
_KIND_OF = {suffix: kind for kind, suffixes in _KINDS.items() for suffix in suffixes.split()}
_SKIPPED = frozenset(
    {
        *(".git", ".hg", ".svn", ".tox", ".nox", ".venv", "venv", "__pycache__", "node_modules", ".eggs"),
        *(".mypy_cache", ".ruff_cache", ".pytest_cache"),
    }
)
# A fork costs 3 ms; reading and searching 400 files takes as long.
_MANY = 400
# Both processes end within a turn of each other; halves differ by a tenth.
_TURNS = 64
# All but a few sources fit into one read, and without a look at the size first.
_PIECE = 1 << 17
_HOLDS_PYTHON = frozenset(["python", "stub", "notebook"])
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class SourceFile(NamedTuple):
    """A file to look at: its path, relative to the working directory where it is below it, and its kind."""

    path: str
    kind: str


class Candidate(NamedTuple):
    """A file that holds a marker, with its bytes."""

    path: str
    kind: str
    data: bytes


class Problem(NamedTuple):
    """A path that could not be read, in one sentence."""

    path: str
    message: str


def kind_of(path: str) -> str | None:
    """The kind of a file by its name; None for one that is of no interest."""
    name = path[path.rfind("/") + 1 :]
    if name == "CMakeLists.txt":
        return "cmake"
    dot = name.rfind(".")
    return _KIND_OF.get(name[dot:].lower()) if dot > 0 else None


def patterns() -> list[str]:
    """What git's sparse checkout keeps so that a run finds every file which it reads, settings included."""
    suffixes = ("".join(f"[{each}{each.upper()}]" if each.isalpha() else each for each in name) for name in _KIND_OF)
    return [*(f"*{suffix}" for suffix in suffixes), "CMakeLists.txt", "CODEOWNERS", "setup.cfg", ".git*"]


def list_files(paths: Sequence[str], exclude: Sequence[str] = ()) -> tuple[list[SourceFile], list[Problem]]:
    """The files below `paths`, each once and in order; files that are named are taken whatever git says of them."""
    found: dict[str, str] = {}
    problems: list[Problem] = []
    directories: set[str] = set()
    for path in paths:
        if os.path.isdir(path):
            directories.add(path)
            _list_directory(path, found, problems)
        elif os.path.islink(path) and not os.path.exists(path):
            problems.append(Problem(path, f"{path}: this link points nowhere"))
        elif not os.path.exists(path):
            problems.append(Problem(path, f"{path}: there is no such file or directory"))
        elif os.path.isfile(path):
            directories.add(os.path.dirname(path) or ".")
            found[tidy(path)] = kind_of(path.replace(os.sep, "/")) or _named_kind(path)
        else:
            problems.append(Problem(path, f"{path}: this is neither a file nor a directory"))
    if len(directories) > 1 and any(os.path.realpath(each) != os.path.abspath(each) for each in directories):
        found = _without_other_ways(found)
    leave_out = matcher(exclude)
    kept = [(path, kind) for path, kind in found.items() if kind and not (leave_out and leave_out(path))]
    return [SourceFile._make(each) for each in sorted(kept)], problems


def _list_directory(path: str, found: dict[str, str], problems: list[Problem]) -> None:
    prefix = tidy(path)
    way = _way_here(prefix)
    prefix = "" if prefix == "." else f"{prefix}/"
    names: Iterable[str] | None = _from_git(path, problems)
    if names is None:
        names = _walk(path, problems)
    kind_by_suffix = _KIND_OF
    for name in names:
        dot = name.rfind(".")
        kind = kind_by_suffix.get(name[dot:]) if dot >= 0 else None
        if kind is None or name.endswith("CMakeLists.txt"):
            kind = kind_of(name)
        if kind is not None:
            found[name[len(way) :] if way and name.startswith(way) else prefix + name] = kind


def _without_other_ways(found: dict[str, str]) -> dict[str, str]:
    """Each file under one path: under the one without a link in it, or else under the first."""
    ends = {path: path.rfind("/") + 1 for path in found}
    directories = {path[:end] or "." for path, end in ends.items()}
    real = {directory: os.path.realpath(directory) for directory in directories}
    through_link = {directory for directory in directories if real[directory] != os.path.abspath(directory)}
    kept: dict[str, str] = {}
    for path in sorted(found, key=lambda path: path[: ends[path]] in through_link):
        kept.setdefault(os.path.join(real[path[: ends[path]] or "."], path[ends[path] :]), path)
    return {path: found[path] for path in kept.values()}


def _from_git(directory: str, problems: list[Problem]) -> Iterator[str] | None:
    """What `git ls-files` lists below a directory; None where git cannot say."""
    if not _in_work_tree(directory):
        return None
    import subprocess

    command = ["git", "-C", directory, "ls-files", "-z"]
    search = [*command, "-o", "--exclude-standard"]
    try:
        untracked = subprocess.Popen(search, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        tracked = subprocess.run([*command, "-c"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return None
    if tracked.returncode != 0:
        untracked.communicate()
        return None
    return _tracked_and_untracked(tracked.stdout, untracked, directory, problems)


def _tracked_and_untracked(
    tracked: bytes, untracked: subprocess.Popen[bytes], directory: str, problems: list[Problem]
) -> Iterator[str]:
    """The names, tracked ones first: the search for the others takes four times as long, and goes on meanwhile."""
    yield from os.fsdecode(tracked).split("\0")[:-1]
    yield from os.fsdecode(untracked.communicate()[0]).split("\0")[:-1]
    if untracked.returncode != 0:  # it reads files that say what is ignored, and stops at one that it cannot read
        yield from _walk(directory, problems)


def _in_work_tree(directory: str) -> bool:
    current = os.path.abspath(directory)
    while True:
        if os.path.exists(os.path.join(current, ".git")):
            return True
        above = os.path.dirname(current)
        if above == current:
            return False
        current = above


def _walk(directory: str, problems: list[Problem]) -> list[str]:
    names: list[str] = []
    pending = [""]
    while pending:
        relative = pending.pop()
        try:
            entries = list(os.scandir(os.path.join(directory, relative)))
        except OSError as error:
            where = os.path.join(directory, relative)
            problems.append(Problem(where, f"{where}: the directory cannot be read ({error.strerror})"))
            continue
        for entry in entries:
            name = f"{relative}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _SKIPPED:
                    pending.append(f"{name}/")
            elif entry.is_file(follow_symlinks=False):
                names.append(name)
    return names


def tidy(path: str) -> str:
    """A path relative to the working directory where it is below it, with forward slashes."""
    plain = os.path.normpath(path)
    if os.pardir in path and not _same(plain, path):
        plain = os.path.realpath(path)
    if os.path.isabs(plain) or plain.startswith(os.pardir):
        here, whole = os.getcwd(), os.path.abspath(plain)
        if whole == here or whole.startswith(here.rstrip(os.sep) + os.sep):
            plain = os.path.relpath(whole, here)
    return plain.replace(os.sep, "/")


def _same(plain: str, path: str) -> bool:
    """False where the `..` of a path comes after a link, and so leads elsewhere than the name says."""
    try:
        return os.path.samefile(plain, path)
    except OSError:
        return False


def _way_here(directory: str) -> str:
    """How the names below a directory that lead to the working directory begin; empty if it is not above it."""
    here, above = (os.path.join(os.path.abspath(each), "") for each in (".", directory))
    return here[len(above) :].replace(os.sep, "/") if here.startswith(above) else ""


def _named_kind(path: str) -> str:
    """A file without a suffix that is named on the command line is Python if its first line says so."""
    try:
        with open(path, "rb") as file:
            first = file.readline(200)
    except OSError:
        return "python"
    return "python" if first.startswith(b"#!") and b"python" in first else ""


def is_below(path: str, paths: Iterable[str]) -> bool:
    """Whether a path is one of `paths` or below one, be it there or not."""
    whole = os.path.abspath(path)
    tops = [os.path.abspath(each) for each in paths]
    return any(whole == top or whole.startswith(os.path.join(top, "")) for top in tops)


def read(path: str) -> bytes | None:
    """The bytes of a regular file; None for a link or anything else. Raises OSError."""
    try:
        handle = os.open(path, _FLAGS)
        try:
            data = os.read(handle, _PIECE)
            while piece := os.read(handle, _PIECE):  # some file systems give less than there is
                data += piece
        finally:
            os.close(handle)
    except OSError:
        if os.path.lexists(path) and not (os.path.isfile(path) and not os.path.islink(path)):
            return None
        raise
    return data


def candidates(
    files: Sequence[SourceFile], every_name: bool = False, own_names: tuple[str, ...] = ()
) -> tuple[list[Candidate], list[Problem]]:
    """The files whose bytes hold a marker or a remark to this tool; with `every_name` also mere look-alikes.

    Python with one of `own_names` counts, too.
    """
    from paged_attention_migrate import markers

    def holds_marker(kind: str, data: bytes) -> bool:
        if kind in _HOLDS_PYTHON:
            if own_names and markers.holds_any(data, own_names):
                return True
            concerns = markers.may_concern if kind == "python" else markers.may_hold_removed_name
            return concerns(data, every_name)
        if b"attention" not in data:
            return False
        from paged_attention_migrate.native import may_concern

        return may_concern(data)

    return _held(files, holds_marker)


def files_mentioning(
    files: Sequence[SourceFile], words: Sequence[bytes], kinds: Container[str] = ("python",)
) -> list[Candidate]:
    """The files of some kinds that hold one of the words as a whole identifier."""
    expressions = [(word, re.compile(re.escape(word) + rb"(?!\w)")) for word in words]

    def mentions(kind: str, data: bytes) -> bool:
        return kind in kinds and any(
            word in data and any(not data[match.start() - 1 : match.start()].isalnum() for match in each.finditer(data))
            for word, each in expressions
        )

    return _held([file for file in files if file.kind in kinds], mentions)[0]


Test = Callable[[str, bytes], bool]


def _held(files: Sequence[SourceFile], test: Test) -> tuple[list[Candidate], list[Problem]]:
    found: list[Candidate] = []
    problems: list[Problem] = []
    for path, kind in _worth_a_look(files, test):
        try:
            data = read(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            problems.append(Problem(path, f"{path}: the file cannot be read ({error.strerror})"))
            continue
        if data and test(kind, data):
            found.append(Candidate(path, kind, data))
    return found, problems


def _worth_a_look(files: Sequence[SourceFile], test: Test) -> Sequence[SourceFile]:
    """Files that pass the test or cannot be read; of many files, another process looks at some."""
    if len(files) < _MANY or not hasattr(os, "fork") or (os.cpu_count() or 1) < 2:
        return files
    turns, offer = os.pipe()
    os.write(offer, bytes(range(_TURNS)))
    os.close(offer)
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(receiver)
            numbers = map(str, _take_turns(files, test, turns))
            with open(sender, "w", encoding="ascii") as pipe:
                pipe.write(" ".join([*numbers, "."]))
        finally:
            os._exit(0)
    os.close(sender)
    mine = _take_turns(files, test, turns)
    os.close(turns)
    with open(receiver, encoding="ascii") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    if not answer.endswith("."):
        return files
    return [files[number] for number in sorted([*mine, *map(int, answer[:-1].split())])]


def _take_turns(files: Sequence[SourceFile], test: Test, turns: int) -> list[int]:
    """The numbers of files that pass, of every turn that no other process took from the pipe."""
    found: list[int] = []
    while turn := os.read(turns, 1):
        found += [number for number in range(turn[0], len(files), _TURNS) if _passes(*files[number], test)]
    return found


def _passes(path: str, kind: str, test: Test) -> bool:
    try:
        data = read(path)
    except OSError:
        return True
    return bool(data) and test(kind, data or b"")


def matcher(patterns: Sequence[str]) -> Callable[[str], object] | None:
    """One test for several globs: `*` stays inside a directory, `**` does not, a bare name matches at any depth."""
    if not patterns:
        return None
    parts = []
    for pattern in patterns:
        body = pattern.strip("/").removeprefix("./")
        anywhere = "" if "/" in pattern.strip("/") else "(?:.*/)?"
        parts.append(f"{anywhere}{expression(body)}(?:/.*)?")
    return re.compile("|".join(parts)).fullmatch


def expression(glob: str) -> str:
    """A glob as a regular expression: `*` and `?` stay inside a directory, `**` does not."""
    return "".join(_GLOB.get(piece, re.escape(piece)) for piece in re.split(r"(\*\*/|\*\*|\*|\?)", glob))


_GLOB = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
