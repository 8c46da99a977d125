"""Comments that part the cells in the text that is made of them, so that each is found again in a rewritten one."""

from __future__ import annotations

import re
from bisect import bisect_right

# A letter for private use, which nobody types; a text that holds it all the same is not rewritten.
LETTER = "\ue000"
BEFORE_A_BLOCK = "if 1:\n"

_MARK = re.compile(rf"^# {LETTER}(\d+)$", re.MULTILINE)


def mark(number: int) -> str:
    """What stands before a cell; its empty line keeps the comment from belonging to the statement below."""
    return f"# {LETTER}{number}\n\n"


class CellsOfLines:
    """Which cell each line of a marked text belongs to."""

    def __init__(self, text: str) -> None:
        found = [(text.count("\n", 0, match.start()), int(match[1])) for match in _MARK.finditer(text)]
        self._rows = [row for row, _ in found]
        self._numbers = [number for _, number in found]

    def of(self, line: int) -> int:
        """The number of the cell that holds a line, which counts from 1; -1 where none does."""
        index = bisect_right(self._rows, line - 1) - 1
        return self._numbers[index] if index >= 0 else -1


def texts_by_cell(text: str) -> dict[int, str] | None:
    """The text of each cell in a marked text, by the cell's number; None where a mark is not as it was."""
    head, *rest = _MARK.split(text)
    numbers, bodies = [int(number) for number in rest[::2]], rest[1::2]
    if head != "\n\n" or numbers != sorted(set(numbers)) or not all(body.startswith("\n\n") for body in bodies):
        return None
    return {number: body[2:].removesuffix("\n") for number, body in zip(numbers, bodies, strict=True)}
