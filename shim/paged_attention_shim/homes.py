"""The modules and classes that had removed names: what stands there instead, and how they become as they were."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from paged_attention_shim.gone import RemovedAttributeError, RemovedImportError, sentences
from paged_attention_shim.removed import REMOVED
from paged_attention_shim.removed.records import OP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from paged_attention_shim.forward import Options
    from paged_attention_shim.removed import Home, RemovedName


def watched() -> frozenset[str]:
    """The full names of all modules in which a removed name may have been."""
    paths = {home.path for name in REMOVED for home in name.homes if home.call_style != OP}
    return frozenset(
        ".".join(parts[: end + 1]) for parts in (path.split(".") for path in paths) for end in range(len(parts))
    )


class Homes:
    """What stands in modules and classes for the removed names; `withdraw` takes it out again."""

    def __init__(self, mode: str, options: Options) -> None:
        """Put nothing anywhere yet; `mode` is "error" or "forward"."""
        self._forwards = mode == "forward"
        self._options = options
        self._undo: dict[str, list[Callable[[], None]]] = {}

    def furnish(self, module: ModuleType) -> None:
        """Put the removed names into a module and its classes, where nothing else of that name is."""
        for path in sorted({home.path for _, home in _rows()}):
            owner = _owner(module, path)
            if owner is None or path in self._undo:
                continue
            rows = [(name, home) for name, home in _rows() if home.path == path]
            undo: list[Callable[[], None]] = []
            forwarded = [row for row in rows if self._forwards and _can_be_forwarded(row[0])]
            for name, home in forwarded:
                undo += self._forward(owner, name, home)
            missing = {name.name: name for name, home in rows if (name, home) not in forwarded}
            undo += _explain(owner, missing)
            self._undo[path] = undo

    def withdraw(self) -> None:
        """Leave every module and class as it was."""
        for undo in self._undo.values():
            for step in reversed(undo):
                step()
        self._undo.clear()

    def _forward(self, owner: Any, name: RemovedName, home: Home) -> Iterator[Callable[[], None]]:
        from paged_attention_shim.forward import forwarder

        if hasattr(owner, name.name):
            return
        function = forwarder(name, home, self._options)
        placed = function if isinstance(owner, ModuleType) else staticmethod(function)
        setattr(owner, name.name, placed)
        yield lambda: _take_out(owner, name.name, placed)


def _rows() -> Iterator[tuple[RemovedName, Home]]:
    return ((name, home) for name in REMOVED for home in name.homes if home.call_style != OP)


def _can_be_forwarded(name: RemovedName) -> bool:
    return name.family == "attention" or name.name == "forward_decode"


def _owner(module: ModuleType, path: str) -> Any:
    """The module or class at a full path, if it is this module or in it; nothing is imported."""
    if path == module.__name__:
        return module
    owner, _, name = path.rpartition(".")
    found = vars(module).get(name) if owner == module.__name__ else None
    return found if isinstance(found, (type, ModuleType)) else None


def _take_out(owner: Any, name: str, placed: Any) -> None:
    if vars(owner).get(name) is placed:
        delattr(owner, name)


def _explain(owner: Any, missing: dict[str, RemovedName]) -> Iterator[Callable[[], None]]:
    if isinstance(owner, ModuleType):
        yield from _explain_in_module(owner, missing)
        return
    for name, row in missing.items():
        if not hasattr(owner, name):
            placed = _Gone(row)
            setattr(owner, name, placed)
            yield lambda name=name, placed=placed: _take_out(owner, name, placed)  # type: ignore[misc]  # bound now


def _explain_in_module(module: ModuleType, missing: dict[str, RemovedName]) -> Iterator[Callable[[], None]]:
    if not missing:
        return
    before = vars(module).get("__getattr__")

    def explain(name: str) -> Any:
        if before is not None:
            try:
                return before(name)
            except AttributeError:
                if name not in missing:
                    raise
        if name not in missing:
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        text = sentences(missing[name])
        if _is_from_import(sys._getframe(1)):  # noqa: SLF001  # who asks
            raise RemovedImportError(text, name=name, path=getattr(module, "__file__", None))
        raise RemovedAttributeError(text, name=name, obj=module)

    module.__getattr__ = explain  # type: ignore[method-assign]  # PEP 562

    def undo() -> None:
        if vars(module).get("__getattr__") is explain:
            if before is None:
                del module.__getattr__
            else:
                module.__getattr__ = before  # type: ignore[method-assign]  # PEP 562

    yield undo


def _is_from_import(frame: Any) -> bool:
    """Whether a frame is at `from module import name`, where Python replaces an AttributeError by one of its own."""
    from opcode import EXTENDED_ARG, opmap

    code, at = frame.f_code.co_code, frame.f_lasti
    while code[at] == EXTENDED_ARG:  # where a function has many names, Python 3.10 stands before the instruction
        at += 2
    return bool(code[at] == opmap["IMPORT_FROM"])


class _Gone:
    """A class attribute that is not there, and says why."""

    def __init__(self, row: RemovedName) -> None:
        self._row = row

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        raise RemovedAttributeError(sentences(self._row), name=self._row.name, obj=owner)
