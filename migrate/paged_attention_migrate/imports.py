"""Edits import statements: names taken out, new imports put beside or in place, in the same block.

Statements are edited by offset, so comments and everything around them stay.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from paged_attention_migrate.calls.arguments import can_go
from paged_attention_migrate.cell_marks import CellsOfLines
from paged_attention_migrate.edits import Edit, NotEditable, apply_edits, joined_separators

if TYPE_CHECKING:
    import libcst as cst

    from paged_attention_migrate.module import ParsedText
    from paged_attention_migrate.names.scopes import Scope
    from paged_attention_migrate.targets import Import, Target

_CODES = r"[A-Za-z]+\d+\b(?:\s*,\s*[A-Za-z]+\d+\b)*"
# Codes without commas between them are codes only where nothing else follows: `H100 only` says something.
_NOQA = re.compile(rf"#\s*(?i:noqa)\b(?:\s*:\s*{_CODES})?(?:(?:[\s,]*[A-Z]+\d+\b)*\W*\Z|[\s,;:.-]*(.*))")
_BLOCKS = ("body", "orelse", "finalbody")

ImportStatement = ast.Import | ast.ImportFrom


def imports_of(wanted: Iterable[Import]) -> list[tuple[str, str]]:
    """The modules to import from, in order, each with the statement that binds what is wanted of it."""
    names: dict[str, list[str]] = {}
    for each in sorted(wanted):
        name = each.function
        names.setdefault(each.module, []).append(name if each.local == name else f"{name} as {each.local}")
    return [(module, f"from {module} import {', '.join(parts)}") for module, parts in names.items()]


class ImportEdits:
    """Collects what is to happen to the imports of one module, and makes the edits."""

    def __init__(self, module: ParsedText) -> None:
        self.module = module
        self.text = module.source.text
        self.removed: dict[ImportStatement, set[ast.alias]] = {}
        self.beside: dict[ImportStatement, set[Import]] = {}
        self.before_uses: dict[ast.AST, tuple[set[Import], list[ast.AST]]] = {}
        self.removed_comments: list[str] = []
        self.shortened_comments: list[tuple[str, str]] = []
        self.dropped: list[ast.stmt] = []
        self.modules: dict[str, ast.stmt | None] = {}

    def remove(self, statement: ImportStatement, alias: ast.alias) -> None:
        """Take one name out of an import."""
        self.removed.setdefault(statement, set()).add(alias)

    def drop(self, statement: ast.stmt) -> None:
        """Take out a whole statement that is no import."""
        self.dropped.append(statement)

    def add_beside(self, statement: ImportStatement, wanted: Import) -> None:
        """Import a surviving function in the block of `statement`."""
        self.beside.setdefault(statement, set()).add(wanted)

    def add_before(self, scope: Scope, node: ast.AST, wanted: Import) -> None:
        """Import in the function around `scope`, in the branch that holds every use there, `node` among them."""
        function = scope.function()
        while isinstance(function.node, ast.Lambda) and function.parent is not None:
            function = function.parent.function()
        every, nodes = self.before_uses.setdefault(function.node, (set(), []))
        every.add(wanted)
        nodes.append(node)

    def add_module(self, name: str, beside: Iterable[ast.stmt]) -> None:
        """Import a module at the top of the file, in front of the first of some statements that stands there."""
        at_top = [statement for statement in beside if statement in self.module.tree.body]
        self.modules[name] = self.modules.get(name) or min(at_top, key=lambda node: node.lineno, default=None)

    def edits(self) -> list[Edit]:
        """All edits to the imports."""
        self._merge_blocks()
        made: list[Edit] = []
        statements = sorted({*self.removed, *self.beside}, key=lambda node: (node.lineno, node.col_offset))
        for statement in statements:
            made.extend(self._edit(statement))
        for node, (wanted, uses) in self.before_uses.items():
            made += [self._insert_before(node, new, uses) for _, new in imports_of(wanted)]
        made += [self._take_out(statement, *self.module.span(statement)) for statement in self.dropped]
        made += [self._insert_import(name, statement) for name, statement in self.modules.items()]
        return made

    def _merge_blocks(self) -> None:
        """One import a block, in a notebook also a cell: the first statement's place serves the later ones."""
        first_in: dict[tuple[int, int], ImportStatement] = {}
        cells = CellsOfLines(self.text)
        for statement in sorted(self.beside, key=lambda node: (node.lineno, node.col_offset)):
            block, _ = self._block_of(statement)
            first = first_in.setdefault((id(block), cells.of(statement.lineno)), statement)
            if first is not statement:
                extra = self.beside[statement] & self.beside[first]
                self.beside[statement] -= extra
                if not self.beside[statement]:
                    del self.beside[statement]

    def _block_of(self, statement: ast.stmt) -> tuple[list[ast.stmt], int]:
        parent = self.module.parent(statement)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(parent, field, None)
            if isinstance(block, list) and statement in block:
                return block, block.index(statement)
        raise NotEditable("an import stands in a place that is not known")

    def _edit(self, statement: ImportStatement) -> list[Edit]:
        start, end = self.module.span(statement)
        gone = self.removed.get(statement, set())
        added = imports_of(self.beside.get(statement, ()))
        if len(gone) == len(statement.names):
            if added:
                return [self._swap(start, end, [new for _, new in added])]
            return [self._take_out(statement, start, end)]
        made = []
        if gone:
            kept = [alias not in gone for alias in statement.names]
            new = _without_names(self.text[start:end], kept)
            self._note_noqa(self.text[start:end], new)
            made.append(Edit(start, end, new))
        made += [self._insert_beside(statement, module, new) for module, new in added]
        return _one_edit_a_place(made)

    def _note_noqa(self, before: str, after: str) -> None:
        """Note which comments went, or lost their `noqa`, with the names that they spoke of."""
        new = Counter(_comments_of(after))
        for comment in (Counter(_comments_of(before)) - new).elements():
            rest = without_noqa(comment)
            if rest != comment:
                self._note_shortened(comment, rest)

    def _note_shortened(self, comment: str, rest: str) -> None:
        if rest:
            self.shortened_comments.append((comment, rest))
        else:
            self.removed_comments.append(comment)

    def _swap(self, start: int, end: int, new: list[str]) -> Edit:
        indent = self._indent(start)
        above = ""
        for comment in _comments_of(self.text[start:end]):
            rest = without_noqa(comment)
            rest = "" if _is_pragma(rest) else rest
            above += f"{rest}{self.newline(start)}{indent}" if rest else ""
            if rest != comment:
                self._note_shortened(comment, rest)
        return Edit(start, end, above + f"{self.newline(start)}{indent}".join(new))

    def _take_out(self, statement: ast.stmt, start: int, end: int) -> Edit:
        block, _ = self._block_of(statement)
        text = self.text
        line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        rest = re.compile(r"[ \t\f]*(#[^\r\n]*)?(\r\n|\r|\n|\Z)").match(text, end)
        alone = len(block) == 1
        if rest is None or text[line_start:start].strip():
            if alone or rest is None:
                return Edit(start, end, "pass")
            raise NotEditable("the import shares its line with another statement")
        if alone:
            return Edit(start, end, "pass")
        self.removed_comments += _comments_of(text[start:end])
        if rest[1]:
            self.removed_comments.append(rest[1].rstrip())
        return Edit(line_start, rest.end() + self._blank_lines_too_many(line_start, rest.end()), "")

    def _blank_lines_too_many(self, start: int, end: int) -> int:
        """How much of the blank lines behind a removed statement would double those in front of it."""
        behind = re.compile(r"(?:[ \t\f]*(?:\r\n|\r|\n))*").match(self.text, end)
        assert behind is not None
        lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)", behind[0])
        in_front = re.search(r"(?:\A|\r\n|\r|\n)((?:[ \t\f]*(?:\r\n|\r|\n))*)\Z", self.text[:start])
        count = len(re.findall(r"\r\n|\r|\n", in_front[1])) if in_front else 0
        if not self.text[:start].strip():
            count = len(lines)
        return sum(len(line) for line in lines[: min(count, len(lines))])

    def _insert_beside(self, statement: ImportStatement, module: str, new: str) -> Edit:
        sorts_after = (
            isinstance(statement, ast.ImportFrom) and not statement.level and (statement.module or "") > module
        )
        if sorts_after and not self._comment_above(statement) and self._starts_line(statement):
            return self._before(statement, new)
        block, index = self._block_of(statement)
        while index + 1 < len(block) and self._sorts_before(block[index], block[index + 1], module):
            index += 1
        return self._after(block[index], new)

    def _sorts_before(self, statement: ast.stmt, following: ast.stmt, module: str) -> bool:
        """Whether the next statement is an import of the same run that belongs before one of a module."""
        if following.lineno != (statement.end_lineno or 0) + 1 or self._comment_above(following):
            return False
        if isinstance(following, ast.Import):
            return True
        return isinstance(following, ast.ImportFrom) and not following.level and (following.module or "") < module

    def _starts_line(self, statement: ast.stmt) -> bool:
        start, _ = self.module.span(statement)
        return not self.text[self._line_start(start) : start].strip()

    def _comment_above(self, statement: ast.stmt) -> bool:
        return statement.lineno > 1 and self.module.source.line(statement.lineno - 1).lstrip().startswith("#")

    def _before(self, statement: ast.stmt | ast.expr, new: str) -> Edit:
        start, _ = self.module.span(statement)
        return Edit(start, start, f"{new}{self.newline(start)}{self._indent(start)}")

    def _after(self, statement: ast.stmt, new: str) -> Edit:
        start, end = self.module.span(statement)
        if not self._starts_line(statement):
            return Edit(start, start, f"{new}; ")
        line_end = re.compile(r"[^\r\n]*").match(self.text, end)
        assert line_end is not None
        rest = self.text[end : line_end.end()].strip()
        if rest and not rest.startswith("#"):
            return Edit(start, start, f"{new}{self.newline(start)}{self._indent(start)}")
        return Edit(line_end.end(), line_end.end(), f"{self.newline(start)}{self._indent(start)}{new}")

    def _insert_before(self, node: ast.AST, new: str, uses: list[ast.AST]) -> Edit:
        if isinstance(node, ast.Module):
            return self._insert_in_module(node, new)
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        statement = self._branch_of(node, uses) or next((each for each in node.body if not _is_docstring(each)), None)
        if statement is None or not self._starts_line(statement):
            raise NotEditable(f"`{node.name}` has its body on the line of its `def`")
        return self._before(_first_line_of(statement), new)

    def _branch_of(self, function: ast.AST, uses: list[ast.AST]) -> ast.stmt | None:
        """The first statement of the innermost branch, outside loops, that holds every use; None at function level."""
        common: list[tuple[ast.AST, str]] | None = None
        for use in uses:
            branches: list[tuple[ast.AST, str]] = []
            inner = use
            for outer in self.module.ancestors(use):
                if isinstance(outer, (ast.If, ast.Try, ast.With, ast.ExceptHandler)):
                    branches += [(outer, field) for field in _BLOCKS if inner in getattr(outer, field, ())]
                elif isinstance(outer, (ast.For, ast.AsyncFor, ast.While)):
                    branches = []
                inner = outer
                if outer is function:
                    break
            common = branches if common is None else [each for each in common if each in branches]
        if not common:
            return None
        owner, field = common[0]
        statements: list[ast.stmt] = getattr(owner, field)
        return statements[0]

    def _insert_import(self, name: str, statement: ast.stmt | None) -> Edit:
        if statement is None or self._comment_above(statement) or not self._starts_line(statement):
            return self._insert_in_module(self.module.tree, f"import {name}")
        return self._before(statement, f"import {name}")

    def _insert_in_module(self, tree: ast.Module, new: str) -> Edit:
        imports = []
        for statement in tree.body:
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                imports.append(statement)
            elif not _is_docstring(statement):
                break
        if imports:
            return self._after(imports[-1], new)
        if not tree.body:
            raise NotEditable("there is no place for the import")
        if _is_docstring(tree.body[0]):
            edit = self._after(tree.body[0], new)
            newline = self.newline(0)
            return Edit(edit.start, edit.end, newline + edit.new)
        return self._before(_first_line_of(tree.body[0]), new)

    def _line_start(self, offset: int) -> int:
        return max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset)) + 1

    def _indent(self, offset: int) -> str:
        match = re.compile(r"[ \t\f]*").match(self.text, self._line_start(offset))
        assert match is not None
        return match[0]

    def newline(self, offset: int) -> str:
        """How the line at an offset ends."""
        match = re.compile(r"\r\n|\r|\n").search(self.text, offset) or re.compile(r"\r\n|\r|\n").search(self.text)
        return match[0] if match else "\n"


def with_equal_imports_joined(text: str, target: Target) -> str:
    """`try` and `if` statements whose every way is the same import of the target become that import."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text
    from paged_attention_migrate.source import line_starts, offset_at

    starts = line_starts(text)
    edits = []
    for node in ast.walk(tree):
        ways = _ways_of(node)
        only = ways[0][0] if ways and all(len(way) == 1 for way in ways) else None
        if not isinstance(node, ast.stmt) or not isinstance(only, ast.ImportFrom) or only.module != target.module:
            continue
        if {alias.name for alias in only.names} != {target.function}:
            continue
        if len({ast.dump(way[0]) for way in ways}) > 1:
            continue
        start = offset_at(text, starts, node.lineno, node.col_offset)
        end = offset_at(text, starts, node.end_lineno or 0, node.end_col_offset or 0)
        inside = text[start:end]
        if not _comments_of(inside):
            first = offset_at(text, starts, only.lineno, only.col_offset)
            last = offset_at(text, starts, only.end_lineno or 0, only.end_col_offset or 0)
            edits.append(Edit(start, end, text[first:last]))
    try:
        return apply_edits(text, edits)
    except NotEditable:
        return text


def _ways_of(node: ast.AST) -> list[list[ast.stmt]]:
    """The blocks of which exactly one is run to its end, where running another instead changes nothing."""
    if isinstance(node, ast.Try) and not node.orelse and not node.finalbody and node.handlers:
        return [node.body, *(handler.body for handler in node.handlers)]
    if isinstance(node, ast.If) and node.orelse and (can_go(node.test) or _compares_versions(node.test)):
        return [node.body, node.orelse]
    return []


def _compares_versions(test: ast.expr) -> bool:
    """`Version(vllm.__version__) >= Version("0.4.1")`."""
    if not isinstance(test, ast.Compare):
        return False
    return all(_is_version(side) for side in (test.left, *test.comparators))


def _is_version(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return can_go(node)
    made = ast.unparse(node.func).rpartition(".")[2] in {"Version", "parse"}
    return made and not node.keywords and all(can_go(argument) for argument in node.args)


def _first_line_of(statement: ast.stmt) -> ast.stmt | ast.expr:
    decorators = getattr(statement, "decorator_list", None)
    return decorators[0] if decorators else statement


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _one_edit_a_place(edits: list[Edit]) -> list[Edit]:
    """Join insertions in front of a statement with the edit of the statement itself."""
    if not edits or edits[0].start == edits[0].end:
        return edits
    first, *others = edits
    in_front = [edit.new for edit in others if edit.start == edit.end == first.start]
    behind = [edit for edit in others if edit.start != first.start]
    return [Edit(first.start, first.end, "".join([*in_front, first.new])), *behind]


def _comments_of(text: str) -> list[str]:
    import io
    import tokenize

    try:
        return [
            token.string
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.COMMENT
        ]
    except (tokenize.TokenError, SyntaxError):
        return []


def _is_pragma(comment: str) -> bool:
    return bool(re.match(r"#\s*(type:|pylint:|isort:|pyright:|nosec|mypy:)", comment))


def without_noqa(comment: str) -> str:
    """What a comment says behind `# noqa: CODES`; nothing for one that says no more, all of one that says none."""
    match = _NOQA.match(comment)
    while match:
        rest = (match[1] or "").strip()
        comment = rest if rest.startswith("#") or not rest else f"# {rest}"
        match = _NOQA.match(comment)
    return comment


def _without_names(text: str, kept: list[bool]) -> str:
    """An import statement without some of its names, laid out as before."""
    import libcst

    newline = "\r\n" if "\r\n" in text else "\n"
    module = libcst.parse_module(text, libcst.PartialParserConfig(default_newline=newline))
    line = module.body[0]
    assert isinstance(line, libcst.SimpleStatementLine)
    statement = line.body[0]
    assert isinstance(statement, (libcst.Import, libcst.ImportFrom))
    assert not isinstance(statement.names, libcst.ImportStar)
    names = list(statement.names)
    bracket = statement.lpar.whitespace_after if isinstance(statement, libcst.ImportFrom) and statement.lpar else None
    closing_comma = isinstance(names[-1].comma, libcst.Comma)
    result: list[cst.ImportAlias] = []
    pending: list[cst.BaseParenthesizableWhitespace] = []
    for name, stays in zip(names, kept, strict=True):
        if stays and pending:
            if result:
                result[-1] = _spaced(result[-1], joined_separators(_without_their_noqa([_space(result[-1]), *pending])))
            elif bracket is not None:
                bracket = joined_separators(_without_their_noqa([bracket, *pending]))
            pending = []
        if stays:
            result.append(name)
        else:
            pending.append(_space(name))
    around = [_space(result[-1]), *pending]
    if pending and closing_comma:
        result[-1] = _spaced(result[-1], joined_separators(_without_their_noqa(around), closing=True))
    elif pending:
        result[-1] = result[-1].with_changes(comma=libcst.MaybeSentinel.DEFAULT)
        if isinstance(statement, libcst.ImportFrom) and statement.rpar is not None:
            separators = _without_their_noqa([*around, statement.rpar.whitespace_before])
            space = joined_separators(separators, closing=True)
            statement = statement.with_changes(rpar=statement.rpar.with_changes(whitespace_before=space))
    changed = statement.with_changes(names=result)
    if bracket is not None and isinstance(changed, libcst.ImportFrom) and changed.lpar is not None:
        changed = changed.with_changes(lpar=changed.lpar.with_changes(whitespace_after=bracket))
    return module.code_for_node(changed)


def _without_their_noqa(
    separators: list[cst.BaseParenthesizableWhitespace],
) -> list[cst.BaseParenthesizableWhitespace]:
    """The separators behind a kept name and removed ones without the `noqa` on lines that held removed names alone."""
    import libcst

    found: list[cst.BaseParenthesizableWhitespace] = []
    on_their_own_line = False
    for space in separators:
        if isinstance(space, libcst.ParenthesizedWhitespace):
            comment = space.first_line.comment
            if on_their_own_line and comment is not None:
                rest = without_noqa(comment.value)
                plain = space.first_line.with_changes(comment=None, whitespace=libcst.SimpleWhitespace(""))
                line = space.first_line.with_changes(comment=comment.with_changes(value=rest)) if rest else plain
                space = space.with_changes(first_line=line)
            on_their_own_line = True
        found.append(space)
    return found


def _space(name: cst.ImportAlias) -> cst.BaseParenthesizableWhitespace:
    import libcst

    return name.comma.whitespace_after if isinstance(name.comma, libcst.Comma) else libcst.SimpleWhitespace("")


def _spaced(name: cst.ImportAlias, space: cst.BaseParenthesizableWhitespace) -> cst.ImportAlias:
    import libcst

    comma = name.comma if isinstance(name.comma, libcst.Comma) else libcst.Comma()
    return name.with_changes(comma=comma.with_changes(whitespace_after=space))
