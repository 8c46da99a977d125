"""Findings as short lines, `4:6 PAM301 info paged_attention_v1`, so that a test reads like a report."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from paged_attention_migrate.native import NOTHING_KNOWN, Facts, findings_in, left_alone

Report = Callable[..., list[str]]


def report(kind: str, text: str | bytes, facts: Facts = NOTHING_KNOWN, path: str = "file") -> list[str]:
    """What is found in `text`, each finding checked to mark a name that stands in the text there."""
    data = dedent(text).encode() if isinstance(text, str) else text
    lines = []
    for each in findings_in(path, kind, data, facts):
        assert each.path == path
        assert each.fix is None
        assert each.message
        assert each.source_line[each.column - 1 : each.end_column - 1].strip(), each
        lines.append(f"{each.line}:{each.column} {each.code} {each.severity} {each.name}")
    return lines


@pytest.fixture(name="report")
def report_of() -> Report:
    return report


@pytest.fixture
def reasons() -> Callable[..., list[str]]:
    """What is left alone in a text: `line:column name: reason`."""

    def told(kind: str, text: str, facts: Facts = NOTHING_KNOWN, path: str = "file") -> list[str]:
        found = left_alone(path, kind, dedent(text).encode(), facts)
        return [f"{each.line}:{each.column} {each.text}: {each.reason}" for each in found]

    return told


@pytest.fixture
def tree() -> Callable[..., Facts]:
    """Facts of a tree that holds the given files."""

    def holding(*paths: str, is_vllm: bool = False) -> Facts:
        return Facts(lambda suffix: any(f"/{path}".endswith(f"/{suffix}") for path in paths), is_vllm)

    return holding
