"""What the words behind a fence, or behind the name of a directive, say of the example."""

from __future__ import annotations

import re
from typing import NamedTuple

_PYTHON = frozenset({"python", "python3", "py", "py3", "ipython", "ipython3", "sage", "pyodide", "pyodide-python"})
_PROMPTS = frozenset({"pycon", "pycon3", "doctest", "python-repl", "python-console"})
# Directives that say by their name alone that an example is Python, and those that name the language behind it.
_OF_PYTHON = frozenset({"ipython", "jupyter-execute", "testcode", "pyodide"})
_OF_ANY = frozenset({"code", "code-block", "sourcecode", "code-cell"})
_FIRST = re.compile(r"[.=]?([\w+#-]+)")
_DIRECTIVE = re.compile(r"\{([\w:.+#-]+)\}[ \t]*([\w+#-]*)")
_NAMES_FILE = re.compile(
    r"(?:title|file(?:name)?|caption|name)[ \t]*[=:][ \t]*\S*?[\w-]\.py\b|:[\w./-]+\.py\b", re.IGNORECASE
)


class Language(NamedTuple):
    """Whether an example is Python, or Python behind prompts, and whether it has options on its first lines.

    `own_file` says that it is a file of its own, to which no other example belongs.
    """

    is_python: bool
    has_prompts: bool = False
    has_options: bool = False
    own_file: bool = False


def names_file(words: str) -> bool:
    """Whether words beside an example say which Python file it is."""
    return _NAMES_FILE.search(words) is not None


def of_fence(info: str) -> Language:
    """What the words behind a fence say: `python title="a.py"`, `{.python}`, `{code-block} python`."""
    info = info.strip()
    own_file = names_file(info)
    directive = _DIRECTIVE.match(info)
    if directive and directive[1].lower() in _OF_PYTHON | _OF_ANY | {"doctest"}:
        return of_directive(directive[1], directive[2])._replace(own_file=own_file)
    first = _FIRST.match(info.lstrip("{ \t"))
    return _named(first[1] if first else "")._replace(own_file=own_file)


def of_directive(name: str, argument: str) -> Language:
    """What a directive says of its block, by its name and the word behind it."""
    name = name.lower()
    if name in _OF_PYTHON or (name == "code-cell" and not argument):
        return Language(True, has_options=True)
    if name == "doctest":
        return Language(False, has_prompts=True, has_options=True)
    return _named(argument if name in _OF_ANY else "")._replace(has_options=True)


def _named(word: str) -> Language:
    word = word.lower()
    return Language(word in _PYTHON, word in _PROMPTS)
