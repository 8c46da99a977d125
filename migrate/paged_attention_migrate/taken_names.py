"""Which names of one file another seems to take, by its text: only what matters is parsed."""

from __future__ import annotations

import re

from paged_attention_migrate.files import Candidate


def stem(path: str) -> str:
    """The last word of a module's dotted name."""
    parts = path.removesuffix(".py").split("/")
    return parts[-2] if parts[-1] == "__init__" and len(parts) > 1 else parts[-1]


def first(name: str) -> str:
    """The name that an importer writes: `load` of `load()`, `Kernels` of `Kernels.ops`."""
    return name.partition(".")[0].removesuffix("()")


def taken_from(hit: Candidate, path: str) -> set[str]:
    """The names that a file takes from the one at `path`; `*` for a star import."""
    dotted = path.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
    found = _names_taken(hit.data, dotted, stem(path))
    if path.endswith("/__init__.py") and hit.path.startswith(path.removesuffix("__init__.py")):
        for match in re.finditer(rb"from\s+\.+\s+import\s*(\([^)]*\)|[^\n\\]*)", hit.data):
            found.update(word.decode() for word in re.findall(rb"[^\W\d]\w*|\*", match[1]))
    return found


def _names_taken(data: bytes, dotted: str, stem: str) -> set[str]:
    """Names that a file seems to take from a module: imports, and attributes of it."""
    if stem.encode() not in data:
        return set()
    quoted = re.escape(stem.encode())
    found: set[str] = set()
    for match in re.finditer(rb"from\s+([\w.]*(?<!\w)" + quoted + rb")\s+import\s*(\([^)]*\)|[^\n\\]*)", data):
        module = match[1].decode()
        if module.startswith(".") or f".{dotted}".endswith(f".{module}"):
            found.update(word.decode() for word in re.findall(rb"[^\W\d]\w*|\*", match[2]))
    if re.search(rb"import[^\n]*(?<!\w)" + quoted + rb"(?!\w)", data):
        # The module itself is at hand, perhaps under another name: any attribute may be taken from it.
        found.update(word.decode() for word in re.findall(rb"\.([^\W\d]\w*)", data))
    return found
