"""Python that would still read a removed function after the edits, whatever hides it from a check.

A `noqa`, a name that cannot be followed, an extension module of the tree's own: none of them keeps a deletion from
breaking the code behind it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from paged_attention_migrate.findings import ERROR, Finding
from paged_attention_migrate.module import ATTENTION, Facts, Module
from paged_attention_migrate.names.values import Foreign, Reference, Unknown, Values
from paged_attention_migrate.retire.sources import Blocker
from paged_attention_migrate.retire.tree import Tree, TreeFile, module_name
from paged_attention_migrate.settings import Settings
from paged_attention_migrate.source import Source, Undecodable
from paged_attention_shim.removed import entry_point


class Readers:
    """Looks for readers in the files of a tree, as they are after the edits."""

    def __init__(self, tree: Tree, settings: Settings) -> None:
        self.tree = tree
        self.settings = settings
        self.modules = {module_name(file) for file in tree.of_kind("python")}
        self.packages = {module.partition(".")[0] for module in self.modules}

    def of(self, path: str, data: bytes, only_certain: bool = False) -> Iterator[Blocker]:
        """The readers in one file; of another project's file only those that are known to be some."""
        try:
            module = Module(path, Source(data), self.settings, Facts(own_definitions=True))
        except (Undecodable, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            if not only_certain:
                yield Blocker(path, 1, f"it names a removed function and cannot be read: {error}")
            return
        sites = {site.node: site for site in module.sites}
        for node, (values, _) in module.flow.seen.items():
            name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            if not isinstance(node, (ast.Attribute, ast.Name)) or name not in ATTENTION:
                continue
            if not isinstance(node.ctx, ast.Load):
                continue
            if node in sites:
                yield Blocker(path, node.lineno, f"`{sites[node].path}` is still used")
            elif not only_certain and self._may_be_ours(node, values):
                yield Blocker(path, node.lineno, f"`{ast.unparse(node)}` may be it")
        yield from self._imports(path, module)

    def elsewhere(self) -> Iterator[Blocker]:
        """The readers in notebooks, Rust and Cython, none of which is edited."""
        from paged_attention_migrate import native

        for file in self.tree.naming("rust", "cython"):
            for each in native.findings_in(file.path, file.kind, self.tree.data(file)):
                if each.code == "PAM301":
                    yield Blocker(file.path, each.line, f"{file.kind.capitalize()} takes {each.name}")
        for file in self.tree.naming("notebook"):
            for finding in self._in_notebook(file):
                if finding.severity == ERROR:
                    yield Blocker(file.path, finding.line, finding.message)

    def _in_notebook(self, file: TreeFile) -> Iterable[Finding]:
        from paged_attention_migrate.notebooks import findings_in
        from paged_attention_migrate.study import Wanted, study

        def analyse(text: str) -> Iterable[Finding]:
            return study(file.path, text.encode(), self.settings, Facts(own_definitions=True), Wanted()).findings

        return findings_in(file.path, self.tree.data(file), analyse)

    def _may_be_ours(self, node: ast.expr, values: Values) -> bool:
        """Whether an expression that is no site of a removed function may reach the one that is deleted."""
        if isinstance(node, ast.Name):
            return False
        text = ast.unparse(node)
        if text.startswith("torch.ops."):
            return False
        paths = [value.path for value in values if isinstance(value, (Reference, Foreign)) and value.path]
        if paths:
            return any(self._is_of_extension(path) for path in paths)
        return not values or any(isinstance(value, Unknown) for value in values)

    def _is_of_extension(self, path: str) -> bool:
        """Whether a path leads into a module of the tree that no Python file is: a compiled one."""
        if path.partition(".")[0] not in self.packages or entry_point(path) is not None:
            return False
        parts = path.split(".")[:-1]
        while len(parts) > 1:
            if ".".join(parts) in self.modules or f"{'.'.join(parts)}.__init__" in self.modules:
                return len(parts) == 1
            parts.pop()
        return True

    def _imports(self, path: str, module: Module) -> Iterator[Blocker]:
        for binding in module.flow.imports:
            name = binding.path.rpartition(".")[2]
            found = module.entry(binding.path)
            if name in ATTENTION and found is not None and found[0].family == "attention":
                yield Blocker(path, binding.statement.lineno, f"`{binding.path}` is still imported")
