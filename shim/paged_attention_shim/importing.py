"""Tells when a module has been imported, without importing anything itself."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType


class Watch:
    """A finder that finds nothing itself: it calls `seen` with each module of `names` once that was imported.

    Modules that are there already are told of by `start`.
    """

    def __init__(self, names: frozenset[str], seen: Callable[[ModuleType], None]) -> None:
        """Watch for modules of these full names."""
        self._names = names
        self._seen = seen
        self._asking = threading.local()

    def start(self) -> None:
        """Tell of the modules that are there, and watch for the others."""
        sys.meta_path.insert(0, self)
        for name in sorted(self._names):
            module = sys.modules.get(name)
            if module is not None:
                self._seen(module)

    def stop(self) -> None:
        """Watch no longer."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The other finders' answer, with a loader that tells of the module in the end."""
        if fullname not in self._names or getattr(self._asking, "name", None) == fullname:
            return None
        self._asking.name = fullname
        try:
            spec = _asked(self, fullname, path, target)
        finally:
            self._asking.name = None
        if spec is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = _Telling(spec.loader, self._seen)  # type: ignore[assignment]  # it is one by what it does
        return spec


def _asked(watch: Watch, fullname: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
    for finder in list(sys.meta_path):
        find = getattr(finder, "find_spec", None)
        if finder is not watch and find is not None:
            spec: ModuleSpec | None = find(fullname, path, target)
            if spec is not None:
                return spec
    return None


class _Telling:
    """A loader that is another one until the module is there."""

    def __init__(self, loader: Any, seen: Callable[[ModuleType], None]) -> None:
        self._loader = loader
        self._seen_module = seen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        if getattr(module, "__loader__", None) is self:
            module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._seen_module(sys.modules.get(module.__name__, module))
