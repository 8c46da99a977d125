"""A file that holds Python in pieces: what its study has to know of it, and a notebook as one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Set as AbstractSet

from paged_attention_migrate.edits import Edit, NotEditable
from paged_attention_migrate.notebooks import Page
from paged_attention_migrate.notebooks.cells import Cell, cells, json_text
from paged_attention_migrate.notebooks.splicing import file_edits, source_edits


class Book(ABC):
    """The text of a file, without its byte order mark, and its pieces; `page` says where a finding stands."""

    order = ""  # why the order of the pieces may not decide anything

    def __init__(self, path: str, data: bytes, text: str, found: list[Cell]) -> None:
        self.path = path
        self.text = text
        self.cells = found
        self.mark = data[: len(data) - len(text.encode())]
        self.page = self._page()

    def _page(self) -> Page:
        return Page(self.path, self.text, self.cells)

    @abstractmethod
    def edits(self, cell: Cell, after: str) -> list[Edit]:
        """The edits of the file that make the Python of a cell `after`; raises NotEditable."""

    @abstractmethod
    def again(self, data: bytes) -> Book:
        """Other bytes, read as this file was."""

    @abstractmethod
    def prove(self, after: Book, edited: AbstractSet[int]) -> None:
        """Raise NotEditable if more than the Python of some cells, by their numbers, differs in `after`."""


class Notebook(Book):
    """A notebook; raises Unreadable."""

    order = "cells run in any order"

    def __init__(self, path: str, data: bytes) -> None:
        super().__init__(path, data, json_text(data), cells(data))

    def edits(self, cell: Cell, after: str) -> list[Edit]:
        """The edits of the strings of a cell's source."""
        return file_edits(self.text, cell, source_edits(cell, after))

    def again(self, data: bytes) -> Notebook:
        """Other bytes as a notebook."""
        return Notebook(self.path, data)

    def prove(self, after: Book, edited: AbstractSet[int]) -> None:
        """The new JSON has the same values but for the sources of the edited cells."""
        from json import loads

        old, new = (loads(each.text) for each in (self, after))
        for number in edited:
            del old["cells"][number]["source"], new["cells"][number]["source"]
        if old != new:
            raise NotEditable("more than the sources of the edited cells would change")
