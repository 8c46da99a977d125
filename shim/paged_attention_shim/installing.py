"""Makes the removed names answer where old code looks for them, and takes that back."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from paged_attention_shim import switch, usage
from paged_attention_shim.forward import Options
from paged_attention_shim.homes import Homes, watched
from paged_attention_shim.importing import Watch, half_done

if TYPE_CHECKING:
    from types import ModuleType

    from paged_attention_shim.operators import Operators

_MODULES = watched() | {"torch"}
_lock = threading.RLock()
_installed: _Installed | None = None


def install(
    mode: switch.Mode = "error",
    *,
    fill_scratch: bool = False,
    rocm: bool = False,
    from_version: str | None = None,
) -> None:
    """Make the removed names answer where old code looks: in vLLM's modules and under `torch.ops`.

    * "error": using one says what is gone, since when, what to call and which command rewrites it. Whoever asks with
      `hasattr`, `getattr` with a default or `except ImportError` still hears that it is not there.
    * "forward": the attention functions compute, in the signature of any release, through `paged_attention`. Every
      line that calls one gets one DeprecationWarning and is counted; `report()` and a summary at exit name it.

    Modules are not imported for this; those that are imported later are seen to then. A function or an operator that
    exists is never replaced. Processes started later do the same, for the choice is kept in PAGED_ATTENTION_SHIM.
    Installing the same again does nothing, installing something else replaces it.

    With `fill_scratch` the scratch buffers of v2 hold afterwards what the CUDA kernel left there. With `rocm`,
    `torch.ops._rocm_C.paged_attention` is registered as well, on every GPU. `from_version` is the release of vLLM that
    the code was written for, where an argument list fits several.
    Raises ValueError for another mode or for a release that is none.
    """
    wanted = switch.checked(mode, Options(fill_scratch, from_version, rocm))
    unfinished = half_done(_MODULES)
    with _lock:
        if _installed is not None and _installed.wanted == wanted:
            return
        uninstall()
        _start(wanted, unfinished)


def uninstall() -> None:
    """Take everything back that `install` did; what was counted stays for `report`."""
    global _installed  # noqa: PLW0603  # one process, one answer
    with _lock:
        if _installed is not None:
            _installed.withdraw()
            _installed = None


def _start(wanted: switch.Wanted, unfinished: frozenset[str]) -> None:
    global _installed  # noqa: PLW0603  # one process, one answer
    _installed = _Installed(wanted)
    _installed.begin(unfinished)
    if wanted.mode == "forward":
        usage.tell_at_the_end()


class _Installed:
    """What one `install` did."""

    def __init__(self, wanted: switch.Wanted) -> None:
        self.wanted = wanted
        self._homes = Homes(wanted.mode, wanted.options)
        self._operators: Operators | None = None
        self._watch = Watch(_MODULES, self._seen)
        self._before = os.environ.get(switch.VARIABLE)

    def begin(self, unfinished: frozenset[str]) -> None:
        os.environ[switch.VARIABLE] = switch.text(self.wanted)
        self._watch.start(unfinished)

    def withdraw(self) -> None:
        self._watch.stop()
        self._homes.withdraw()
        if self._operators is not None:
            self._operators.withdraw()
        if self._before is None:
            os.environ.pop(switch.VARIABLE, None)
        else:
            os.environ[switch.VARIABLE] = self._before

    def _seen(self, module: ModuleType) -> None:
        with _lock:
            if module.__name__ != "torch":
                self._homes.furnish(module)
            elif self._operators is None and hasattr(module, "ops"):
                from paged_attention_shim.operators import Operators

                self._operators = Operators(self.wanted.mode, self.wanted.options)


def _after_fork() -> None:
    """A lock that another thread of the parent held is free in a child."""
    global _lock  # noqa: PLW0603  # the child's own
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
