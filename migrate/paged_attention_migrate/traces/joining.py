"""The call sites of a run set beside the findings of a check: evidence for some, findings of their own for others."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from paged_attention_migrate.files import list_files
from paged_attention_migrate.findings import INFO, Finding, by_place
from paged_attention_migrate.rules import dynamic
from paged_attention_migrate.silencing import codes_in, ignored_codes
from paged_attention_migrate.traces.outline import Outline, Unread, is_unclear, plain
from paged_attention_migrate.traces.paths import Paths

if TYPE_CHECKING:
    from paged_attention_migrate.project import Options, Result
    from paged_attention_migrate.traces.reading import Site

_FEW = 5
_IMPORTS = ("PAM101", "PAM203", "PAM204")
_STRING = "PAM104"
_UNUSED_KEEP = "PAM904"
# What a person who silenced one of these on a line has seen: the call itself.
_CALLS = ("PAM102", "PAM103", "PAM109", "PAM110", "PAM111", "PAM201", "PAM202", dynamic.CODE)


def joined(result: Result, sites: Mapping[Site, int], reports: Iterable[str], options: Options) -> Result:
    """The run with `calls` on the findings that were called, new findings for calls that reading does not show."""
    files, _ = list_files(options.paths, options.settings.exclude)
    paths = Paths(file.path for file in files if file.kind == "python")
    inside: dict[str, dict[Site, int]] = {}
    lost: list[str] = []
    for site, calls in sites.items():
        path, reason = paths.find(site.path)
        if path is None:
            lost.append(f"{site.path}:{site.line} ({reason})")
        else:
            inside.setdefault(path, {})[site] = calls
    by_file: dict[str, list[Finding]] = {}
    for finding in result.findings:
        by_file.setdefault(finding.path, []).append(finding)
    newest = max((os.path.getmtime(report) for report in reports), default=0.0)
    for path, called in sorted(inside.items()):
        try:
            file = _File(path, by_file.get(path, []), ignored_codes(path, options.settings), newest)
        except Unread:
            lost += [f"{path}:{site.line} (the file cannot be read as Python)" for site in called]
            continue
        by_file[path] = file.joined(called)
        lost += file.lost
    findings = tuple(sorted((each for found in by_file.values() for each in found), key=by_place))
    return result._replace(findings=findings, notices=(*result.notices, *_told(findings, lost)))


class _File:
    """One file with its findings, to which the call sites of a run are matched."""

    def __init__(self, path: str, findings: list[Finding], ignored: tuple[str, ...], newest: float) -> None:
        self.path, self.findings, self.ignored = path, findings, ignored
        self.outline = Outline(path)
        # A copy of the report on another machine may be newer than the run, so this is a sign and no proof.
        self.is_newer = os.path.getmtime(path) > newest
        self.lost: list[str] = []

    def joined(self, sites: Mapping[Site, int]) -> list[Finding]:
        """The findings with what the sites say of them, and those that the sites add."""
        left = [site for site in sites if not self._note(self._on_line(site), sites[site], ())]
        for site in left:
            calls = sites[site]
            if self._is_there(site) and not (self.is_newer and self._uncalled_in_function(site)):
                self._add(site, calls)
                continue
            near = self._uncalled_in_function(site)
            closest = sorted(near, key=lambda number: abs(self.findings[number].line - site.line))[:1]
            moved = f"the run called it from line {site.line}, so this is probably the place, which has moved since"
            if not self._note(closest, calls, (moved,)):
                self.lost.append(f"{self.path}:{site.line} (the file has changed: {site.function} has no such call)")
        return self.findings

    def _on_line(self, site: Site) -> list[int]:
        """The findings at the very line, else those of the statement that the line belongs to."""
        if not self._fits(site):
            return []
        same = [number for number, each in enumerate(self.findings) if _is_call_of(each, site)]
        exact = [number for number in same if self.findings[number].line == site.line]
        lines = self.outline.lines_of(site.line)
        near = [number for number in same if self.findings[number].line in lines]
        # A string that becomes a name may be found under one of several that it can become.
        strings = [number for number, each in enumerate(self.findings) if each.code == _STRING and each.line in lines]
        return exact or near or strings[:1]

    def _fits(self, site: Site) -> bool:
        """Whether the line is in the function that the run names."""
        return is_unclear(site.function) or self.outline.function(site.line) == plain(site.function)

    def _is_there(self, site: Site) -> bool:
        return self._fits(site) and self.outline.calls_at(site.line)

    def _uncalled_in_function(self, site: Site) -> list[int]:
        return [
            number
            for number, each in enumerate(self.findings)
            if _is_call_of(each, site)
            and each.calls is None
            and (is_unclear(site.function) or self.outline.function(each.line) == plain(site.function))
        ]

    def _note(self, numbers: list[int], calls: int, reasons: tuple[str, ...]) -> bool:
        for number in numbers:
            each = self.findings[number]
            given = (*each.reasons, *reasons)
            self.findings[number] = each._replace(calls=(each.calls or 0) + calls, reasons=given)
        return bool(numbers)

    def _add(self, site: Site, calls: int) -> None:
        codes = (*self.ignored, *codes_in(self.outline.source.line(site.line)))
        if any(code.startswith(codes) for code in _CALLS):
            return
        kept = self.outline.is_to_be_kept(site.line)
        if kept:
            lines = self.outline.lines_of(site.line)
            about = range(lines.start - 1, lines.stop)
            self.findings = [each for each in self.findings if not (each.code == _UNUSED_KEEP and each.line in about)]
        unsure = ("the file is newer than the report, so this may be another line",) if self.is_newer else ()
        self.findings.append(dynamic.finding(self.path, self.outline.source, site, calls, kept, unsure))


def _is_call_of(finding: Finding, site: Site) -> bool:
    is_call = finding.code.startswith(("PAM1", "PAM2", "PAM4")) and finding.code not in _IMPORTS
    return is_call and finding.code != dynamic.CODE and finding.name.rpartition(".")[2] == site.name


def _told(findings: tuple[Finding, ...], lost: list[str]) -> Iterator[str]:
    found = [each for each in findings if each.code != dynamic.CODE and each.severity != INFO]
    called = sum(each.calls is not None for each in found)
    more = sum(each.code == dynamic.CODE and each.severity != INFO for each in findings)
    places = f"{called} of {len(found)} found place{'' if len(found) == 1 else 's'} {_were(called)} called in the run"
    if found or more:
        yield f"{places}, and {more} more that reading does not show" if more else places
    if lost:
        few = "; ".join(lost[:_FEW]) + (f"; and {len(lost) - _FEW} more" if len(lost) > _FEW else "")
        yield f"{len(lost)} call site{'' if len(lost) == 1 else 's'} of the report could not be placed: {few}"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"
