"""What a project says of single findings: codes that a file or a line ignores, and places that stay as they are.

`# noqa: PAM102` on a line silences a code there. `# paged-attention: keep` says that a place was looked at and stays:
what is found there is a mention at most, and no edit is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from paged_attention_migrate.findings import INFO, Finding

if TYPE_CHECKING:
    import ast

    from paged_attention_migrate.module import Draft, Module
    from paged_attention_migrate.settings import Settings
    from paged_attention_migrate.source import Source

_NOQA = re.compile(r"#\s*noqa:\s*([A-Z0-9, ]+)")
_KEEP_ELSEWHERE = re.compile(r"(?:#|//|/\*|<!--|;)\s*paged-attention:\s*keep\b")
_KEEP = re.compile(r"#\s*paged-attention:\s*keep\b")


class Comment(NamedTuple):
    """A comment, its line from 1, the offset at which it begins, and whether it has its line for itself."""

    text: str
    line: int
    start: int
    alone: bool


class Heeded(NamedTuple):
    """The drafts that are left, and which remarks of the file had an effect.

    `codes` are pairs of a line and a code, as they stand in a `noqa`; `keeps` are lines of comments.
    """

    drafts: list[Draft]
    codes: frozenset[tuple[int, str]] = frozenset()
    keeps: frozenset[int] = frozenset()


def ignored_codes(path: str, settings: Settings) -> tuple[str, ...]:
    """The codes, or beginnings of codes, that the settings ignore for a file."""
    if not settings.per_file_ignores:
        return ()
    from paged_attention_migrate.files import matcher

    ignores = settings.per_file_ignores
    return tuple(code for pattern, codes in ignores if (matcher([pattern]) or bool)(path) for code in codes)


def codes_in(line: str) -> list[str]:
    """The codes of this tool, or beginnings of codes, that a line silences."""
    match = _NOQA.search(line)
    return [code for code in re.split(r"[,\s]+", match[1]) if code.startswith("PAM")] if match else []


def says_keep(text: str) -> bool:
    """Whether a text holds the remark that something is to be kept."""
    return "paged-attention:" in text and _KEEP.search(text) is not None


def is_to_be_kept(source: Source, statement: ast.stmt) -> bool:
    """Whether a remark on a statement, or directly above it, says that it is to be kept."""
    if not says_keep(source.text):
        return False
    first, last = header(statement)
    above = source.line(first - 1).lstrip() if first > 1 else ""
    return (above.startswith("#") and says_keep(above)) or any(
        says_keep(source.line(line)) for line in range(first, last + 1)
    )


def unless_kept(finding: Finding) -> Finding:
    """A finding in another language; a mention where its line says that it is to be kept."""
    if not _KEEP_ELSEWHERE.search(finding.source_line):
        return finding
    return finding._replace(severity=INFO, fix=None, reasons=("its line says that this is to be kept",))


def heeded(module: Module, drafts: Iterable[Draft]) -> Heeded:
    """The drafts that neither the settings nor a `noqa` silence; what is to be kept is a mention without an edit."""
    everywhere = ignored_codes(module.path, module.settings)
    left: list[Draft] = []
    silenced: list[Draft] = []
    used: set[tuple[int, str]] = set()
    for draft in drafts:
        line, _ = module.source.position(draft.start)
        codes = [code for code in codes_in(module.source.line(line)) if draft.code.startswith(code)]
        used.update((line, code) for code in codes)
        (silenced if codes or draft.code.startswith(everywhere) else left).append(draft)
    keeps = Keeps(module) if says_keep(module.source.text) else None
    if keeps is not None:
        for draft in left:
            place = keeps.place_of(draft)
            if place is not None:
                _keep(draft, place)
        _keep_imports_of_what_is_kept(module, left)
    declined = module.facts.declined
    for draft in left if declined else ():
        if draft.change is not None and module.source.position(draft.start) in declined:
            draft.kept, draft.fix = True, None
    if keeps is not None or declined or any(draft.change is not None for draft in silenced):
        _hold_back_what_belongs_together(module, left, silenced)
    return Heeded(left, frozenset(used), frozenset(keeps.used) if keeps is not None else frozenset())


def _keep(draft: Draft, line: int) -> None:
    draft.kept, draft.fix, draft.severity = True, None, INFO
    draft.reasons = (f"line {line} says that this is to be kept",)


def _keep_imports_of_what_is_kept(module: Module, drafts: list[Draft]) -> None:
    """An import all of whose uses are kept is kept as well."""
    kept = {draft.start for draft in drafts if draft.kept}
    for draft in drafts:
        uses = [module.span(site.node)[0] for site in module.sites if draft.binding in site.bindings]
        if draft.binding is not None and uses and kept.issuperset(uses):
            _keep(draft, module.source.position(uses[0])[0])


def _hold_back_what_belongs_together(module: Module, drafts: list[Draft], silenced: list[Draft]) -> None:
    """A draft whose partner stays as it is, silenced or kept, stays, too: one rewritten without the other is wrong."""
    staying = [draft for draft in drafts if draft.change is not None and draft.kept]
    staying += [draft for draft in silenced if draft.change is not None]
    changed = True
    while changed:
        changed = False
        for draft in drafts:
            if draft.change is None or draft.fix is None:
                continue
            partner = next((each for each in staying if each in draft.linked or draft in each.linked), None)
            if partner is not None:
                line, _ = module.source.position(partner.start)
                draft.fix, draft.reasons = None, (f"it goes together with line {line}, which is to stay as it is",)
                draft.message = f"{draft.message}; by hand, since {draft.reasons[0]}"
                staying.append(draft)
                changed = True


class Keeps:
    """The places of a module that comments say are to be kept; `used` are the lines of those that were asked for."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._comments = {each.line: each for each in comments_of(module.source)}
        self._lines = {line for line, each in self._comments.items() if _KEEP.search(each.text)}
        self.used: set[int] = set()

    def place_of(self, draft: Draft) -> int | None:
        """The line of the comment that keeps a draft's place."""
        if draft.binding is not None:
            return self.place_of_node(draft.binding.statement)
        source = self._module.source
        first, last = source.position(draft.start)[0], source.position(draft.end)[0]
        call, statement = self._around(draft.start)
        if call is not None:
            first, last = call.lineno, call.end_lineno or last
        lines = [*range(first, last + 1), *self._above(first)]
        if statement is not None:
            begin, end = header(statement)
            lines += [begin, end, *self._above(begin)]
        return self._first_of(lines)

    def place_of_node(self, node: ast.stmt) -> int | None:
        """The line of the comment that keeps a statement."""
        first, last = header(node)
        return self._first_of([*range(first, last + 1), *self._above(first)])

    def _first_of(self, lines: list[int]) -> int | None:
        found = [line for line in lines if line in self._lines]
        self.used.update(found)
        return found[0] if found else None

    def _above(self, line: int) -> Iterator[int]:
        """The lines of the comments that stand directly above a line."""
        while (line - 1) in self._comments and self._comments[line - 1].alone:
            line -= 1
            yield line

    def _around(self, offset: int) -> tuple[ast.Call | None, ast.stmt | None]:
        """The innermost call whose function is at an offset, and the innermost statement."""
        import ast

        call: ast.Call | None = None
        statement: ast.stmt | None = None
        for node in ast.walk(self._module.tree):
            if isinstance(node, ast.Call):
                start, end = self._module.span(node.func)
                call = node if start <= offset < end else call
            elif isinstance(node, ast.stmt):
                start, end = self._module.span(node)
                statement = node if start <= offset < end else statement
        return call, statement


def header(statement: ast.stmt) -> tuple[int, int]:
    """The first and last line of a statement, of one with a block those in front of the block."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(each.lineno for each in decorators)])
    body: list[ast.stmt] = getattr(statement, "body", [])
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return first, max(first, last)


def comments_of(source: Source) -> list[Comment]:
    """The comments of a file; none where it cannot be cut into tokens."""
    import io
    import tokenize

    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source.text, newline="").readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                start = source.line_starts[row - 1] + column
                alone = not source.text[source.line_starts[row - 1] : start].strip()
                found.append(Comment(token.string, row, start, alone))
    except (tokenize.TokenError, SyntaxError):
        return []
    return found
