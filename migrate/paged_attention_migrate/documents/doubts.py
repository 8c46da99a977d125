"""Why an example may have to stay as it is, though its Python could be rewritten: a document also tells of old code."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from paged_attention_migrate.cell_marks import CellsOfLines
from paged_attention_migrate.module import ATTENTION
from paged_attention_migrate.notebooks.order import deciding, leave

if TYPE_CHECKING:
    from paged_attention_migrate.documents.examples import Example
    from paged_attention_migrate.module import Change, Draft, Module
    from paged_attention_migrate.names.values import ImportBinding

_OF_THE_PAST = re.compile(r"(?:change|history|news|release|migrat|upgrad)[^/]*\Z", re.IGNORECASE)
_OLD = re.compile(
    r"^\W*before\b|\bbefore\W*$"
    r"|\b(?:old(?:er)?|previously|legacy|deprecated|removed|gone|no longer|used to|instead of)\b"
    r"|\b(?:do not|don.t|wrong|avoid|fails?)\b",
    re.IGNORECASE,
)
_OF_VLLM = re.compile(r"(?<!\w)vllm/[\w/]+\.py\b")
_QUOTES = re.compile(rf"^[ \t]*#.*{_OF_VLLM.pattern}", re.MULTILINE)
_OPENS = re.compile(r"`{3}|~{3}|\.\. ")
_BINDS = re.compile(r"\b(?:def|class|import|as|for|global)\b[ \t]*([\w, \t]+)|(\w+)[ \t]*(?::[^\r\n=]*)?=(?!=)")
_WORD = re.compile(r"[^\W\d]\w*")
_LONGEST_LABEL = 300


def doubts_about(path: str, text: str, starts: list[int], found: Iterable[Example]) -> Mapping[int, str]:
    """Why the text around the examples of a document speaks against their rewriting, by their numbers."""
    found = list(found)
    whole = ""
    if _OF_THE_PAST.search(path):
        whole = "a document of this name tells of old code as well"
    elif "paged_attention_shim" in text or any("paged_attention_rocm" in cell.source for cell in found):
        whole = "the document shows the call that survives as well, and may compare the two"
    reasons = {cell.number: whole or _doubt(cell, text, starts) for cell in found}
    return {number: reason for number, reason in reasons.items() if reason}


def _doubt(cell: Example, text: str, starts: list[int]) -> str:
    label = _label(cell.pieces[0].raw_start, text, starts)
    if _QUOTES.search(cell.source) or _OF_VLLM.search(label):
        return "the example quotes a source of vLLM"
    return "the line above the example may say that it is old code" if _OLD.search(label) else ""


def _label(offset: int, text: str, starts: list[int]) -> str:
    """The last line with text above the line that opens an example."""
    rows = range(bisect_right(starts, offset) - 2, -1, -1)
    lines = (text[starts[row] : starts[row + 1]].strip() for row in rows)
    for line in lines:
        if _OPENS.search(line):
            break
    label = next((line for line in lines if line.strip("> \t")), "")
    return "" if _OPENS.search(label) else label[:_LONGEST_LABEL]


def bound_unseen(found: Iterable[Example]) -> frozenset[str]:
    """The names that examples which cannot be read seem to bind."""
    return frozenset(
        word
        for cell in found
        if cell.problem
        for match in _BINDS.finditer(cell.source)
        for word in _WORD.findall(match[1] or match[2])
    )


def leave_what_is_in_doubt(module: Module, drafts: list[Draft]) -> None:
    """Make a person's of every draft in an example that may have to stay as it is."""
    cells = CellsOfLines(module.source.text)
    leave(drafts, lambda change: _reason(module, change, cells))


def is_only_shown(module: Module, binding: ImportBinding) -> bool:
    """Whether an import stands in a document without a use, or in doubt: then the text tells of the old name."""
    line = binding.statement.lineno
    return (
        not binding.owner.loads.get(binding.local) or CellsOfLines(module.source.text).of(line) in module.facts.doubts
    )


def _reason(module: Module, change: Change, cells: CellsOfLines) -> str | None:
    about_example = module.facts.doubts.get(cells.of(change.site.node.lineno))
    if about_example is not None:
        return about_example
    for name in deciding(module, change):
        if name in module.facts.bound_unseen:
            return f"`{name}` may be bound in an example that is not read as Python"
    for outer in module.ancestors(change.site.node):
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)) and outer.name in ATTENTION:
            return f"the example shows the definition of `{outer.name}`"
    if change.call is not None and any(_is_left_out(each) for each in change.call.args):
        return "the example leaves arguments out with `...`"
    return None


def _is_left_out(argument: ast.expr) -> bool:
    inner = argument.value if isinstance(argument, ast.Starred) else argument
    return isinstance(inner, ast.Constant) and inner.value is ...
