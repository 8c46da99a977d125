"""Shared libraries that are about to be loaded.

A library that registers an operator which is registered already ends the process, from within the dynamic linker,
where nothing can catch it. An audit hook hears of the library before that.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

Holds = Callable[[bytes], bool]

_listener: Callable[[str, Holds], None] | None = None
_hooked = False


def before_loading(listener: Callable[[str, Holds], None] | None) -> None:
    """Call `listener` with the path of each library before it is loaded, and with what searches its bytes."""
    global _listener, _hooked  # noqa: PLW0603  # Python keeps an audit hook for good: one, which listens or does not
    _listener = listener
    if listener is not None and not _hooked:
        sys.addaudithook(_hear)
        _hooked = True


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if _listener is None:
        return
    if event == "ctypes.dlopen":
        path = arguments[0]
    elif event == "import":
        path = arguments[1]  # an extension module's file; None for every other import
    else:
        return
    if isinstance(path, (str, bytes)) and os.path.isfile(path):
        _tell(_listener, os.fsdecode(path))


def _tell(listener: Callable[[str, Holds], None], path: str) -> None:
    import mmap

    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            listener(path, lambda needle: mapped.find(needle) >= 0)
    except (OSError, ValueError):
        return  # what cannot be read here cannot be loaded either, and its loader says so
