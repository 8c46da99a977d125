"""The folders that hold findings, for the table and the filter."""

from __future__ import annotations

from collections.abc import Iterable

HERE = "./"


def folder_of(path: str) -> str:
    """The folder of a file, with a slash at its end."""
    return path[: path.rfind("/") + 1] or HERE


def with_parents(folders: Iterable[str]) -> list[str]:
    """The folders and all that lead to them, sorted."""
    found: set[str] = set()
    for folder in folders:
        while folder and folder not in found:
            found.add(folder)
            folder = folder[: folder.rstrip("/").rfind("/") + 1]
    return sorted(found - {"/"})
