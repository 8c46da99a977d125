"""Remarks to this tool that say nothing any more.

PAM903 unused-noqa: a `noqa` silences nothing

`# noqa: PAM102` stands on a line where nothing with that code is found, as after a rewrite.
Codes of other tools on the line do not matter, and are not looked at.
Said only of files below a directory that is checked: a run over single files does not see what others hand on.
By hand: take the code out of the comment.

PAM904 unused-keep: a place is to be kept, and nothing is found there

`# paged-attention: keep` stands at a place that no rewrite would change.
Said only of files below a directory that is checked.
By hand: take the comment out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from paged_attention_migrate.findings import WARNING, Finding
from paged_attention_migrate.module import Draft
from paged_attention_migrate.rules.dynamic import CODE as DYNAMIC
from paged_attention_migrate.silencing import Heeded, codes_in, comments_of, header, ignored_codes, says_keep

if TYPE_CHECKING:
    from paged_attention_migrate.module import Module
    from paged_attention_migrate.settings import Settings
    from paged_attention_migrate.source import Source

_NOQA, _KEEP = "PAM903", "PAM904"


def drafts(module: Module, heeded: Heeded) -> Iterator[Draft]:
    """Drafts for the remarks of a module that had no effect."""
    needed = _lines_that_matter(module, heeded)
    yield from _unused(module.path, module.source, module.settings, heeded, needed)


def in_file_without_names(path: str, data: bytes, settings: Settings) -> list[Finding]:
    """Findings for the remarks of a file in which no removed name was found; none where it is no text."""
    from paged_attention_migrate.source import Source, Undecodable

    try:
        source = Source(data)
    except Undecodable:
        return []
    found = []
    for draft in _unused(path, source, settings, Heeded([]), frozenset()):
        line, column = source.position(draft.start)
        end_line, end_column = source.position(draft.end)
        text = source.line(line)
        found.append(
            Finding(
                *(path, line, column, end_line, end_column, draft.code, draft.severity, draft.name, None),
                draft.message,
                source_line=text,
            )
        )
    return found


def _unused(path: str, source: Source, settings: Settings, heeded: Heeded, needed: frozenset[int]) -> Iterator[Draft]:
    ignored = ignored_codes(path, settings)
    for comment in comments_of(source):
        codes = codes_in(comment.text)
        silent = (*ignored, *codes)
        for code in codes if not _NOQA.startswith(silent) else ():
            # Whether a call is there that only a run shows is not known here.
            pointless = code.startswith((*ignored, DYNAMIC)) or any(each.startswith(code) for each in (*ignored, _KEEP))
            if (comment.line, code) not in heeded.codes and not pointless:
                start = comment.start + comment.text.index(code)
                message = f"`noqa: {code}` silences nothing on this line: take it out"
                yield Draft(start, start + len(code), _NOQA, WARNING, code, message)
        is_unused = says_keep(comment.text) and comment.line not in heeded.keeps | needed
        if is_unused and not _KEEP.startswith(silent):
            end = comment.start + len(comment.text)
            yield Draft(comment.start, end, _KEEP, WARNING, "", "nothing is found here that could be kept: take it out")


def _lines_that_matter(module: Module, heeded: Heeded) -> frozenset[int]:
    """The lines of functions in which a rewrite may take something out, and of imports of vLLM's."""
    lines: set[int] = set()
    for draft in heeded.drafts:
        scope = draft.change.site.scope.function().node if draft.change is not None else None
        if scope is not None and scope is not module.tree:
            first, last = getattr(scope, "lineno", 1), getattr(scope, "end_lineno", 1)
            lines.update(range(first, last + 1))
        elif draft.change is not None:
            lines.update(_lines_outside_functions(module))
    for binding in module.flow.imports:
        if binding.path.partition(".")[0] == "vllm":
            first, last = header(binding.statement)
            lines.update(range(first - 1, last + 1))
    return frozenset(lines)


def _lines_outside_functions(module: Module) -> Iterator[int]:
    import ast

    inside: set[int] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inside.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    yield from (line for line in range(1, len(module.source.line_starts) + 1) if line not in inside)
