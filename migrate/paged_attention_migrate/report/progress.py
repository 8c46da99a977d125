"""A bar that shows how far a long run is: on a terminal only, and only once the run takes a while."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TextIO

_PATIENCE = 2.0
_INTERVAL = 0.1
_BAR = 30


class Progress:
    """Called with the number of files done and of all files; leaves nothing on the terminal when it ends."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._next = time.monotonic() + _PATIENCE
        self._drawn = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()

    def __call__(self, done: int, total: int, what: str = "files") -> None:
        """Draw the bar, if it is time to."""
        now = time.monotonic()
        if now < self._next or total <= 0:
            return
        self._next = now + _INTERVAL
        self._draw(bar(done, total, what))

    def _draw(self, text: str) -> None:
        import shutil

        text = text[: shutil.get_terminal_size().columns - 1]
        self._stream.write("\r" + text.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(text)


def bar(done: int, total: int, what: str = "files") -> str:
    """The bar as text, as in `[#####-----] 50 of 100 files`."""
    full = _BAR * min(done, total) // total
    return f"[{'#' * full}{'-' * (_BAR - full)}] {done} of {total} {what}"
