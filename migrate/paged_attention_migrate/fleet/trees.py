"""The state of a directory that is looked at where it is: its commit, and a digest of what no commit holds."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable

from paged_attention_migrate.fleet.git import GitFailed, run


def commit_of(path: str) -> str | None:
    """The commit that a work tree stands at; None outside git and before the first commit."""
    try:
        return run(["-C", path, "rev-parse", "--verify", "HEAD^{commit}"]).decode("ascii").strip()
    except GitFailed:
        return None


def remote_of(path: str) -> str | None:
    """The address that a work tree was cloned from."""
    try:
        return os.fsdecode(run(["-C", path, "config", "remote.origin.url"])).strip()
    except GitFailed:
        return None


def state_of(path: str, commit: str | None) -> str:
    """What changes whenever a file does that a run may read."""
    if commit is None:
        from paged_attention_migrate.files import list_files

        return f"no commit, files {_digest(each.path for each in list_files([path])[0])}"
    top = os.fsdecode(run(["-C", path, "rev-parse", "--show-toplevel"])).rstrip("\n")
    listed = ["--no-optional-locks", "-C", top, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"]
    entries = os.fsdecode(run(listed)).split("\0")
    changed = [os.path.join(top, entry[3:]) for entry in entries if entry]
    below = os.path.relpath(os.path.realpath(path), top)
    return f"{commit} {below}" + (f", changes {_digest(changed)}" if changed else "")


def _digest(paths: Iterable[str]) -> str:
    found = hashlib.sha256()
    for path in sorted(paths):
        try:
            status = os.lstat(path)
            told = f"{path}\0{status.st_mode}\0{status.st_size}\0{status.st_mtime_ns}\0"
        except OSError:
            told = f"{path}\0gone\0"
        found.update(told.encode("utf-8", "surrogateescape"))
    return found.hexdigest()[:32]
