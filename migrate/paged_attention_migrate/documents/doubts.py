"""Why an example may have to stay as it is, though its Python could be rewritten: a document also tells of old code."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from paged_attention_migrate.cell_marks import CellsOfLines, texts_by_cell
from paged_attention_migrate.module import ATTENTION
from paged_attention_migrate.notebooks.order import leave

if TYPE_CHECKING:
    from paged_attention_migrate.module import Change, Draft, Module
    from paged_attention_migrate.names.values import ImportBinding

_OF_VLLM = re.compile(r"^[ \t]*#.*\bvllm/[\w/]+\.py\b", re.MULTILINE)
_SURVIVES = re.compile(r"\bpaged_attention_(?:shim|rocm)\b")
_COMPARES = "the document shows the call that survives as well, and may compare the two"
_QUOTES = "the example quotes a source of vLLM"


def leave_what_is_in_doubt(module: Module, drafts: list[Draft]) -> None:
    """Make a person's of every draft in an example that may have to stay as it is."""
    if _SURVIVES.search(module.source.text):
        leave(drafts, lambda _: _COMPARES)
        return
    quotes = _quotes(module)
    cells = CellsOfLines(module.source.text)
    leave(drafts, lambda change: _reason(module, change, cells.of(change.site.node.lineno) in quotes))


def is_only_shown(module: Module, binding: ImportBinding) -> bool:
    """Whether an import stands in a document without a use, or in doubt: then the text tells of the old name."""
    unused = not binding.owner.loads.get(binding.local)
    line = CellsOfLines(module.source.text).of(binding.statement.lineno)
    return unused or _SURVIVES.search(module.source.text) is not None or line in _quotes(module)


def _quotes(module: Module) -> set[int]:
    """The examples that a comment says are vLLM's."""
    texts = texts_by_cell(module.source.text) or {}
    return {number for number, text in texts.items() if _OF_VLLM.search(text)}


def _reason(module: Module, change: Change, quotes: bool) -> str | None:
    if quotes:
        return _QUOTES
    for outer in module.ancestors(change.site.node):
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)) and outer.name in ATTENTION:
            return f"the example shows the definition of `{outer.name}`"
    if change.call is not None and any(_is_left_out(each) for each in change.call.args):
        return "the example leaves arguments out with `...`"
    return None


def _is_left_out(argument: ast.expr) -> bool:
    inner = argument.value if isinstance(argument, ast.Starred) else argument
    return isinstance(inner, ast.Constant) and inner.value is ...
