"""Replaces files all or none: each new file is complete beside its target before the first one takes its place."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence

Change = tuple[str, bytes, bytes]

_BESIDE = ".paged-attention-migrate"


class Refused(Exception):
    """A file cannot be replaced; `str()` is one sentence."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


def dirty(paths: Sequence[str]) -> list[str]:
    """Those of the files that have changes git does not have yet; none where git cannot say."""
    import subprocess

    by_directory: dict[str, list[str]] = {}
    for path in paths:
        by_directory.setdefault(os.path.dirname(os.path.abspath(path)), []).append(path)
    found = []
    for directory, inside in by_directory.items():
        names = [os.path.basename(path) for path in inside]
        arguments = ["git", "-C", directory, "status", "--porcelain", "-z", "--ignored=matching", "--", *names]
        try:
            run = subprocess.run(arguments, capture_output=True, check=False)
        except OSError:
            return []
        if run.returncode:
            continue
        changed = {os.path.basename(os.fsdecode(entry[3:])) for entry in run.stdout.split(b"\0") if entry[3:]}
        found += [path for path in inside if os.path.basename(path) in changed]
    return sorted(found)


def replace_all(changes: Iterable[Change]) -> None:
    """Replace every file, or none; raises Refused.

    A file that changed since it was read, a link, a file with other hard links and a read-only one are refused.
    """
    staged: list[tuple[str, str, bytes]] = []
    replaced: list[tuple[str, bytes]] = []
    current = ""
    try:
        for path, before, after in changes:
            current = path
            _may_replace(path, before)
            staged.append((path, _stage(path, after), before))
        for path, beside, before in staged:
            current = path
            _may_replace(path, before)
            os.replace(beside, path)
            replaced.append((path, before))
    except OSError as error:
        _take_back(replaced)
        raise Refused(current, f"{current} cannot be written ({error.strerror or error})") from None
    except BaseException:
        # An interrupt as well: nobody wants half a migration.
        _take_back(replaced)
        raise
    finally:
        for _, beside, _ in staged:
            _remove(beside)


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
    with open(path, "rb") as file:
        if file.read() != before:
            raise Refused(path, f"{path} was changed by another program while this one ran")


def _stage(path: str, data: bytes) -> str:
    """Write the new file beside its target, with the target's mode and, where allowed, owner."""
    import tempfile

    status = os.stat(path)
    directory, name = os.path.split(os.path.abspath(path))
    handle, beside = tempfile.mkstemp(prefix=f".{name[:60]}.", suffix=_BESIDE, dir=directory)
    try:
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(handle, left) :]
            if hasattr(os, "fchmod"):
                os.fchmod(handle, stat.S_IMODE(status.st_mode))
            if hasattr(os, "fchown") and (status.st_uid, status.st_gid) != (os.getuid(), os.getgid()):
                _keep_owner(handle, status)
            os.fsync(handle)
        finally:
            os.close(handle)
    except BaseException:
        _remove(beside)
        raise
    return beside


def _keep_owner(handle: int, status: os.stat_result) -> None:
    try:
        os.fchown(handle, status.st_uid, status.st_gid)
    except PermissionError:
        return


def _take_back(replaced: list[tuple[str, bytes]]) -> None:
    for path, before in reversed(replaced):
        os.replace(_stage(path, before), path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
