"""Changes as a patch that `git apply` takes, from the top of the work tree or from the working directory.

Everything here is bytes: a line ends at its newline byte and nowhere else,
so that carriage returns, form feeds and any encoding survive.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from paged_attention_migrate.report.colour import Paint

if TYPE_CHECKING:
    from paged_attention_migrate.line_diff import Hunk
    from paged_attention_migrate.project import FileChange

_NO_NEWLINE = b"\n\\ No newline at end of file\n"
_PARTS = (
    (b"diff --git ", "heading"),
    (b"deleted file mode ", "heading"),
    (b"--- ", "heading"),
    (b"+++ ", "heading"),
    (b"@@ ", "hunk"),
    (b"+", "added"),
    (b"-", "removed"),
)
_ESCAPES = {7: b"\\a", 8: b"\\b", 9: b"\\t", 10: b"\\n", 11: b"\\v", 12: b"\\f", 13: b"\\r", 34: b'\\"', 92: b"\\\\"}


def patch(changes: Iterable[FileChange], prefix: str = "", below: str = "") -> bytes:
    """One patch for all `changes`; `prefix` leads from the top of the work tree to the working directory.

    With `below`, the paths are taken from that directory on, to which `prefix` then leads.

    `git apply` reads the names of a patch with `diff --git` lines from the top of the work tree, wherever it runs.
    """
    return b"".join(
        deletion_patch(from_top_of_work_tree(prefix, each.path.removeprefix(below)), each.before, _mode(each.path))
        if each.deleted
        else file_patch(from_top_of_work_tree(prefix, each.path.removeprefix(below)), each.before, each.after)
        for each in changes
    )


def coloured(patch: bytes, paint: Paint) -> bytes:
    """The patch with colours, for a terminal."""
    return b"\n".join(_coloured_line(line, paint) for line in patch.split(b"\n"))


def prefix_in_work_tree(directory: str = ".") -> str:
    """A directory as seen from the top of its git work tree (`sub/`), or "" at the top and outside git."""
    import subprocess

    try:
        answer = subprocess.run(
            ["git", "-C", directory, "rev-parse", "--show-prefix"], capture_output=True, check=False
        )
    except OSError:
        return ""
    return os.fsdecode(answer.stdout.removesuffix(b"\n")) if answer.returncode == 0 else ""


def from_top_of_work_tree(prefix: str, path: str) -> str:
    """A path as seen from the top of the work tree; `prefix` leads from there to the working directory."""
    return posixpath.normpath(posixpath.join(prefix, path))


def file_patch(path: str, before: bytes, after: bytes) -> bytes:
    """The patch of one file, or b"" where nothing changes."""
    if before == after:
        return b""
    old, new = _quoted(b"a/" + os.fsencode(path)), _quoted(b"b/" + os.fsencode(path))
    header = b"diff --git %s %s\n--- %s\n+++ %s\n" % (old, new, _ended(old), _ended(new))
    return header + b"".join(_hunks(lines_of(before), lines_of(after)))


def deletion_patch(path: str, before: bytes, mode: bytes) -> bytes:
    """The patch that deletes a file; `mode` is git's, 100644 or 100755."""
    old, new = _quoted(b"a/" + os.fsencode(path)), _quoted(b"b/" + os.fsencode(path))
    header = b"diff --git %s %s\ndeleted file mode %s\n" % (old, new, mode)
    if not before:
        return header
    return header + b"--- %s\n+++ /dev/null\n" % _ended(old) + b"".join(_hunks(lines_of(before), []))


def _mode(path: str) -> bytes:
    """What git takes for the mode of a file."""
    try:
        return b"100755" if os.stat(path).st_mode & 0o100 else b"100644"
    except OSError:
        return b"100644"


def _coloured_line(line: bytes, paint: Paint) -> bytes:
    part = next((part for start, part in _PARTS if line.startswith(start)), None)
    if part is None:
        return line
    return paint(line.decode("utf-8", "surrogateescape"), part).encode("utf-8", "surrogateescape")


def _hunks(before: list[bytes], after: list[bytes]) -> Iterator[bytes]:
    from paged_attention_migrate.line_diff import hunks

    for hunk in hunks(before, after):
        yield from _hunk(hunk, before, after)


def _hunk(hunk: Hunk, before: list[bytes], after: list[bytes]) -> Iterator[bytes]:
    at = hunk.start
    yield b"@@ -%s +%s @@\n" % (_range(hunk.start, hunk.end), _range(hunk.new_start, hunk.new_end))
    for change in hunk.changes:
        yield from (_line(b" ", line) for line in before[at : change.start])
        yield from (_line(b"-", line) for line in before[change.start : change.end])
        yield from (_line(b"+", line) for line in after[change.new_start : change.new_end])
        at = change.end
    yield from (_line(b" ", line) for line in before[at : hunk.end])


def _range(start: int, end: int) -> bytes:
    """Start and length as a hunk's header has them: an empty range is named by the line before it."""
    length = end - start
    first = start if length == 0 else start + 1
    return b"%d" % first if length == 1 else b"%d,%d" % (first, length)


def _line(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + _NO_NEWLINE


def lines_of(data: bytes) -> list[bytes]:
    """The lines with their newline bytes."""
    *lines, rest = data.split(b"\n")
    lines = [line + b"\n" for line in lines]
    return [*lines, rest] if rest else lines


def _quoted(name: bytes) -> bytes:
    """The name as git writes it: in quotes, with escapes, where it holds anything but plain characters."""
    if all(32 <= byte < 127 and byte not in _ESCAPES for byte in name):
        return name
    return b'"' + b"".join(_escaped(byte) for byte in name) + b'"'


def _escaped(byte: int) -> bytes:
    if byte in _ESCAPES:
        return _ESCAPES[byte]
    return bytes([byte]) if 32 <= byte < 127 else b"\\%03o" % byte


def _ended(name: bytes) -> bytes:
    """The name with git's mark for the end of a name that holds a space."""
    return name + b"\t" if b" " in name and not name.startswith(b'"') else name
