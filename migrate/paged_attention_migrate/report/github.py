"""A run as annotations that GitHub Actions shows beside the lines of a pull request."""

from __future__ import annotations

from paged_attention_migrate.findings import INFO, Finding, called
from paged_attention_migrate.report.patch import from_top_of_work_tree
from paged_attention_migrate.report.summary import Counts
from paged_attention_migrate.report.text import what_to_do

_COMMANDS = {INFO: "notice"}


def as_annotations(counts: Counts, prefix: str, slugs: dict[str, str]) -> str:
    """One workflow command for each finding that is left; `prefix` leads from the top of the work tree to here."""
    return "".join(_annotation(each, prefix, slugs.get(each.code, "")) for each in counts.left)


def failure(sentence: str) -> str:
    """A workflow command for what made the run fail."""
    return f"::error::{_data(sentence)}\n"


def _annotation(finding: Finding, prefix: str, slug: str) -> str:
    path = from_top_of_work_tree(prefix, finding.path)
    properties = {"title": f"{finding.code} {slug}".rstrip(), "file": path, "line": finding.line}
    properties["endLine"] = finding.end_line
    if finding.line == finding.end_line:
        # GitHub refuses columns where the lines differ.
        properties |= {"col": finding.column, "endColumn": finding.end_column}
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    reasons = (each for each in finding.reasons if each not in finding.message)
    place = f"{path}:{finding.line}:{finding.column}: {finding.code}"
    text = "\n".join([f"{place} {finding.message}", *called(finding), *reasons, *what_to_do(finding)])
    return f"::{_COMMANDS.get(finding.severity, finding.severity)} {given}::{_data(text)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
