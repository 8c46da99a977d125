"""One run: plans, prints or writes, and says what is left."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from paged_attention_migrate.findings import INFO, Finding
from paged_attention_migrate.native.grammars import GrammarMissing
from paged_attention_migrate.project import FileChange
from paged_attention_migrate.report.failure import Failure
from paged_attention_migrate.report.patch import coloured, patch, prefix_in_work_tree
from paged_attention_migrate.report.summary import NO_UNDO, UNDO
from paged_attention_migrate.report.terminal import Terminal
from paged_attention_migrate.report.text import findings_text
from paged_attention_migrate.retire import explanation
from paged_attention_migrate.retire.plan import Plan, plan
from paged_attention_migrate.settings import Settings

Write = Callable[[tuple[FileChange, ...]], tuple[Failure | None, bool]]


class Asked(NamedTuple):
    """What a run is asked for: below which directory, for the patch alone, for the reasons of one path alone."""

    root: str
    settings: Settings
    diff: bool = False
    why: str | None = None


def run(asked: Asked, write: Write, out: Terminal) -> int:
    """Do what was asked for and give the exit code; raises Failure."""
    root = asked.root
    if not os.path.isdir(root):
        raise Failure(f"{root}: there is no such directory")
    try:
        made = plan(root, asked.settings)
    except GrammarMissing as error:
        raise Failure(f"retire reads C++ and CMake by their grammars, and {error}") from None
    if made.tree.problems:
        raise Failure("; ".join(made.tree.problems))
    if asked.why is not None:
        return _why(made, asked.why, out)
    if made.defined and not made.is_vllm:
        raise Failure(f"{made.defined[0]}, but {root} is not the top of a vLLM or of a fork of it, so all stays")
    if not made.defined:
        where = "this directory" if os.path.normpath(root) == "." else root
        out.tell(
            f"{where} does not define the functions, so there is nothing to retire: `check` finds what calls them\n"
        )
        return 0
    refusal, undoable = (None, False) if asked.diff else write(made.changes)
    if asked.diff or refusal is not None:
        _print_patch(made, out)
    else:
        out.say(explanation.told(made, out.out))
        out.say(explanation.blocked(made, out.out))
        out.say(findings_text(_left(made), out.out, out.encoding))
        out.tell(explanation.summary(made, True, out.err))
        if made.changes:
            out.tell(f"{UNDO if undoable else NO_UNDO}\n")
    if refusal is not None:
        raise refusal
    return 1 if made.blockers or _left(made) or (asked.diff and made.changes) else 0


def _why(made: Plan, path: str, out: Terminal) -> int:
    try:
        out.say(explanation.why(made, path, out.out))
    except explanation.UnknownPath as error:
        raise Failure(str(error)) from None
    return 0


def _print_patch(made: Plan, out: Terminal) -> None:
    """The patch alone on standard output; what explains it on the other stream."""
    text = patch(made.changes, prefix_in_work_tree(made.tree.root), made.tree.prefix)
    out.say_bytes(coloured(text, out.out) if out.out.on else text)
    out.tell(explanation.told(made, out.err))
    out.tell(explanation.blocked(made, out.err))
    out.tell(findings_text(_left(made), out.err))
    out.tell(explanation.summary(made, False, out.err))


def _left(made: Plan) -> list[Finding]:
    """What a person must look at beside the blockers."""
    blocking = {(each.path, each.line) for each in made.blockers}
    return [each for each in made.findings if each.severity != INFO and (each.path, each.line) not in blocking]
