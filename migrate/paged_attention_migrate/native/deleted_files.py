"""The kernel sources that vLLM deleted, and strings that name them.

`attention_kernels.cu` was split in 0.6.4 into the other three, and pull request #47361 deleted those.
"""

from __future__ import annotations

import posixpath
import re
from string import ascii_letters, digits
from typing import NamedTuple

from paged_attention_migrate.findings import ERROR, INFO, WARNING
from paged_attention_migrate.native.places import LEFT_ALONE, Facts, Place

# A suffix after the dot makes another file of it: an object, a backup, a hipified copy.
FILE = re.compile(
    r"(?<![A-Za-z0-9_\-])(?:attention_kernels\.cuh|attention_kernels\.cu|paged_attention_v[12]\.cu)"
    r"(?![A-Za-z0-9_]|\.[A-Za-z0-9])"
)
_PATH_CHARACTERS = f"{ascii_letters}{digits}_.+-/\\${{}}@~:"
_PATH = re.compile(r"[^\s\"'<>|;,()]+")
_VARIABLE = re.compile(r"^.*(?:\}|@)[/\\]*")
_DRIVE = re.compile(r"^[A-Za-z]:[/\\]")
_LONGEST_PATH = 300

_GONE = {
    "attention_kernels.cu": "gone since vLLM 0.6.4, and what it was split into since 0.25.0 (#47361)",
    "attention_kernels.cuh": "gone since vLLM 0.25.0 (#47361)",
    "paged_attention_v1.cu": "gone since vLLM 0.25.0 (#47361)",
    "paged_attention_v2.cu": "gone since vLLM 0.25.0 (#47361)",
}
_BY_HAND = "drop it and call paged_attention_shim.paged_attention, or keep a copy of the source in this repository"


class Named(NamedTuple):
    """A path in a text that ends in a deleted file: where it stands, as written, and what to look for in a tree."""

    start: int
    end: int
    written: str
    path: str

    @property
    def file(self) -> str:
        """The file's own name."""
        return posixpath.basename(self.path)


def deleted_source(text: str) -> str | None:
    """The deleted file that `text` is a path to, without leading variables and dots; None when it is none.

    What comes back is what to ask `exists_in_tree` for: a repository may hold a file of its own there.
    """
    if not _PATH.fullmatch(text):
        return None
    match = FILE.search(text)
    if match is None or match.end() != len(text):
        return None
    named = named_at(text, match)
    return named.path if named and named.start == 0 else None


def deleted_source_message(path: str) -> str:
    """What to say where a build takes a deleted file; `path` as `deleted_source` gives it."""
    return f"{path} is {_GONE[posixpath.basename(path)]}: {_BY_HAND}"


def deleted_source_severity(path: str) -> str:
    """An error where the path can only be vLLM's, a warning where another project may have such a file."""
    parts = path.split("/")
    ours = not parts[-1].startswith("attention_kernels") or "csrc" in parts or "vllm" in parts
    return ERROR if ours else WARNING


def named_at(text: str, match: re.Match[str]) -> Named | None:
    """The whole path that ends in a match of `FILE`; None when its folder makes it another file."""
    window = max(0, match.start() - _LONGEST_PATH)
    before = text[window : match.start()]
    folders = before[len(before.rstrip(_PATH_CHARACTERS)) :]
    start = match.start() - len(folders) * folders.endswith(("/", "\\"))
    written = text[start : match.end()]
    if "://" not in written and not _DRIVE.match(written):
        # What stands before a colon is a label or an option.
        start += written.rfind(":") + 1
        written = text[start : match.end()]
    path = _DRIVE.sub("", _VARIABLE.sub("", written)).replace("\\", "/")
    path = path.rpartition(":")[2].lstrip("/")
    path = posixpath.normpath(path)
    while path.startswith("../"):
        path = path[3:]
    folder = posixpath.basename(posixpath.dirname(path))
    if match[0].startswith("attention_kernels") and folder not in {"", "attention"}:
        return None
    return Named(start, match.end(), written, path)


def build_source(text: str, match: re.Match[str], facts: Facts) -> Place | None:
    """A deleted file that a build or an include takes."""
    named = named_at(text, match)
    if named is None:
        return None
    if in_tree(named.path, facts):
        reason = f"{named.path} is in this repository"
        return Place(named.start, named.end, "PAM303", LEFT_ALONE, named.file, reason)
    message = deleted_source_message(named.path)
    return Place(named.start, named.end, "PAM303", deleted_source_severity(named.path), named.file, message)


def file_mention(text: str, match: re.Match[str], where: str, facts: Facts, code: str = "PAM305") -> Place | None:
    """A deleted file that is only spoken of."""
    named = named_at(text, match)
    if named is None:
        return None
    if in_tree(named.path, facts):
        reason = f"{named.path} is in this repository"
        return Place(named.start, named.end, code, LEFT_ALONE, named.file, reason)
    message = f"{where} {named.path}, {_GONE[named.file]}"
    return Place(named.start, named.end, code, INFO, named.file, message)


def in_tree(path: str, facts: Facts) -> bool:
    """Whether the tree holds the file; a vLLM tree is also spoken of by absolute paths."""
    return facts.exists_in_tree(path) or (facts.is_vllm and facts.exists_in_tree(posixpath.basename(path)))


def in_file_name(text: str, match: re.Match[str]) -> bool:
    """Whether a match of a removed name is only the stem of a deleted file's name."""
    return FILE.match(text, match.start()) is not None
