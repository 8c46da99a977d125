"""Turns the accepted drafts of one module into its new text."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from paged_attention_migrate.edits import Edit, NotEditable, apply_edits, rewrite_call
from paged_attention_migrate.findings import SAFE, UNSAFE
from paged_attention_migrate.imports import ImportEdits, with_equal_imports_joined
from paged_attention_migrate.module import FUNCTIONS, Change, Draft, Module, ParsedText
from paged_attention_migrate.names.scopes import Scope
from paged_attention_migrate.names.values import ImportBinding, Reference
from paged_attention_migrate.silencing import is_to_be_kept, says_keep
from paged_attention_migrate.simplify import Dropped, numbered_scopes, simplify

if TYPE_CHECKING:
    from paged_attention_migrate.calls.verdict import Plan
    from paged_attention_migrate.targets import Import, Target

IsExported = Callable[[str], bool]

_TAKE_TYPES = frozenset({"cast", "TypeVar", "NewType", "ForwardRef"})
_LOOK_UP = frozenset({"eval", "exec", "globals", "locals", "vars"})


class WrittenCall(NamedTuple):
    """One call as it was given to the rewrite and as it came out."""

    line: int
    target: Target
    plan: Plan
    before: str
    after: str
    is_partial: bool  # the first argument is the function itself


class Rewritten(NamedTuple):
    """The new text of a module, the drafts that it settles, and what was taken out on the way.

    `names` are what rewritten sites call the targets. `shortened_comments` are comments that lost their `noqa`, and
    what is left of each.
    """

    text: str
    drafts: tuple[Draft, ...]
    names: tuple[tuple[Target, str], ...]
    notes: tuple[str, ...] = ()
    removed_comments: tuple[str, ...] = ()
    calls: tuple[WrittenCall, ...] = ()
    shortened_comments: tuple[tuple[str, str], ...] = ()


def acceptable(drafts: Iterable[Draft], unsafe: bool) -> list[Draft]:
    """The drafts whose edits may be made, with all that they depend on."""
    drafts = list(drafts)
    levels = {SAFE, UNSAFE} if unsafe else {SAFE}
    chosen = [draft for draft in drafts if draft.change is not None and draft.fix in levels]
    linked_to: dict[int, list[Draft]] = {}
    for draft in drafts:
        for other in draft.linked:
            linked_to.setdefault(id(other), []).append(draft)
    while True:
        taken = {id(draft) for draft in chosen}
        kept = [
            draft
            for draft in chosen
            if all(other.change is None or id(other) in taken for other in draft.linked)
            and all(id(owner) in taken for owner in linked_to.get(id(draft), ()))
            and (id(draft) in linked_to or not _is_derived(draft))
        ]
        if len(kept) == len(chosen):
            return chosen
        chosen = kept


def _is_derived(draft: Draft) -> bool:
    return draft.change is not None and draft.change.site.form == "derived"


class Rewriting:
    """One attempt at rewriting a module with a set of drafts."""

    def __init__(
        self,
        module: Module,
        drafts: list[Draft],
        every_draft: list[Draft],
        is_exported: IsExported,
        unsafe: bool,
    ) -> None:
        self.module = module
        self.drafts = drafts
        self.every_draft = every_draft
        self.is_exported = is_exported
        self.unsafe = unsafe
        self.imports = ImportEdits(module)
        self.edits: list[Edit] = []
        self.settled: list[Draft] = list(drafts)
        self.names: dict[str, _Name] = {}
        self.spelled: dict[tuple[str, str], Target] = {}
        self.done = {draft.change.site.node: draft.change for draft in drafts if draft.change is not None}
        self.renamed: dict[ast.AST, str] = {}
        self.placeholders: set[tuple[int, str, str]] = set()
        self.calls: list[WrittenCall] = []
        self.through_module: dict[ast.AST, str] = {}

    def decide(self) -> list[tuple[Change, str | None]]:
        """Settle how every site will name the function, and which imports come and go."""
        self._imported_names()
        sites = [(draft.change, self._callee(draft.change)) for draft in self.drafts if draft.change is not None]
        self._unused_bindings()
        return sites

    def run(self, simplified: bool) -> Rewritten:
        """Make all edits; raises NotEditable."""
        # Inner calls first: an outer one is rewritten from the text that they leave.
        for change, callee in sorted(self.decide(), key=lambda item: self._length(item[0])):
            self._edit_site(change, callee)
        text = apply_edits(self.module.source.text, [*self.edits, *self.imports.edits()])
        comments = tuple(self.imports.removed_comments)
        shortened = tuple(self.imports.shortened_comments)
        notes: tuple[str, ...] = ()
        if simplified:
            own = (local for _, local in self.spelled)
            spellings = frozenset(
                {*own, *self.renamed.values(), *self.through_module.values(), *_aliases(self.imports)}
            )
            result = simplify(text, self._dropped(), spellings)
            if _with_what_follows_keeps(result.text) == _with_what_follows_keeps(text):
                text, notes = result.text, result.notes
                comments += result.removed_comments
            for target in {target.path: target for target in self.spelled.values()}.values():
                text = with_equal_imports_joined(text, target)
            text, imports = without_unused_imports(self.module, text, self.is_exported)
            comments += tuple(imports.removed_comments if imports else ())
            shortened += tuple(imports.shortened_comments if imports else ())
        names = tuple((target, local) for (_, local), target in self.spelled.items())
        return Rewritten(text, tuple(self.settled), names, notes, comments, tuple(self.calls), shortened)

    def _name_of(self, target: Target) -> _Name:
        """The name that rewritten sites use for a target."""
        known = self.names.get(target.path)
        if known is None:
            gone = frozenset(alias for aliases in self.imports.removed.values() for alias in aliases)
            known = self.names[target.path] = _Name(target, *_local_name(self.module, target, gone))
        return known

    # Names that a from-import binds

    def _imported_names(self) -> None:
        for binding in self.module.flow.imports:
            found = self.module.entry(binding.path)
            if found is None or found[0].family not in FUNCTIONS or binding.star:
                continue
            target = self.module.target_for(found[0])
            if not target.is_there or (target.doubt and not self.unsafe):
                continue
            changes = target.changes_arguments(found[0])
            if (binding.reexported and not changes) or is_to_be_kept(self.module.source, binding.statement):
                continue
            if self._is_for_type_checkers(binding) or (self.module.facts.in_cells and self._depends_on_order(binding)):
                continue
            if self.module.is_document and self._only_shown(binding):
                continue
            self._imported_name(binding, target, changes)

    def _is_for_type_checkers(self, binding: ImportBinding) -> bool:
        """Whether `import X as X` in a stub hands the name on, which an import under another name would not."""
        return self.module.path.lower().endswith(".pyi") and binding.alias.asname == binding.alias.name

    def _depends_on_order(self, binding: ImportBinding) -> bool:
        from paged_attention_migrate.notebooks.order import bound_in_cells

        return bound_in_cells(self.module, binding.local) is not None

    def _only_shown(self, binding: ImportBinding) -> bool:
        from paged_attention_migrate.documents.doubts import is_only_shown

        return is_only_shown(self.module, binding)

    def _imported_name(self, binding: ImportBinding, target: Target, changes_arguments: bool) -> None:
        uses = [
            node
            for node in dict.fromkeys(binding.owner.loads.get(binding.local, ()))
            if any(_came_through(value, binding) for value in self._values(node))
        ]
        left = [node for node in uses if node not in self.done]
        exported = self._is_exported(binding)
        quoted = binding.local in self._quoted
        if (
            left
            or (changes_arguments and quoted)
            or (not uses and changes_arguments and (exported or not self._is_probe(binding)))
            or (changes_arguments and exported)
        ):
            return
        if binding.reexported and not uses:
            return
        stores = self._placeholders(binding)
        # In a class body the name is an attribute; after `global` the statement and other functions name it.
        seen_from_outside = binding.scope.is_class or binding.owner is not binding.scope
        deleted = any(isinstance(node.ctx, ast.Del) for node in binding.owner.loads.get(binding.local, ()))
        seen_from_outside = seen_from_outside or deleted or quoted
        keeps = binding.alias.asname is not None or exported or stores is None or seen_from_outside
        self.imports.remove(binding.statement, binding.alias)
        keeps = keeps or binding.local == target.function
        local = binding.local if keeps else self._name_of(target).local
        for node in uses:
            self.renamed[node] = local
        if not keeps:
            self._rename_placeholders(stores or [], local)
        self.spelled[target.path, local] = target
        self.imports.add_beside(binding.statement, target.as_name(local))
        self._settle_import(binding)

    @cached_property
    def _quoted(self) -> set[str]:
        """The names that strings use as code: quoted annotations, and any word where the module looks names up."""
        tree = self.module.tree
        return words_in_strings(tree) if looks_names_up(tree) else names_in_annotations(tree)

    def _values(self, node: ast.AST) -> Iterable[object]:
        seen = self.module.flow.seen.get(node)
        return seen[0] if seen else ()

    def _is_probe(self, binding: ImportBinding) -> bool:
        """An unused import inside a `try` asks whether the function is there."""
        return binding.scope.is_function or any(
            isinstance(outer, ast.Try) for outer in self.module.ancestors(binding.statement)
        )

    def _is_exported(self, binding: ImportBinding) -> bool:
        if binding.scope is not self.module.flow.module_scope:
            return False
        listed = {
            part.value
            for statement in self.module.tree.body
            if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and "__all__" in ast.dump(statement)
            for part in ast.walk(statement)
            if isinstance(part, ast.Constant)
        }
        unused = not binding.owner.loads.get(binding.local)
        return (
            binding.local in listed
            or self.is_exported(binding.local)
            or (unused and not self._is_probe(binding))
            or self.module.facts.is_package
        )

    def _placeholders(self, binding: ImportBinding) -> list[ast.Name] | None:
        """Other bindings of the same name that only say "not there"; None when one says something else."""
        found = []
        for node in binding.owner.stores.get(binding.local, ()):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                other = next(
                    (
                        each
                        for each in self.module.flow.imports
                        if each.statement is node and each.local == binding.local
                    ),
                    None,
                )
                if other is None or self.module.entry(other.path) is None:
                    return None
                continue
            parent = self.module.parent(node)
            is_none = (
                isinstance(parent, ast.Assign) and isinstance(parent.value, ast.Constant) and not parent.value.value
            )
            if not isinstance(node, ast.Name) or not is_none:
                return None
            found.append(node)
        return found

    def _rename_placeholders(self, stores: list[ast.Name], local: str) -> None:
        for node in stores:
            if node in self.renamed:
                continue
            self.renamed[node] = local
            statement = self.module.parent(node)
            block = self.module.parent(statement) if statement is not None else None
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                key = id(block), local, ast.dump(statement.value)
                if key in self.placeholders:
                    self.imports.drop(statement)
                    continue
                self.placeholders.add(key)
            elif isinstance(statement, ast.Assign) and self._has_target_already(statement, node, local):
                following = statement.targets[statement.targets.index(node) + 1 :] or [statement.value]
                self.edits.append(Edit(self.module.span(node)[0], self.module.span(following[0])[0], ""))
                continue
            self.edits.append(Edit(*self.module.span(node), local))

    def _has_target_already(self, statement: ast.Assign, node: ast.Name, local: str) -> bool:
        """Whether `a = b = None` has become a name twice."""
        return any(target is not node and self.renamed.get(target) == local for target in statement.targets)

    def _settle_import(self, binding: ImportBinding) -> None:
        self.settled.extend(draft for draft in self.every_draft if draft.binding is binding)

    # Sites

    def _edit_site(self, change: Change, callee: str | None) -> None:
        site = change.site
        if change.call is None or change.plan is None or (change.plan.is_identity and not change.in_partial):
            if callee is not None:
                self.edits.append(Edit(*self.module.span(site.node), callee))
            return
        start, end = self.module.span(change.call)
        inner = [edit for edit in self.edits if start <= edit.start and edit.end <= end]
        self.edits = [edit for edit in self.edits if edit not in inner]
        text = self.module.source.text[start:end]
        before = apply_edits(text, [Edit(edit.start - start, edit.end - start, edit.new) for edit in inner])
        after = rewrite_call(before, callee, change.plan, change.in_partial)
        target = self.module.target_for(site.name)
        self.calls.append(WrittenCall(change.call.lineno, target, change.plan, before, after, change.in_partial))
        self.edits.append(Edit(start, end, after))
        if change.plan.before:
            self._put_before(change.call, change.plan.before)
            for name in change.plan.imports:
                self.imports.add_module(name, (binding.statement for binding in site.bindings))

    def _put_before(self, call: ast.Call, statements: tuple[str, ...]) -> None:
        """Statements in front of the one that a call is, or returns."""
        statement = self.module.parent(call)
        assert isinstance(statement, ast.stmt)
        start, _ = self.module.span(statement)
        text = self.module.source.text
        first = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        newline = self.imports.newline(start)
        self.edits.append(Edit(start, start, "".join(f"{each}{newline}{text[first:start]}" for each in statements)))

    def _length(self, change: Change) -> int:
        start, end = self.module.span(change.call or change.site.node)
        return end - start

    def _callee(self, change: Change) -> str | None:
        """How the site names the surviving function; None when its text stays."""
        site = change.site
        target = self.module.target_for(site.name)
        if site.form == "derived" or (site.handed_on and not target.changes_arguments(site.name)):
            return None
        if site.node in self.renamed:
            assert isinstance(site.node, ast.Name)
            return None if self.renamed[site.node] == site.node.id else self.renamed[site.node]
        if site.form == "attribute" and {entry.home.path for entry in site.entries} == {target.module}:
            assert isinstance(site.node, ast.Attribute)
            self.through_module[site.node] = f"{ast.unparse(site.node.value)}.{target.function}"
            return self.through_module[site.node]
        name = self._name_of(target)
        self.spelled[target.path, name.local] = target
        if not name.is_there:
            self._bring_import(site.scope, site.node, site.bindings, target.as_name(name.local))
        return name.local

    def _bring_import(self, scope: Scope, node: ast.AST, bindings: list[ImportBinding], wanted: Import) -> None:
        visible = [binding for binding in bindings if _encloses(binding.scope, scope)]
        for binding in visible:
            self.imports.add_beside(binding.statement, wanted)
        if not visible:
            self.imports.add_before(scope, node, wanted)

    # Imports that nothing needs any more

    def _unused_bindings(self) -> None:
        touched = {binding for change in self.done.values() for binding in change.site.bindings}
        library_needed = self._needs_library()
        for binding in touched:
            found = self.module.entry(binding.path)
            if found is not None and found[0].family in FUNCTIONS:
                continue
            if self._still_used(binding) or self._is_protected(binding, library_needed):
                continue
            self.imports.remove(binding.statement, binding.alias)
            if binding.path != "torch":
                self._move_placeholders(binding)
            self._settle_import(binding)
        self._unused_parts_of_dead_modules()

    def _unused_parts_of_dead_modules(self) -> None:
        """A name of a dead module that nothing uses goes with another import of its block that goes."""
        blocks = {id(self.module.parent(statement)) for statement in self.imports.removed}
        for binding in self.module.flow.imports:
            found = self.module.entry(binding.path)
            if found is None or found[0].family != "module" or found[0].moved or binding.owner.loads.get(binding.local):
                continue
            if binding.alias in self.imports.removed.get(binding.statement, ()):
                continue
            beside = id(self.module.parent(binding.statement)) in blocks
            if beside and not self._is_protected(binding, False, unused=True):
                self.imports.remove(binding.statement, binding.alias)
                self._settle_import(binding)

    def _still_used(self, binding: ImportBinding) -> bool:
        moved = (node for node in self.done if node not in self.through_module)
        consumed = {root for node in moved if (root := _root(node)) is not None}
        loads = binding.owner.loads.get(binding.local, ())
        return any(node not in consumed for node in loads)

    def _is_protected(self, binding: ImportBinding, library_needed: bool, unused: bool = False) -> bool:
        if binding.path.partition(".")[0] == "torch" or binding.scope.is_class:
            return True
        if is_to_be_kept(self.module.source, binding.statement) or self._is_for_type_checkers(binding):
            return True
        if binding.local in words_in_strings(self.module.tree) or looks_names_up(self.module.tree):
            return True
        line = self.module.source.line(binding.statement.end_lineno or binding.statement.lineno)
        if "noqa" in line and "F401" in line:
            return True
        if library_needed and binding.path.startswith("vllm."):
            return True
        # An import of a dead module that nothing used serves nobody who imports from here either.
        exported = (
            self.is_exported(binding.local) or self.module.facts.is_package if unused else self._is_exported(binding)
        )
        placeholders = self._placeholders_of_module(binding)
        several = len({each._replace(local="") for each in self.imports.beside.get(binding.statement, ())}) > 1
        return exported or placeholders is None or (several and bool(placeholders))

    def _placeholders_of_module(self, binding: ImportBinding) -> list[ast.Name] | None:
        found = []
        for node in binding.owner.stores.get(binding.local, ()):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            parent = self.module.parent(node)
            if (
                not isinstance(node, ast.Name)
                or not isinstance(parent, ast.Assign)
                or not isinstance(parent.value, ast.Constant)
            ):
                return None
            found.append(node)
        return found

    def _move_placeholders(self, binding: ImportBinding) -> None:
        beside = self.imports.beside.get(binding.statement, ())
        for name in [name for name in self.names.values() if name.target.as_name(name.local) in beside]:
            placeholders = self._placeholders_of_module(binding) or []
            self._rename_placeholders([node for node in placeholders if node not in self.renamed], name.local)

    def _needs_library(self) -> bool:
        """Whether operators of vLLM's library are used beyond the rewritten sites."""
        inner = {each for node in self.done for each in ast.walk(node)}
        for node, (values, _) in self.module.flow.seen.items():
            if node in inner or not isinstance(node, ast.Attribute):
                continue
            if any(
                isinstance(value, Reference) and value.path.startswith(("torch.ops._C", "torch.ops.vllm"))
                for value in values
            ):
                return True
        return False

    def _text_of(self, node: ast.AST) -> str:
        """The text of a function, of the whole module for the module."""
        if not hasattr(node, "lineno"):
            return self.module.source.text
        first, last = self.module.span(node)
        end = self.module.source.text.find("\n", last)
        return self.module.source.text[first : end if end >= 0 else None]

    def _dropped(self) -> list[Dropped]:
        numbers = {node: number for number, node in enumerate(numbered_scopes(self.module.tree))}
        names: dict[int, list[str]] = {}
        for change in self.done.values():
            for expression in change.scratch:
                if isinstance(expression, ast.Name):
                    owner = change.site.scope.owner(expression.id)
                    if owner is not None and owner.function().node in numbers:
                        names.setdefault(numbers[owner.function().node], []).append(expression.id)
            own = change.site.scope.function().node
            names.setdefault(numbers.get(own, 0), [])
        for node, number in numbers.items() if says_keep(self.module.source.text) else ():
            if number in names and says_keep(self._text_of(node)):
                del names[number]
        return [Dropped(number, tuple(dict.fromkeys(each))) for number, each in sorted(names.items())]


def _with_what_follows_keeps(text: str) -> list[str]:
    """The lines with a remark that something is to be kept, each with the line below it."""
    if not says_keep(text):
        return []
    lines = [line.strip() for line in text.splitlines()]
    return [f"{line}\n{below}" for line, below in pairwise([*lines, ""]) if says_keep(line)]


def looks_names_up(tree: ast.Module) -> bool:
    """Whether a module may reach its names in a way that no reader sees."""
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _LOOK_UP
        for node in ast.walk(tree)
    )


def words_in_strings(tree: ast.Module) -> set[str]:
    """The identifiers in strings that are no docstrings: quoted annotations, code for `eval`, names to look up."""
    prose = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return {
        word
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in prose
        for word in re.findall(r"\w+", node.value)
    }


def names_in_annotations(tree: ast.Module) -> set[str]:
    """The identifiers in the strings of annotations, and in those that `cast` takes for types."""
    holders: list[ast.AST | None] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.AnnAssign, ast.arg)):
            holders.append(node.annotation)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            holders.append(node.returns)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in _TAKE_TYPES:
            holders += node.args
    return {
        word
        for holder in holders
        if holder is not None
        for part in ast.walk(holder)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
        for word in re.findall(r"\w+", part.value)
    }


def _aliases(imports: ImportEdits) -> set[str]:
    return {each.local for beside in imports.beside.values() for each in beside}


def _came_through(value: object, binding: ImportBinding) -> bool:
    return isinstance(value, Reference) and value.binding is not None and value.binding.alias is binding.alias


def _root(node: ast.AST) -> ast.Name | None:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node if isinstance(node, ast.Name) else None


def _encloses(outer: Scope, inner: Scope) -> bool:
    """Whether names of `outer` are visible in `inner`."""
    scope: Scope | None = inner
    first = True
    while scope is not None:
        if scope is outer:
            return first or not scope.is_class
        first = False
        scope = scope.parent
    return False


class _Name(NamedTuple):
    """What rewritten sites call a target, and whether the module has that name already."""

    target: Target
    local: str
    is_there: bool


def _local_name(module: Module, target: Target, gone: frozenset[ast.alias]) -> tuple[str, bool]:
    """The name that rewritten sites use, and whether the module has it; `gone` are imports that are replaced."""
    for binding in module.flow.imports:
        if binding.path == target.path and binding.statement in module.tree.body:
            return binding.local, True
    own = target.function
    taken = own in module.flow.undefined or any(own in scope.bound for scope in module.flow.scopes)
    theirs = [binding for binding in module.flow.imports if binding.local == own]
    ours = all(binding.path == target.path or binding.alias in gone for binding in theirs)
    if not taken or (theirs and ours):
        return own, False
    bound = set(module.flow.undefined).union(*(scope.bound for scope in module.flow.scopes))
    names = (target.other_name, *(f"{target.other_name}_{number}" for number in range(2, 1000)))
    return next(name for name in names if name not in bound), False


def without_unused_imports(module: Module, text: str, is_exported: IsExported) -> tuple[str, ImportEdits | None]:
    """The text without plain imports that the rewrite has left without a use, and the edits, if there are any."""
    from paged_attention_migrate.source import Source

    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text, None
    used_before = {name for name, loads in module.flow.module_scope.loads.items() if loads}
    used_now = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    lost = used_before - used_now - words_in_strings(tree)
    if not lost or module.facts.is_package or looks_names_up(tree):
        return text, None
    source = Source(module.source.encode(text))
    parsed = ParsedText(source, tree)
    imports = ImportEdits(parsed)
    for statement in tree.body:
        if not isinstance(statement, (ast.Import, ast.ImportFrom)) or "noqa" in source.line(statement.lineno):
            continue
        if is_to_be_kept(source, statement):
            continue
        for alias in statement.names:
            local = alias.asname or alias.name.partition(".")[0]
            if local in lost and not is_exported(local):
                imports.remove(statement, alias)
    try:
        shorter = apply_edits(text, imports.edits())
    except NotEditable:
        return text, None
    # Several imports that opened the file leave the blank line that stood behind them.
    return shorter.lstrip("\r\n") if text[:1] not in ("\r", "\n") else shorter, imports
