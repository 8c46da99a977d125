"""Takes the last rewrite back. Its record lies under the git directory, and goes when it has been used."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from paged_attention_migrate.replacing import Change, Refused, replace_all

_FOLDER = "paged-attention-migrate"
_RECORD = "last-rewrite.json"
_SCHEMA = 1
_PLAIN = 0o644
_EVERY_PERMISSION = 0o7777
_NOTHING = ", so nothing was taken back"


def remember(changes: Iterable[Change], modes: Mapping[str, int] | None = None) -> bool:
    """Keep what a rewrite replaced or deleted; False where there is no git directory to keep it in.

    `modes` are the permissions of the deleted files, by path.
    """
    import base64
    import hashlib
    import json

    folder = _folder()
    if folder is None:
        return False
    record = [
        {
            "path": _from(folder, path),
            "before": base64.b64encode(before or b"").decode("ascii"),
            # A file that was deleted has no digest, but a mode to come back with.
            "after": None if after is None else hashlib.sha256(after).hexdigest(),
            "mode": (modes or {}).get(path),
        }
        for path, before, after in changes
    ]
    path = os.path.join(folder, _RECORD)
    try:
        os.makedirs(folder, exist_ok=True)
        with open(f"{path}.new", "w", encoding="ascii") as file:
            json.dump({"schema": _SCHEMA, "files": record}, file)
        os.replace(f"{path}.new", path)
    except BaseException:
        # An older record would take back an older rewrite.
        _forget(folder)
        raise
    return True


def undo() -> list[str]:
    """Restore the files of the last rewrite and give their paths; raises Refused where one was changed since."""
    import hashlib

    folder = _folder()
    if folder is None:
        raise Refused("", "there is no git repository here, so no record of the last rewrite was kept")
    changes: list[Change] = []
    modes: dict[str, int] = {}
    for name, before, after, mode in _record(folder):
        path = _near(os.path.normpath(os.path.join(folder, name)))
        if after is None:
            if os.path.lexists(path):
                raise Refused(path, f"{path} is there again since it was deleted{_NOTHING}")
            changes.append((path, None, before))
            modes[path] = mode
            continue
        try:
            with open(path, "rb") as file:
                now = file.read()
        except FileNotFoundError:
            raise Refused(path, f"{path} is gone since the rewrite{_NOTHING}") from None
        except OSError as error:
            raise Refused(path, f"{path} cannot be read ({error.strerror}){_NOTHING}") from None
        if hashlib.sha256(now).hexdigest() != after:
            raise Refused(path, f"{path} was changed since the rewrite{_NOTHING}")
        changes.append((path, now, before))
    try:
        replace_all(changes, modes)
    except Refused as error:
        raise Refused(error.path, f"{error}{_NOTHING}") from None
    _forget(folder)
    return [path for path, _, _ in changes]


def _record(folder: str) -> list[tuple[str, bytes, str | None, int]]:
    """Of each file its path from the folder, its old bytes, the digest of the new ones, and the mode to restore."""
    import json

    path = os.path.join(folder, _RECORD)
    try:
        with open(path, encoding="ascii") as file:
            record = json.load(file)
        if record["schema"] != _SCHEMA:
            raise Refused(path, f"the record of the last rewrite, {path}, is from another version of this program")
        return [_entry(entry) for entry in record["files"]]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Refused(path, f"the record of the last rewrite, {path}, cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError):
        raise Refused(path, f"the record of the last rewrite, {path}, is damaged") from None


def _entry(entry: Any) -> tuple[str, bytes, str | None, int]:
    import base64

    path, before, after, mode = entry["path"], entry["before"], entry["after"], entry.get("mode")
    texts = (path, before) if after is None else (path, before, after)
    if not all(isinstance(each, str) for each in texts) or not path or "\0" in path:
        raise ValueError
    if mode is not None and not (isinstance(mode, int) and 0 <= mode <= _EVERY_PERMISSION):
        raise ValueError
    return path, base64.b64decode(before, validate=True), after, _PLAIN if mode is None else mode


def _forget(folder: str) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


def _from(folder: str, path: str) -> str:
    """The path from the record, so that `undo` in a copy of the repository leaves the original alone."""
    try:
        return os.path.relpath(path, folder)
    except ValueError:
        return os.path.abspath(path)


def _near(path: str) -> str:
    """The path as seen from the working directory, if it is below it."""
    here = os.getcwd()
    return os.path.relpath(path, here) if path.startswith(here.rstrip(os.sep) + os.sep) else path


def _folder() -> str | None:
    """Where the record is kept: below the git directory of this work tree."""
    import subprocess

    try:
        run = subprocess.run(["git", "rev-parse", "--git-path", _FOLDER], capture_output=True, check=False)
    except OSError:
        return None
    return os.path.realpath(os.fsdecode(run.stdout.rstrip(b"\r\n"))) if run.returncode == 0 else None
