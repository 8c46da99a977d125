"""Grammars of C++, CUDA, CMake and the like from tree-sitter's packages: the extra `native`, loaded when asked for."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

_PACKAGES = {
    "c++": "tree_sitter_cpp",
    "cuda": "tree_sitter_cuda",
    "cmake": "tree_sitter_cmake",
    "toml": "tree_sitter_toml",
    "rust": "tree_sitter_rust",
    "shell": "tree_sitter_bash",
}
_CUDA = (".cu", ".cuh", ".hip")
INSTALL = "pip install 'paged-attention-migrate[native]'"


class GrammarMissing(Exception):
    """A grammar is not installed; `str()` is one sentence with the command that installs it."""


def parse(language: str, data: bytes) -> Tree:
    """The tree of a file in one of the languages; offsets are bytes. Raises GrammarMissing."""
    return _parser(language).parse(data)


def language_of(path: str) -> str:
    """`cuda` for what nvcc and hipcc compile, `c++` for the rest: only the first knows `<<<grid, block>>>`."""
    return "cuda" if path.lower().endswith(_CUDA) else "c++"


def available() -> bool:
    """Whether every grammar can be loaded."""
    try:
        for language in _PACKAGES:
            _parser(language)
    except GrammarMissing:
        return False
    return True


def is_sound(node: Node) -> bool:
    """Whether the parser understood all of a construct."""
    return not node.has_error and not node.is_missing


@cache
def _parser(language: str) -> Parser:
    import importlib

    package = _PACKAGES[language]
    try:
        from tree_sitter import Language, Parser

        module = importlib.import_module(package)
    except ImportError as error:
        missing = error.name or package
        raise GrammarMissing(
            f"{language} needs {missing.replace('_', '-')}, which is not installed: {INSTALL}"
        ) from None
    return Parser(Language(module.language()))
