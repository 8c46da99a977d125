"""What a finding is known by when the lines above it move: its file, code, name and line of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from paged_attention_migrate.findings import Finding


class Key(NamedTuple):
    """What stays the same of a finding while others come and go; several findings may share one."""

    path: str
    code: str
    name: str
    text: str


def key_of(finding: Finding) -> Key:
    """The key of a finding; white space in the line does not count."""
    return Key(finding.path, finding.code, finding.name, " ".join(finding.source_line.split()))


def fingerprints(findings: Iterable[Finding]) -> list[str]:
    """A digest for each finding; of several with the same key, each says which one it is."""
    import hashlib

    seen: Counter[Key] = Counter()
    digests = []
    for finding in findings:
        key = key_of(finding)
        seen[key] += 1
        text = "\0".join([*key, str(seen[key])])
        digests.append(hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32])
    return digests
