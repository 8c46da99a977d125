"""Who still calls a removed name: a warning and a count for every call site, and what is reported of them.

PAGED_ATTENTION_REPORT=PATH in the environment appends JSON lines to a file, which several processes may share:
one when a call site is first seen, so that a process that is killed has told of it, and one with the final count
at the end. A later line of a process replaces its earlier one of the same site.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from paged_attention_shim.gone import command

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType, FrameType

    from paged_attention_shim.removed import Home, RemovedName

VARIABLE = "PAGED_ATTENTION_REPORT"
# Code made over and over by exec would fill the memory of known places.
_MOST_PLACES = 4096
_MOST_FILES = 5
_OURS = frozenset({"paged_attention_shim", "torch", "triton"})
# The file of code that torch.fx makes of a graph; other generated code names a file in torch's own folder.
_GRAPH = "<eval_with_key>"


class Site(NamedTuple):
    """A line that calls a removed name, and how often it did."""

    path: str
    line: int
    function: str
    name: str
    home: str
    calls: int

    def __str__(self) -> str:
        return f"  {_near(self.path)}:{self.line} in {self.function}: {self.name}, {_times(self.calls)}"


class _Counted:
    """A call site that is being counted."""

    __slots__ = ("calls", "function", "home", "line", "name", "path")

    def __init__(self, path: str, line: int, function: str, name: str, home: str) -> None:
        self.path, self.line, self.function, self.name, self.home = path, line, function, name, home
        self.calls = 0


class Report(NamedTuple):
    """Every call site, the most called first; `str()` is the text of the summary."""

    sites: tuple[Site, ...]

    def __str__(self) -> str:
        if not self.sites:
            return "paged-attention-shim: no call of a removed name was forwarded."
        calls = sum(site.calls for site in self.sites)
        lines = f"{len(self.sites)} line{'s' if len(self.sites) > 1 else ''}"
        text = [f"paged-attention-shim: {lines} still called removed names, {_times(calls)}:"]
        text += [str(site) for site in self.sites]
        files = sorted({_near(site.path) for site in self.sites if not site.path.startswith("<")})
        where = " ".join(files) if 0 < len(files) <= _MOST_FILES else "PATH"
        text.append(f"`paged-attention-migrate rewrite {where}` moves them to the call that survives.")
        return "\n".join(text)

    def to_json(self) -> str:
        """The same as JSON lines, as PAGED_ATTENTION_REPORT has them."""
        return "".join(_json_line(site) for site in self.sites)


_sites: dict[tuple[str, int, str, str], _Counted] = {}
# By the code's id, for hashing code is slow; the code is kept, so that no other gets its id.
_places: dict[tuple[int, int, int], tuple[_Counted, CodeType]] = {}
_passes_on: dict[int, CodeType] = {}
_lock = threading.Lock()
_quiet = False
_told = False
_workers_tell = False
_run = ""
_torch_files: tuple[str, ...] = ()


def count(name: RemovedName, home: Home) -> None:
    """Count a call of `name`; its site is the nearest frame that is not torch's, vLLM's wrapper or of this package."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001  # who calls the function that counts
    while frame is not None:
        place = id(frame.f_code), frame.f_lasti, id(name)
        known = _places.get(place)
        if known is not None:
            site = known[0]
            break
        if frame.f_back is None or not (id(frame.f_code) in _passes_on or _hands_on(frame)):
            site = _new(frame, place, name, home)
            break
        frame = frame.f_back
    with _lock:
        site.calls += 1


def _hands_on(frame: FrameType) -> bool:
    module = frame.f_globals.get("__name__") or ""
    passes_on = (
        module.partition(".")[0] in _OURS
        or module == "vllm._custom_ops"
        or frame.f_code.co_filename.startswith(_generated())
    )
    if passes_on and len(_passes_on) < _MOST_PLACES:
        _passes_on[id(frame.f_code)] = frame.f_code
    return passes_on


def _generated() -> tuple[str, ...]:
    """How the file names of code begin that torch made."""
    global _torch_files  # noqa: PLW0603  # known once torch is there
    if not _torch_files:
        _torch_files = (_GRAPH, os.path.join(os.path.dirname(sys.modules["torch"].__file__ or ""), ""))
    return _torch_files


def _new(frame: FrameType, place: tuple[int, int, int], name: RemovedName, home: Home) -> _Counted:
    path, line = frame.f_code.co_filename, frame.f_lineno
    if not path.startswith("<"):
        path = os.path.abspath(path)
    key = path, line, name.name, home.path
    with _lock:
        known = key in _sites
        site = _sites.setdefault(key, _Counted(path, line, _function(frame.f_code), name.name, home.path))
        if len(_places) >= _MOST_PLACES:
            _places.clear()
        _places[place] = site, frame.f_code
    if not known:
        _append(_json_line(_counted(site, 1)))
        if not _quiet:
            _warn(frame, name)
    return site


def _function(code: CodeType) -> str:
    return str(getattr(code, "co_qualname", code.co_name))


def _warn(frame: FrameType, name: RemovedName) -> None:
    source = f" ({name.pull_request_url})" if name.pull_request else ""
    text = f"{name.name} is gone since vLLM {name.removed_in}{source}; this call was forwarded. {command(name)}"
    text = text.replace("PATH", frame.f_code.co_filename)
    names = frame.f_globals
    registry = names.setdefault("__warningregistry__", {})
    module = names.get("__name__") or "<unknown>"
    warnings.warn_explicit(text, DeprecationWarning, frame.f_code.co_filename, frame.f_lineno, module, registry)


def report() -> Report:
    """What was counted in this process so far, also after `uninstall`."""
    with _lock:
        return Report(totals([_counted(site, site.calls) for site in _sites.values() if site.calls]))


def totals(sites: Iterable[Site]) -> tuple[Site, ...]:
    """Each call site once with the sum of its calls, the most called first."""
    calls: dict[Site, int] = {}
    for site in sites:
        same = site._replace(calls=0)
        calls[same] = calls.get(same, 0) + site.calls
    found = [site._replace(calls=count) for site, count in calls.items()]
    return tuple(sorted(found, key=lambda site: (-site.calls, site.path, site.line, site.name)))


def forget() -> None:
    """Start counting from nothing."""
    with _lock:
        _sites.clear()
        _places.clear()


def hold_warnings(*, quiet: bool) -> None:
    """Whether new call sites go unwarned, for a caller that reports them itself."""
    global _quiet  # noqa: PLW0603  # one process, one answer
    _quiet = quiet


def tell_at_the_end() -> None:
    """See to it that every process tells what it counted when it ends."""
    global _told  # noqa: PLW0603  # one process, one summary
    if not _told:
        _told = True
        if os.environ.get(VARIABLE):
            os.environ[VARIABLE] = os.path.abspath(os.environ[VARIABLE])  # one file for workers in other folders, too
        atexit.register(tell)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=_tell_in_workers)


def _tell_in_workers() -> None:
    """Workers that multiprocessing forks end without running what `atexit` knows; they have a list of their own."""
    global _workers_tell  # noqa: PLW0603  # one process, one summary
    util = sys.modules.get("multiprocessing.util")
    if util is not None and not _workers_tell:
        _workers_tell = True
        util.register_after_fork(tell, lambda function: util.Finalize(None, function, exitpriority=0))


def tell() -> None:
    """Print the summary to standard error, and append the final counts to PAGED_ATTENTION_REPORT."""
    found = report()
    if not found.sites:
        return
    _append(found.to_json())
    if not _quiet and sys.stderr is not None:
        sys.stderr.write(f"{found}\n")


def _counted(site: _Counted, calls: int) -> Site:
    return Site(site.path, site.line, site.function, site.name, site.home, calls)


def _json_line(site: Site) -> str:
    import json

    record: dict[str, Any] = {"schema": 1, "tool": "paged-attention-shim", "pid": os.getpid(), "run": _this_run()}
    return json.dumps({**record, **site._asdict()}) + "\n"


def _this_run() -> str:
    """A name for this process that no other has, for numbers of processes come again."""
    global _run  # noqa: PLW0603  # made when it is first needed
    if not _run:
        import uuid

        _run = uuid.uuid4().hex
    return _run


def _append(text: str) -> None:
    path = os.environ.get(VARIABLE)
    if not path:
        return
    try:
        # One write at the end of the file: lines of several processes do not mix.
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(file, text.encode())
        finally:
            os.close(file)
    except OSError as problem:
        sys.stderr.write(f"paged-attention-shim: {VARIABLE} cannot be written: {problem}\n")


def _near(path: str) -> str:
    try:
        here = os.path.join(os.getcwd(), "")
    except OSError:
        return path
    return path.removeprefix(here)


def _times(calls: int) -> str:
    return f"{calls:,} call{'s' if calls != 1 else ''}"


def _after_fork() -> None:
    """A child counts its own calls, and a lock that another thread of the parent held is free."""
    global _lock, _run  # the child's own
    _lock, _run = threading.Lock(), ""
    for site in _sites.values():
        site.calls = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
