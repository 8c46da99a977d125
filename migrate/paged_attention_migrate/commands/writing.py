"""Writes what a run prepared: all of it or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paged_attention_migrate.project import FileChange
    from paged_attention_migrate.report.failure import Failure

_NAMED = 5


def refused(changes: tuple[FileChange, ...], allow_dirty: bool) -> Failure | None:
    """Why nothing may be written, if so, as far as git knows."""
    from paged_attention_migrate import replacing
    from paged_attention_migrate.report.failure import Failure

    try:
        dirty = [] if allow_dirty else replacing.dirty([each.path for each in changes])
    except replacing.GitCannotSay as error:
        told = f"git cannot say whether files have uncommitted changes ({error}), so nothing was written"
        return Failure(f"{told}: mend that, or pass --allow-dirty")
    if dirty:
        told = (
            f"{_some(dirty)} uncommitted changes, so nothing was written: commit or stash them, or pass --allow-dirty"
        )
        return Failure(told)
    lost = [each.path for each in changes if each.deleted and not _git_has(each.path)]
    if lost and not allow_dirty:
        told = f"{lost[0]} would be deleted, and without git it could not come back, so nothing was written"
        return Failure(f"{told}: --diff prints a patch, --allow-dirty goes on")
    return None


def write(changes: tuple[FileChange, ...], allow_dirty: bool) -> tuple[Failure | None, bool]:
    """Replace the files, all or none: why nothing was written, if so, and whether `undo` can take it back."""
    if not changes:
        return None, False
    from paged_attention_migrate import replacing, undo
    from paged_attention_migrate.report.failure import Failure

    refusal = refused(changes, allow_dirty)
    if refusal is not None:
        return refusal, False
    files = [(each.path, each.before, None if each.deleted else each.after) for each in changes]
    modes = {each.path: replacing.mode_of(each.path) for each in changes if each.deleted}
    try:
        replacing.replace_all(files)
    except replacing.Refused as error:
        return Failure(f"{error}, so nothing was written"), False
    try:
        return None, undo.remember(files, modes) if modes else undo.remember(files)
    except OSError:
        return None, False


def _git_has(path: str) -> bool:
    """Whether a file that is not dirty could be taken from git again."""
    import os

    from paged_attention_migrate.replacing import work_tree

    return work_tree(os.path.dirname(os.path.realpath(path))) is not None


def _some(paths: list[str]) -> str:
    named = ", ".join(paths[:_NAMED])
    rest = len(paths) - _NAMED
    if rest > 0:
        return f"{named} and {rest} more have"
    return f"{named} has" if len(paths) == 1 else f"{named} have"
