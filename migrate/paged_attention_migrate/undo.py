"""Takes the last rewrite back. Its record lies under the git directory, and goes when it has been used."""

from __future__ import annotations

import os
from collections.abc import Iterable

from paged_attention_migrate.replacing import Change, Refused, replace_all

_FOLDER = "paged-attention-migrate"
_RECORD = "last-rewrite.json"


def remember(changes: Iterable[Change]) -> bool:
    """Keep what a rewrite replaced; False where there is no git directory to keep it in."""
    import base64
    import hashlib
    import json

    folder = _folder()
    if folder is None:
        return False
    record = [
        {
            "path": os.path.abspath(path),
            "before": base64.b64encode(before).decode("ascii"),
            "after": hashlib.sha256(after).hexdigest(),
        }
        for path, before, after in changes
    ]
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, _RECORD)
    with open(f"{path}.new", "w", encoding="ascii") as file:
        json.dump({"schema": 1, "files": record}, file)
    os.replace(f"{path}.new", path)
    return True


def undo() -> list[str]:
    """Restore the files of the last rewrite and give their paths; raises Refused where one was changed since."""
    import base64
    import hashlib
    import json

    folder = _folder()
    if folder is None:
        raise Refused("", "there is no git repository here, so no record of the last rewrite was kept")
    path = os.path.join(folder, _RECORD)
    try:
        with open(path, encoding="ascii") as file:
            record = json.load(file)["files"]
    except FileNotFoundError:
        return []
    except (ValueError, KeyError, TypeError):
        raise Refused(path, f"the record of the last rewrite, {path}, is damaged") from None
    changes = []
    for entry in record:
        changed = entry["path"]
        try:
            with open(changed, "rb") as file:
                now = file.read()
        except FileNotFoundError:
            raise Refused(changed, f"{_near(changed)} is gone since the rewrite, so nothing was taken back") from None
        if hashlib.sha256(now).hexdigest() != entry["after"]:
            raise Refused(changed, f"{_near(changed)} was changed since the rewrite, so nothing was taken back")
        changes.append((changed, now, base64.b64decode(entry["before"])))
    replace_all(changes)
    os.unlink(path)
    if not os.listdir(folder):
        os.rmdir(folder)
    return [_near(changed) for changed, _, _ in changes]


def _near(path: str) -> str:
    """The path as seen from the working directory, if it is below it."""
    near = os.path.relpath(path)
    return path if near.startswith("..") else near


def _folder() -> str | None:
    """Where the record is kept: below the git directory of this work tree."""
    import subprocess

    try:
        run = subprocess.run(["git", "rev-parse", "--git-path", _FOLDER], capture_output=True, check=False)
    except OSError:
        return None
    return os.path.abspath(os.fsdecode(run.stdout.rstrip(b"\n"))) if run.returncode == 0 else None
