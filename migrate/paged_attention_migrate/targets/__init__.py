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
    from paged_attention_migrate.calls.binding import Entry, Pin
    from paged_attention_migrate.calls.verdict import Verdict
    from paged_attention_migrate.module import Module, Site
    from paged_attention_shim.removed import RemovedName


class Place(NamedTuple):
    """Where a call stands."""

    module: Module
    site: Site
    call: ast.Call


class Asked(NamedTuple):
    """A call to be judged: the arguments that are the function's own, and what the function may have been.

    `complete` is False when more arguments follow later; `version` and `pinned` say which release the code is for.
    """

    place: Place
    given: list[Argument]
    entries: list[Entry]
    version: str | None
    pinned: Pin
    complete: bool


Written = tuple[str, tuple[str, ...]]  # a call as it came out, and the statements in front of it


class Import(NamedTuple):
    """A function and the name under which a module is to have it."""

    module: str
    function: str
    local: str


class Target(NamedTuple):
    """A function that rewritten code calls.

    `module` and `function` say what is imported; sites that name the function through that module go on doing so.
    `other_name` is what it is called where its own name is taken. `unfilled` says what a reader of scratch is to do.
    `takes_old` says that an argument list of the old function, but for scratch, is right as it stands, stars and stored
    references included. `stored` says why a stored reference stays where that does not hold, and `through_variables`
    whether calls of a variable that holds it are rewritten. `doubt` says why every edit needs a reader, if so.
    `unproved` says what is wrong with the calls that were written into a module, beyond what holds for every target.
    """

    module: str
    function: str
    other_name: str
    unfilled: str
    takes_old: bool
    stored: str
    judged: Callable[[Asked], Verdict]
    unproved: Callable[[Module, tuple[Written, ...]], str]
    through_variables: bool = True
    doubt: str = ""

    @property
    def path(self) -> str:
        """The full dotted name."""
        return f"{self.module}.{self.function}"

    @property
    def is_there(self) -> bool:
        """Whether there is anything to call at all."""
        return bool(self.function)

    def as_name(self, local: str) -> Import:
        """The import that binds the function to a name."""
        return Import(self.module, self.function, local)

    def changes_arguments(self, name: RemovedName) -> bool:
        """Whether calls of a removed function need another argument list."""
        return bool(name.scratch) or not self.takes_old


def target_of(name: str) -> Target:
    """The target that the settings name."""
    if name == "rocm":
        from paged_attention_migrate.targets import rocm

        return rocm.TARGET
    from paged_attention_migrate.targets import shim

    return shim.TARGET
