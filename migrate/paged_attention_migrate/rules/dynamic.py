"""Calls that only a run shows.

PAM112 dynamic: a run called a removed function where reading shows none

`check --merge-trace REPORT` found a line in a report of the shim that called a removed function, and reading the code
finds nothing there: the name is put together at run time, the function came through a parameter, a container or
another module, or a wrapper hands it on. The report is the evidence, with how often the line called.
By hand: look where the function comes from, and hand on `paged_attention_shim.paged_attention` instead.
A remark `# noqa: PAM112` on the line silences it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from paged_attention_migrate.findings import ERROR, INFO, Finding

if TYPE_CHECKING:
    from paged_attention_migrate.source import Source
    from paged_attention_migrate.traces.reading import Site

CODE = "PAM112"


def finding(path: str, source: Source, site: Site, calls: int, kept: bool, reasons: tuple[str, ...]) -> Finding:
    """The finding for a call site of a run; a mention where it is to be `kept`."""
    text = source.line(site.line)
    first, end = len(text) - len(text.lstrip()) + 1, len(text.rstrip()) + 1
    what = site.home if site.home.endswith(f".{site.name}") else f"{site.home}.{site.name}"
    severity = ERROR
    if kept:
        severity, reasons = INFO, ("a remark says that this is to be kept", *reasons)
    message = f"`{what}` was called here in the run, which reading the code does not show"
    where = (path, site.line, first, site.line, end)
    return Finding(*where, CODE, severity, site.name, None, message, reasons, text, calls=calls)
