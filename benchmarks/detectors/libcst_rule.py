"""A rule on LibCST's QualifiedNameProvider, as a Fixit rule would be written."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
from libcst.helpers import get_full_name_for_node
from libcst.metadata import MetadataWrapper, PositionProvider, QualifiedNameProvider

from detectors import table

NAME = "LibCST QualifiedNameProvider"
PROGRAM = ""


def hits(program: str, suite: Path) -> set[tuple[str, int]]:  # noqa: ARG001  # runs in this process
    """The lines of references and imports whose qualified name is gone."""
    found = set()
    for path in sorted([*suite.rglob("*.py"), *suite.rglob("*.pyi")]):
        rule = Rule(frozenset(table.paths()))
        MetadataWrapper(cst.parse_module(path.read_bytes())).visit(rule)
        found |= {(path.relative_to(suite).as_posix(), line) for line in rule.lines}
    return found


class Rule(cst.CSTVisitor):
    """Collects the lines of banned names."""

    METADATA_DEPENDENCIES = (PositionProvider, QualifiedNameProvider)

    def __init__(self, banned: frozenset[str]) -> None:
        super().__init__()
        self.banned = banned
        self.lines: set[int] = set()

    def report(self, node: cst.CSTNode) -> None:
        """Note the line of a node."""
        self.lines.add(self.get_metadata(PositionProvider, node).start.line)

    def refers(self, node: cst.CSTNode) -> None:
        """A name or an attribute."""
        names = {name.name for name in self.get_metadata(QualifiedNameProvider, node, set())}
        if names & self.banned:
            self.report(node)

    def visit_Attribute(self, node: cst.Attribute) -> None:  # noqa: N802  # LibCST's name
        """An attribute."""
        self.refers(node)

    def visit_Name(self, node: cst.Name) -> None:  # noqa: N802  # LibCST's name
        """A name."""
        self.refers(node)

    def visit_Import(self, node: cst.Import) -> bool:  # noqa: N802  # LibCST's name
        """`import a.b`."""
        for alias in node.names:
            if get_full_name_for_node(alias.name) in self.banned:
                self.report(alias)
        return False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:  # noqa: N802  # LibCST's name
        """`from a import b`."""
        module = get_full_name_for_node(node.module) if node.module else ""
        for alias in () if isinstance(node.names, cst.ImportStar) else node.names:
            if f"{module}.{get_full_name_for_node(alias.name)}" in self.banned:
                self.report(alias)
        return False
