"""Which file of this run a path of another machine or container means."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import takewhile

from paged_attention_migrate.project import package_of


class Paths:
    """The files that a run looks at, found by the path that a process gave them."""

    def __init__(self, files: Iterable[str]) -> None:
        self._files = {os.path.abspath(file): file for file in files}
        self._packages: dict[str, bool] = {}
        self._by_name: dict[str, list[str]] = {}
        for whole in self._files:
            self._by_name.setdefault(os.path.basename(whole), []).append(whole)

    def find(self, path: str) -> tuple[str | None, str]:
        """The file, or None and why there is none."""
        if path.startswith("<"):
            return None, "its code was made at run time and has no file"
        there = os.path.normpath(path)
        if there in self._files:
            return self._files[there], ""
        if there.startswith(os.path.join(os.getcwd(), "")) and os.path.exists(there):
            return None, "this run does not look at that file"
        parts = path.replace("\\", "/").split("/")
        common = {whole: _common(parts, whole) for whole in self._by_name.get(parts[-1], ())}
        common = {whole: length for whole, length in common.items() if length >= self._least(whole)}
        longest = max(common.values(), default=0)
        best = [whole for whole, length in common.items() if length == longest]
        if len(best) > 1:
            names = " and ".join(sorted(self._files[each] for each in best)[:2])
            return None, f"{names} fit equally well"
        return (self._files[best[0]], "") if best else (None, "no file of this run fits")

    def _least(self, whole: str) -> int:
        """How many parts must agree: the whole dotted module, and more than a bare name where the file has more."""
        package, _ = package_of(whole, self._packages)
        inside = len(package.split(".")) if package else 0
        return max(inside + 1, 2 if "/" in self._files[whole] else 1)


def _common(parts: list[str], whole: str) -> int:
    pairs = zip(reversed(parts), reversed(whole.replace(os.sep, "/").split("/")), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
