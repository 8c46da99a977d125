"""What a call's argument list becomes, and what stands in the way."""

from __future__ import annotations

import ast
from typing import NamedTuple


class Plan(NamedTuple):
    """How an argument list changes; indices count the old arguments in source order."""

    drop: tuple[int, ...] = ()
    rename: tuple[tuple[int, str], ...] = ()
    split: tuple[int, ...] = ()  # one scale becomes k_scale and v_scale
    replace: tuple[tuple[int, str], ...] = ()
    insert_after: tuple[tuple[int, str, str], ...] = ()  # behind which argument, of which parameter, what
    spell: tuple[tuple[int, str], ...] = ()  # under which keyword an argument is passed from now on, "" for none
    append: tuple[tuple[str, str], ...] = ()  # what comes behind all others: of which parameter, "" for none, and what
    arrange: tuple[int | str, ...] | None = None  # the whole list anew: old indices and literal texts
    before: tuple[str, ...] = ()  # statements that the call needs in front of its own
    imports: tuple[str, ...] = ()  # modules that those need and that the file does not import

    @property
    def is_identity(self) -> bool:
        """Whether nothing changes."""
        return self == Plan()


class Hazard(NamedTuple):
    """A PAM4xx remark on a call: its code and one sentence."""

    code: str
    message: str


class Verdict(NamedTuple):
    """What may be done with a call, and why not more."""

    fix: str | None
    plan: Plan
    hazards: tuple[Hazard, ...] = ()
    reasons: tuple[str, ...] = ()
    scratch: tuple[ast.expr, ...] = ()
    arguments: dict[str, ast.expr] = {}
    without: str = ""  # what the new call does not pass, in words
