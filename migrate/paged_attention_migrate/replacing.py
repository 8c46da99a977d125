"""Replaces files all or none: each new file is complete beside its target before the first one takes its place."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence

# A path with its old and its new bytes; None for a file that is not there, so a change may delete or bring back.
Change = tuple[str, bytes | None, bytes | None]

_BESIDE = ".paged-attention-migrate"
_AT_ONCE = 200
_STUCK = errno.EIO
_PLAIN = 0o644


class Refused(Exception):
    """A file cannot be replaced; `str()` is one sentence."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


class GitCannotSay(Exception):
    """Git is there to ask about files, and gives no answer; `str()` is its own words, or that it is missing."""


def dirty(paths: Sequence[str]) -> list[str]:
    """Those of the files that have changes git does not have yet; raises GitCannotSay."""
    by_work_tree: dict[str, dict[str, list[str]]] = {}
    for path in paths:
        directory, name = os.path.split(os.path.abspath(path))
        real = os.path.join(os.path.realpath(directory), name)
        root = work_tree(os.path.dirname(real))
        if root is not None:
            inside = os.path.relpath(real, root).replace(os.sep, "/")
            by_work_tree.setdefault(root, {}).setdefault(inside, []).append(path)
    found: set[str] = set()
    for root, given in by_work_tree.items():
        names = list(given)
        for start in range(0, len(names), _AT_ONCE):
            for changed in _changed(root, names[start : start + _AT_ONCE]):
                found.update(given.get(changed, ()))
    return sorted(found)


def work_tree(directory: str) -> str | None:
    """The top of the git work tree that holds a directory, an absolute path; None outside git."""
    while not os.path.exists(os.path.join(directory, ".git")):
        above = os.path.dirname(directory)
        if above == directory:
            return None
        directory = above
    return directory


def _changed(root: str, names: list[str]) -> list[str]:
    """What `git status` lists of some files, ignored ones too: git could not bring their old text back."""
    import subprocess

    options = ["--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignored=traditional"]
    # The names are no patterns, and nobody may wait for a lock of ours.
    command = ["git", "--no-optional-locks", "--literal-pathspecs", "-C", root, "status", *options, "--", *names]
    try:
        run = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"})
    except OSError:
        raise GitCannotSay("git is not on the PATH") from None
    if run.returncode == 0:
        return [os.fsdecode(entry[3:]) for entry in run.stdout.split(b"\0") if entry]
    said = run.stderr.decode("utf-8", "replace")
    if "not a git repository" in said:
        return []
    raise GitCannotSay(next((line for line in said.splitlines() if line.startswith("fatal: ")), "it failed"))


def replace_all(changes: Iterable[Change], modes: Mapping[str, int] | None = None) -> None:
    """Replace, delete or bring back every file, or none; raises Refused.

    `modes` are the permissions of files that are brought back, by path.

    A file that changed since it was read, a link, a file with other hard links and a read-only one are refused.
    Raises OSError in the one case where half is done: a file was replaced, another could not be, and the first
    could not be put back; the error says where its old text is.
    """
    staged: list[tuple[str, str | None, bytes | None]] = []
    kept: list[tuple[str, str | None, bytes | None]] = []
    made: list[str] = []
    current = ""
    try:
        for path, before, after in changes:
            current = path
            if before is None:
                _may_create(path)
                made += _make_directory(path)
            else:
                _remove_left_behind(path)
                _may_replace(path, before)
            mode = (modes or {}).get(path, _PLAIN) if before is None else None
            staged.append((path, None if after is None else _stage(path, after, mode), before))
        for path, beside, before in staged:
            current = path
            if before is None:
                _may_create(path)
            else:
                _may_replace(path, before)
            kept.append((path, None if before is None else _keep(path, before), before))
            _put_in_place(beside, path)
    except OSError as error:
        _take_back(kept)
        _remove_directories(made, staged)
        raise Refused(current, f"{current} cannot be written ({error.strerror or error})") from None
    except BaseException:
        # An interrupt as well: nobody wants half a migration.
        _take_back(kept)
        _remove_directories(made, staged)
        raise
    finally:
        for _, beside, _ in staged:
            _remove(beside)
    for _, old, _ in kept:
        _remove(old)


def mode_of(path: str) -> int:
    """The permissions of a file; plain ones where it cannot be asked."""
    try:
        return stat.S_IMODE(os.lstat(path).st_mode)
    except OSError:
        return _PLAIN


def _may_replace(path: str, before: bytes) -> None:
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        raise Refused(path, f"{path} is a link, which would become a file of its own")
    if not stat.S_ISREG(status.st_mode):
        raise Refused(path, f"{path} is not a regular file")
    if status.st_nlink > 1:
        raise Refused(path, f"{path} has other hard links, which would keep the old text")
    if not status.st_mode & stat.S_IWUSR or not os.access(path, os.W_OK):
        raise Refused(path, f"{path} is read-only")
    if not os.access(os.path.dirname(os.path.abspath(path)), os.W_OK):
        raise Refused(path, f"{path} is in a read-only directory")
    with open(path, "rb") as file:
        if file.read() != before:
            raise Refused(path, f"{path} was changed by another program while this one ran")


def _may_create(path: str) -> None:
    if os.path.lexists(path):
        raise Refused(path, f"{path} is there again")


def _make_directory(path: str) -> list[str]:
    """Make the directory of a file, and give those that were made, the outermost first."""
    directory = os.path.dirname(os.path.abspath(path))
    missing: list[str] = []
    while not os.path.isdir(directory):
        missing.insert(0, directory)
        directory = os.path.dirname(directory)
    for each in missing:
        os.mkdir(each)
    return missing


def _remove_directories(made: list[str], staged: list[tuple[str, str | None, bytes | None]]) -> None:
    """Take away the directories that were made for files that do not come back."""
    for _, beside, _ in staged:
        _remove(beside)
    try:
        for directory in reversed(made):
            os.rmdir(directory)
    except OSError:
        return


def _put_in_place(beside: str | None, path: str) -> None:
    """Give a file its new text, or delete it where it gets none."""
    if beside is not None:
        os.replace(beside, path)
    elif os.path.lexists(path):
        os.unlink(path)


def _remove_left_behind(path: str) -> None:
    """Take away the second name that a run which was killed had given the file, to be able to put it back.

    Only what is the very file under a name of ours goes, so the file keeps whatever it holds.
    """
    status = os.lstat(path)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink == 1:
        return
    directory, start = _neighbourhood(path)
    neighbour = re.compile(rf"{re.escape(start)}\w{{8}}{re.escape(_BESIDE)}")
    for name in filter(neighbour.fullmatch, os.listdir(directory)):
        beside = os.path.join(directory, name)
        try:
            same = os.path.samestat(os.lstat(beside), status)
        except FileNotFoundError:
            continue
        if same:
            _remove(beside)


def _stage(path: str, data: bytes, mode: int | None = None) -> str:
    """Write the new file beside its target, with `mode` or with the target's mode and, where allowed, owner."""
    status = os.stat(path) if mode is None else None
    handle, beside = _beside(path)
    try:
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(handle, left) :]
            has_owners = status is not None and hasattr(os, "fchown")
            if has_owners and status is not None and (status.st_uid, status.st_gid) != (os.getuid(), os.getgid()):
                _keep_owner(handle, status)
            # After the owner, whose change clears the set-user bits.
            if hasattr(os, "fchmod"):
                os.fchmod(handle, stat.S_IMODE(status.st_mode if status is not None else mode or _PLAIN))
            os.fsync(handle)
        finally:
            os.close(handle)
    except BaseException:
        _remove(beside)
        raise
    return beside


def _beside(path: str) -> tuple[int, str]:
    import tempfile

    directory, start = _neighbourhood(path)
    return tempfile.mkstemp(prefix=start, suffix=_BESIDE, dir=directory)


def _neighbourhood(path: str) -> tuple[str, str]:
    """The directory of a file, and how the names of its neighbours begin."""
    directory, name = os.path.split(os.path.abspath(path))
    # Twenty characters are at most 80 bytes: a file with a long name has a place for its neighbour.
    return directory, f".{name[:20]}."


def _keep_owner(handle: int, status: os.stat_result) -> None:
    try:
        os.fchown(handle, status.st_uid, status.st_gid)
    except PermissionError:
        return


def _keep(path: str, before: bytes) -> str:
    """Another name for the old file, so that putting it back needs no space; a copy where links are not to be had."""
    handle, old = _beside(path)
    os.close(handle)
    try:
        os.unlink(old)
        os.link(path, old)
    except OSError:
        _remove(old)
        return _stage(path, before)
    except BaseException:
        _remove(old)
        raise
    return old


def _take_back(kept: list[tuple[str, str | None, bytes | None]]) -> None:
    stuck = []
    for path, old, before in reversed(kept):
        if old is None or before is None:
            _remove(path)
        elif not _put_back(old, path, before):
            stuck.append((path, old))
    if stuck:
        where = ", ".join(f"the old text of {path} is in {old}" for path, old in stuck)
        raise OSError(_STUCK, f"stopped half way, and not everything could be put back: {where}")


def _put_back(old: str, path: str, before: bytes) -> bool:
    try:
        if not os.path.lexists(old):
            # Another run may have taken it for what a killed one left behind.
            old = _stage(path, before, None if os.path.lexists(path) else _PLAIN)
        os.replace(old, path)
    except OSError:
        return False
    # Where the file was not replaced yet, both are names of it, and stay.
    _remove(old)
    return True


def _remove(path: str | None) -> None:
    if path is None:
        return
    try:
        os.unlink(path)
    except OSError:
        return
