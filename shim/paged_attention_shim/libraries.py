"""Shared libraries that are about to be loaded.

A library that registers an operator which is registered already ends the process, from within the dynamic linker,
where nothing can catch it. So Python's two ways to load one are listened to; an audit hook would hear of both, but it
could never be taken away, and it makes every look at a frame dearer, of which `usage.count` has two a call.
"""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Callable
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from typing import Any

Holds = Callable[[bytes], bool]

_listener: Callable[[str, Holds], None] | None = None
_usual_open: Any = ctypes.CDLL.__init__
_usual_create: Any = ExtensionFileLoader.create_module


def before_loading(listener: Callable[[str, Holds], None] | None) -> None:
    """Call `listener` with the path of each library before it is loaded, and with what searches its bytes.

    None takes it back; where something else has put itself in front since, that goes on, and nothing listens.
    """
    global _listener  # noqa: PLW0603  # one process, one listener
    _listener = listener
    usual, ours = (_usual_open, _usual_create), (_open, _create)
    before, after = (usual, ours) if listener is not None else (ours, usual)
    for home, name, old, new in zip((ctypes.CDLL, ExtensionFileLoader), _NAMES, before, after, strict=True):
        if vars(home)[name] is old:
            setattr(home, name, new)


@functools.wraps(_usual_open)
def _open(self: ctypes.CDLL, name: Any, *arguments: Any, **keywords: Any) -> None:
    _hear(name)
    _usual_open(self, name, *arguments, **keywords)


@functools.wraps(_usual_create)
def _create(self: ExtensionFileLoader, spec: ModuleSpec) -> Any:
    _hear(spec.origin)
    return _usual_create(self, spec)


_NAMES = ("__init__", "create_module")


def _hear(path: Any) -> None:
    if _listener is not None and isinstance(path, (str, bytes)) and os.path.isfile(path):
        _tell(_listener, os.fsdecode(path))


def _tell(listener: Callable[[str, Holds], None], path: str) -> None:
    import mmap

    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            listener(path, lambda needle: mapped.find(needle) >= 0)
    except (OSError, ValueError):
        return  # what cannot be read here cannot be loaded either, and its loader says so
