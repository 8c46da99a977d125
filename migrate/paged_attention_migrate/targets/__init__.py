"""What a rewritten call is to call: each target is one module here.

A target says what the function is called and where it is imported from, what becomes of an old argument list, and what
must stand in front of the call. `target_of` loads a target when it is asked for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from paged_attention_migrate.calls.arguments import Argument
    from paged_attention_migrate.calls.binding import Bound, Entry
    from paged_attention_migrate.calls.verdict import Verdict
    from paged_attention_migrate.module import Module, Site
    from paged_attention_shim.removed import RemovedName


class Place(NamedTuple):
    """Where a call stands."""

    module: Module
    site: Site
    call: ast.Call


Written = tuple[str, tuple[str, ...]]  # a call as it came out, and the statements in front of it


class Target(NamedTuple):
    """A function that rewritten code calls.

    `module` and `function` say what is imported; sites that name the function through that module go on doing so.
    `other_name` is what it is called where its own name is taken. `unfilled` says what a reader of scratch is to do.
    `takes_v1` says that an argument list of v1 is right as it stands, stars and stored references included.
    `unproved` says what is wrong with the calls that were written into a module, beyond what holds for every target.
    """

    module: str
    function: str
    other_name: str
    unfilled: str
    takes_v1: bool
    planned: Callable[[list[Bound], Place], Verdict]
    with_star: Callable[[list[Argument], list[Entry]], Verdict]
    partly: Callable[[list[Argument], list[Entry]], Verdict]
    unproved: Callable[[Module, tuple[Written, ...]], str]

    @property
    def path(self) -> str:
        """The full dotted name."""
        return f"{self.module}.{self.function}"

    def changes_arguments(self, name: RemovedName) -> bool:
        """Whether calls of a removed function need another argument list."""
        return bool(name.scratch) or not self.takes_v1


def target_of(name: str) -> Target:
    """The target that the settings name."""
    if name == "rocm":
        from paged_attention_migrate.targets import rocm

        return rocm.TARGET
    from paged_attention_migrate.targets import shim

    return shim.TARGET
