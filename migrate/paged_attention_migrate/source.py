"""One Python file as text: decoding that can be undone byte for byte, and positions.

`ast` counts lines from 1 and columns in UTF-8 bytes; people count columns in characters; edits need offsets.
Everything here works on the decoded text with its own newlines, so that CRLF, mixed newlines and form feeds survive.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right

_NEWLINE = re.compile("\r\n|\r|\n")
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK_OR_COMMENT = re.compile(rb"^[ \t\f]*(?:#.*)?$")


class Undecodable(Exception):
    """The bytes are not text in the encoding that the file declares; `str()` is one sentence."""


class Source:
    """The text of one file, with the means to give the same bytes back."""

    def __init__(self, data: bytes) -> None:
        self.byte_order_mark = data.startswith(codecs.BOM_UTF8)
        body = data[len(codecs.BOM_UTF8) :] if self.byte_order_mark else data
        self.encoding = declared_encoding(body)
        if b"\0" in body:
            line = body.count(b"\n", 0, body.index(b"\0")) + 1
            raise Undecodable(f"line {line} holds a NUL byte, so this is not Python source")
        try:
            self.text = body.decode(self.encoding)
        except LookupError:
            raise Undecodable(f"the declared encoding {self.encoding!r} is not known to this Python") from None
        except UnicodeDecodeError as error:
            line = body.count(b"\n", 0, error.start) + 1
            message = f"line {line} is not {self.encoding} (declare the encoding, or save the file as UTF-8)"
            raise Undecodable(message) from None
        if self.text.encode(self.encoding) != body:
            raise Undecodable(f"decoding as {self.encoding} and encoding again does not give the same bytes")
        self.line_starts = line_starts(self.text)

    def encode(self, text: str) -> bytes:
        """Give `text` the byte order mark and encoding of this file."""
        mark = codecs.BOM_UTF8 if self.byte_order_mark else b""
        return mark + text.encode(self.encoding)

    def offset(self, line: int, utf8_column: int) -> int:
        """Offset into the text of an `ast` position."""
        return offset_at(self.text, self.line_starts, line, utf8_column)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, the column in characters."""
        row = bisect_right(self.line_starts, offset) - 1
        return row + 1, offset - self.line_starts[row] + 1

    def line(self, number: int) -> str:
        """The text of a line, from 1, without its newline."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] if number < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


def declared_encoding(body: bytes) -> str:
    """The encoding that a PEP 263 cookie names, or utf-8."""
    lines = body.split(b"\n", 2)[:2]
    for number, line in enumerate(lines):
        match = _COOKIE.match(line.rstrip(b"\r"))
        if match:
            return match.group(1).decode("ascii", "replace")
        if number == 0 and not _BLANK_OR_COMMENT.match(line.rstrip(b"\r")):
            break
    return "utf-8"


def line_starts(text: str) -> list[int]:
    """Offsets at which the lines begin, as Python's tokenizer counts lines."""
    return [0, *(match.end() for match in _NEWLINE.finditer(text))]


def offset_at(text: str, starts: list[int], line: int, utf8_column: int) -> int:
    """Offset of an `ast` position in `text`, whose lines begin at `starts`."""
    start = starts[line - 1]
    candidate = text[start : start + utf8_column]
    if candidate.isascii():
        return start + utf8_column
    end = starts[line] if line < len(starts) else len(text)
    return start + len(text[start:end].encode("utf-8")[:utf8_column].decode("utf-8"))
