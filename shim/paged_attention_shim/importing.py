"""Tells when a module has been imported, without importing any itself."""

from __future__ import annotations

import contextlib
import importlib
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType


_current: Watch | None = None


def half_done(names: frozenset[str]) -> frozenset[str]:
    """Wait for other threads that are importing one of these modules; gives those that this thread is importing.

    Whoever holds a lock must not wait for an import, for that may end in a wait for the lock.
    """
    found = set()
    for name in names:
        module = sys.modules.get(name)
        if module is not None and _is_being_imported(module):
            with contextlib.suppress(Exception):  # the thread that imports it hears of it
                importlib.import_module(name)
            module = sys.modules.get(name)
            if module is not None and _is_being_imported(module):
                found.add(name)
    return frozenset(found)


def _is_being_imported(module: ModuleType) -> bool:
    return bool(getattr(module.__spec__, "_initializing", False))


class Watch:
    """A finder that finds nothing itself: it calls `seen` with each module of `names` once that was imported.

    Modules that are there already are told of by `start`.
    """

    def __init__(self, names: frozenset[str], seen: Callable[[ModuleType], None]) -> None:
        """Watch for modules of these full names."""
        self._names = names
        self._seen = seen
        self._asking = threading.local()

    def start(self, half_done: frozenset[str] = frozenset()) -> None:
        """Tell of the modules that are there, and of those `half_done`; watch for the others.

        A module that another thread is importing right now is told of by that thread.
        """
        global _current  # noqa: PLW0603  # one process, one watch
        _current = self
        sys.meta_path.insert(0, self)
        for name in sorted(self._names):
            module = sys.modules.get(name)
            if module is not None and (name in half_done or not _is_being_imported(module)):
                self._seen(module)

    def tell(self, module: ModuleType) -> None:
        """Tell of a module that has just been imported."""
        if module.__name__ in self._names:
            self._seen(module)

    def stop(self) -> None:
        """Watch no longer."""
        global _current  # noqa: PLW0603  # one process, one watch
        _current = None
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
            spec.loader = _Telling(spec.loader)  # type: ignore[assignment]  # it is one by what it does
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

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        if name == "_loader":  # a copy that is being made has none yet
            raise AttributeError(name)
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
        if _current is not None:
            _current.tell(sys.modules.get(module.__name__, module))
