"""One Python module under study: its tree, what its names stand for, and where removed names are used."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from paged_attention_migrate.names.flow import Flow
from paged_attention_migrate.names.scopes import Scope
from paged_attention_migrate.names.values import (
    Absent,
    Foreign,
    ImportBinding,
    Instance,
    Local,
    Reference,
    Unknown,
    Values,
)
from paged_attention_migrate.own import FAMILY
from paged_attention_migrate.targets import target_of
from paged_attention_shim.removed import REMOVED, Home, RemovedName, entry_point

if TYPE_CHECKING:
    from paged_attention_migrate.calls.verdict import Plan
    from paged_attention_migrate.own.names import Row
    from paged_attention_migrate.settings import Settings
    from paged_attention_migrate.source import Source
    from paged_attention_migrate.targets import Target

ATTENTION = frozenset(name.name for name in REMOVED if name.family == "attention")
# Functions that rewritten code calls by another name, as against modules, classes and constants.
FUNCTIONS = frozenset(["attention", FAMILY])
_NEW_HOME = "vllm._custom_ops"


class Facts(NamedTuple):
    """What the rest of the repository says about a module."""

    package: str = ""
    aliases: Mapping[str, str] = {}
    registered_ops: Mapping[str, str] = {}  # removed op name -> where this repository registers it
    own_definitions: bool = False  # the file is part of a vLLM, whose other modules are its own
    is_package: bool = False
    imported_elsewhere: frozenset[str] = frozenset()  # names that other files take from this module
    own_sources: frozenset[str] = frozenset()  # kernel sources that the repository holds itself
    scratch_read_elsewhere: Mapping[object, str] = {}  # way to a scratch buffer -> where another file reads by it
    declined: frozenset[tuple[int, int]] = frozenset()  # places, line and column, that a person said no to
    seen_whole: bool = False  # the run looks at a directory that holds the module, and not at the module alone
    in_cells: str = ""  # of a module made of parts, such as a notebook's cells: why their order may not decide
    doubts: Mapping[int, str] = {}  # number of a piece of the module -> why it may have to stay as it is
    named_unseen: frozenset[str] = frozenset()  # names that text beside the module, which is no Python, may read
    own_names_only: bool = False  # the file is part of a vLLM that defines what the table calls removed
    bound_unseen: frozenset[str] = frozenset()  # names to which such text may give another meaning


class Entry(NamedTuple):
    """A removed name that an expression may stand for."""

    name: RemovedName
    home: Home
    reference: Reference

    @property
    def own_paths(self) -> tuple[str, ...]:
        """What tells names of the project's own apart: several modules may have had one each."""
        return self.name.paths if self.name.family == FAMILY else ()


class Site(NamedTuple):
    """One expression that stands for a removed function.

    `form`: "attribute" (`ops.paged_attention_v1`), "imported" (a name that a from-import binds),
    "handed on" (`kernels.attend`, to which that module of the repository gave its meaning)
    or "derived" (a variable, a field: the function came from a site elsewhere).
    """

    node: ast.Name | ast.Attribute
    scope: Scope
    entries: tuple[Entry, ...]
    form: str
    other_meanings: tuple[str, ...]

    @property
    def name(self) -> RemovedName:
        """The removed name."""
        return self.entries[0].name

    @property
    def path(self) -> str:
        """Its full dotted name."""
        return f"{self.entries[0].home.path}.{self.name.name}"

    @property
    def certain(self) -> bool:
        """One function and nothing else, whichever home it came from."""
        names = {(entry.name.name, entry.name.family, *entry.own_paths) for entry in self.entries}
        return len(names) == 1 and not self.other_meanings

    @property
    def handed_on(self) -> bool:
        """Whether another file of the repository gave this name its meaning."""
        named = self.form in ("imported", "handed on")
        return named and all(entry.reference.reexported for entry in self.entries)

    @property
    def from_star(self) -> bool:
        """Whether the name can only come from a star import."""
        return any(entry.reference.binding is not None and entry.reference.binding.star for entry in self.entries)

    @property
    def bindings(self) -> list[ImportBinding]:
        """The imports that it came through."""
        found: list[ImportBinding] = []
        for entry in self.entries:
            binding = entry.reference.binding
            if binding is not None and binding not in found:
                found.append(binding)
        return found


class Change(NamedTuple):
    """The edit behind a draft: a call's arguments, its callee, or a plain reference."""

    site: Site
    call: ast.Call | None
    plan: Plan | None
    in_partial: bool = False
    scratch: tuple[ast.expr, ...] = ()


class Draft:
    """A finding in the making, with the edit that belongs to it."""

    __slots__ = (
        *("binding", "change", "code", "end", "fix", "kept", "linked", "message", "name"),
        *("reasons", "severity", "start"),
    )

    def __init__(  # noqa: PLR0913, PLR0917  # a record, written as a class because drafts change
        self,
        start: int,
        end: int,
        code: str,
        severity: str,
        name: str,
        message: str,
        fix: str | None = None,
        reasons: Iterable[str] = (),
        change: Change | None = None,
        binding: ImportBinding | None = None,
    ) -> None:
        self.start = start
        self.end = end
        self.code = code
        self.severity = severity
        self.name = name
        self.message = message
        self.fix = fix
        self.reasons = tuple(reasons)
        self.change = change
        self.binding = binding
        self.linked: list[Draft] = []
        self.kept = False


class ParsedText:
    """A module's text with its tree, and ways from a node to its place and to the nodes around it."""

    def __init__(self, source: Source, tree: ast.Module) -> None:
        self.source = source
        self.tree = tree
        self._parents: dict[ast.AST, ast.AST] | None = None

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node around `node`."""
        if self._parents is None:
            self._parents = {}
            for outer in ast.walk(self.tree):
                for inner in ast.iter_child_nodes(outer):
                    self._parents[inner] = outer
        return self._parents.get(node)

    def ancestors(self, node: ast.AST) -> Iterable[ast.AST]:
        """The nodes around `node`, from the inside out."""
        outer = self.parent(node)
        while outer is not None:
            yield outer
            outer = self.parent(outer)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Offsets at which a node begins and ends."""
        source = self.source
        start = source.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        return start, source.offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]


class Module(ParsedText):
    """A parsed module; raises SyntaxError, ValueError, RecursionError or MemoryError as `ast.parse` does."""

    def __init__(self, path: str, source: Source, settings: Settings, facts: Facts) -> None:
        super().__init__(source, ast.parse(source.text))
        self.path = path
        self.settings = settings
        self.target = target_of(settings.target)
        self.facts = facts
        self.own = _own_rows(settings, path)
        own_names = frozenset(row.name.name for row, _ in self.own.values())
        self.watched = own_names if facts.own_names_only else own_names | ATTENTION
        self.homes = frozenset([*settings.homes, *(home.path for _, home in self.own.values())])
        own_targets = (row.target.module for row, _ in self.own.values())
        paths = {"vllm", "torch", "paged_attention_shim", *self.homes, *own_targets}
        roots = frozenset(path.partition(".")[0] for path in paths) - {""}
        self.flow = Flow(self.tree, facts.package, self.watched, roots, facts.aliases, self.homes)
        self.flow.run()
        self.sites = self._find_sites()
        self._registered: tuple[tuple[str, int], ...] | None = None

    @property
    def is_document(self) -> bool:
        """Whether the module is made of the examples of a document."""
        return bool(self.facts.in_cells) and not self.path.lower().endswith(".ipynb")

    def entry(self, path: str) -> tuple[RemovedName, Home] | None:
        """The row for a full path; modules that the settings name as homes count as `vllm._custom_ops`."""
        own = self.own.get(path)
        if own is not None:
            return own[0].name, own[1]
        if self.facts.own_names_only:
            return None
        found = entry_point(path)
        if found is not None:
            name, _ = found
            return None if self.facts.own_definitions and name.family != "attention" else found
        home, _, name_text = path.rpartition(".")
        if home in self.settings.homes and name_text in ATTENTION:
            known = entry_point(f"{_NEW_HOME}.{name_text}")
            return (known[0], known[1]._replace(path=home)) if known else None
        return None

    def target_for(self, name: RemovedName) -> Target:
        """What takes the place of a removed function."""
        return self.own[name.paths[0]][0].target if name.family == FAMILY else self.target

    def registered(self) -> tuple[tuple[str, int], ...]:
        """The operators of `_C` that this module defines through torch.library, with the lines."""
        if self._registered is None:
            from paged_attention_migrate.registrations import defined_operators

            self._registered = tuple(defined_operators(self))
        return self._registered

    def registers_itself(self, name: str) -> str | None:
        """Where this repository defines an operator of `_C`; None when it does not."""
        here = next((line for operator, line in self.registered() if operator == name), None)
        return f"line {here} of this file" if here else self.facts.registered_ops.get(name)

    def followed_no_further(self) -> frozenset[str]:
        """Dotted paths that end in a removed name and begin in another module, perhaps one of this repository."""
        found: set[str] = set()
        for node, (values, _) in self.flow.seen.items():
            name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            for value in values if name in self.watched else ():
                if isinstance(value, (Reference, Foreign)) and value.path and not self.entry(value.path):
                    found.add(value.path)
                elif isinstance(value, Unknown) and value.what == "star":
                    found.update(f"{star.path}.{name}" for star in self.flow.imports if star.star)
        return frozenset(found | self._named_in_strings())

    def _named_in_strings(self) -> set[str]:
        return {
            node.value
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value.rpartition(".")[2] in self.watched
            and "." in node.value.rpartition(".")[0]
            and node.value.replace(".", "").isidentifier()
        }

    def entries_in(self, values: Values) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
        """The removed names among some meanings, and the other meanings in words."""
        entries: list[Entry] = []
        others: list[str] = []
        for value in values:
            if isinstance(value, Absent):
                continue
            found = self.entry(value.path) if isinstance(value, Reference) else None
            if found is not None and isinstance(value, Reference):
                entries.append(Entry(*found, self._of_last_round(value)))
            elif isinstance(value, Reference):
                others.append(f"`{value.path}`")
            else:
                others.append(_in_words(value))
        entries.sort(key=lambda entry: (entry.name.name, entry.home.path, entry.reference.assigned))
        return tuple(entries), tuple(sorted(set(others)))

    def _of_last_round(self, reference: Reference) -> Reference:
        """A global may still hold the binding of an earlier walk over the module."""
        if reference.binding is None:
            return reference
        alias = reference.binding.alias
        same = next((binding for binding in self.flow.imports if binding.alias is alias), reference.binding)
        return reference._replace(binding=same)

    def _find_sites(self) -> list[Site]:
        found = []
        for node, (values, scope) in self.flow.seen.items():
            if not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
                continue
            entries, others = self.entries_in(values)
            entries = tuple(entry for entry in entries if not entry.reference.path.endswith(".default"))
            if entries and any(entry.home.call_style != "value" for entry in entries):
                found.append(Site(node, scope, entries, self._form(node, entries), others))
        found.sort(key=lambda site: self.span(site.node))
        return found

    def _form(self, node: ast.Name | ast.Attribute, entries: tuple[Entry, ...]) -> str:
        if isinstance(node, ast.Name):
            bindings = [entry.reference.binding for entry in entries]
            direct = all(not entry.reference.assigned for entry in entries)
            named = all(binding is not None and binding.local in (node.id, "*") for binding in bindings)
            return "imported" if direct and named else "derived"
        base = self.flow.seen.get(node.value)
        homes = {value.path for value in base[0] if isinstance(value, Reference)} if base else set()
        names = {entry.name.name for entry in entries}
        if node.attr in names and homes & {entry.home.path for entry in entries}:
            return "attribute"
        given_elsewhere = all(entry.reference.reexported and not entry.reference.assigned for entry in entries)
        return "handed on" if given_elsewhere else "derived"


def _own_rows(settings: Settings, path: str) -> dict[str, tuple[Row, Home]]:
    if not settings.removed:
        return {}
    from paged_attention_migrate.own.names import rows

    return rows(settings.removed, path)


def _in_words(value: object) -> str:
    if isinstance(value, Unknown):
        return {"parameter": "a parameter", "star": "a name from a star import"}.get(value.what, "something else")
    if isinstance(value, (Local, Instance)):
        return f"`{getattr(value.node, 'name', 'a lambda')}` of this file"
    return "something else"
