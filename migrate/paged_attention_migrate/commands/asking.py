"""Asks for each edit of a rewrite whether to make it, and rewrites what is wanted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from paged_attention_migrate.commands.options import run

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from paged_attention_migrate.commands.keeping import Marked
    from paged_attention_migrate.commands.options import Given
    from paged_attention_migrate.findings import Finding
    from paged_attention_migrate.project import FileChange, Options, Result
    from paged_attention_migrate.report.terminal import Terminal

_HELP = """\
y - make this edit
n - leave this place as it is
a - make this edit and all that follow
k - keep this place, and put a remark there, so that it is never asked for again
d - leave this place and the rest of its file
q - leave this place and all that follow
x - explain the code
? - print this help
Nothing is written before the last question; imports that nothing needs any more go with the edits.
"""


class Question(NamedTuple):
    """An edit that is made as a whole: what is found there, and each file's old and new bytes."""

    findings: tuple[Finding, ...]
    texts: tuple[tuple[str, bytes, bytes], ...]

    @property
    def paths(self) -> frozenset[str]:
        """The files that it changes."""
        return frozenset(path for path, _, _ in self.texts)


def refuse_to_ask(diff: bool, add_todo: bool, output_format: str) -> None:
    """Raise where questions do not go with the other options, or nobody is there to answer."""
    from paged_attention_migrate.report.failure import Failure

    other = "--diff" if diff else "--add-todo" if add_todo else ""
    if output_format != "text":
        other = f"--output-format {output_format}"
    if other:
        raise click.UsageError(f"--interactive asks before it writes: it does not go with {other}")
    if sys.stdin is None or not sys.stdin.isatty():
        raise Failure("--interactive asks on a terminal, and standard input is none: --diff shows what would be done")


def rewrite_what_is_wanted(options: Options, given: Given, terminal: Terminal, allow_dirty: bool) -> Result:
    """Prepare all edits, ask for each, and prepare those that are wanted; raises Failure before it asks in vain."""
    from paged_attention_migrate import project
    from paged_attention_migrate.commands.writing import refused
    from paged_attention_migrate.report.failure import Failure

    whole = run(project.rewrite, options._replace(choose=True), given.quiet)
    refusal = refused(whole.changes, allow_dirty) if whole.changes else None
    if refusal is not None:
        raise refusal
    questions = list(_questions(whole))
    wanted, kept = _asked(questions, terminal)
    if len(wanted) == len(questions):
        return whole
    before = {each.path: each.before for each in whole.changes}
    remarked = _remarked(kept, before)
    # An import goes with the edits that make it superfluous, so a file without any stays as it is.
    paths = frozenset(path for each in wanted for path in each.paths)
    unwanted = (found for each in questions if each not in wanted for found in each.findings)
    declined = frozenset(
        (each.path, remarked[each.path].moved(each.line) if each.path in remarked else each.line, each.column)
        for each in unwanted
    )
    options = options._replace(declined=declined, instead=tuple((path, file.after) for path, file in remarked.items()))
    result = run(project.rewrite, options, given.quiet) if wanted or kept else whole
    changes = tuple(each for each in result.changes if each.path in paths)
    for each in changes:
        if before.get(each.path) != each.before:
            raise Failure(f"{each.path} was changed while you were asked, so nothing was written: run it again")
    if remarked:
        from paged_attention_migrate.commands.keeping import with_remarks

        changes = with_remarks(result._replace(changes=changes), before, remarked)
    changed = {each.path for each in changes}
    left = [each._replace(fixed=False) for each in whole.findings if each.path not in changed]
    found = [each for each in result.findings if each.path in changed]
    return result._replace(changes=changes, findings=(*left, *found))


def _remarked(kept: Collection[Question], before: dict[str, bytes]) -> dict[str, Marked]:
    """The files with remarks at the places that are to be kept; raises Failure where one has no place."""
    if not kept:
        return {}
    from paged_attention_migrate.commands.keeping import REMARK, marked
    from paged_attention_migrate.report.failure import Failure

    places: dict[str, list[Finding]] = {}
    for each in (found for question in kept for found in question.findings):
        places.setdefault(each.path, []).append(each)
    found = {}
    for path, findings in sorted(places.items()):
        file = marked(before[path], findings)
        if file is None:
            raise Failure(f"{path} has no line for `{REMARK}` at a place, so nothing was written: answer n there")
        found[path] = file
    return found


def _questions(result: Result) -> Iterator[Question]:
    """One question for what can be rewritten apart from the rest; for files that hand a name on, one for all."""
    changes = {each.path: each for each in result.changes}
    asked: set[str] = set()
    for change in result.changes:
        if change.path in asked:
            continue
        paths = _connected(change.path, result.together) & changes.keys()
        asked |= paths
        if len(paths) == 1:
            yield from _inside(change, result)
        else:
            yield _whole([changes[path] for path in sorted(paths)], result)


def _inside(change: FileChange, result: Result) -> Iterator[Question]:
    choices = [each for each in result.choices if each.path == change.path]
    if not choices or any(each.after in (None, change.before) for each in choices):
        yield _whole([change], result)
        return
    fixed = [each for each in result.findings if each.path == change.path and each.fixed]
    for choice in choices:
        found = tuple(each for each in fixed if (each.line, each.column) in choice.places)
        yield Question(found, ((change.path, change.before, choice.after or b""),))


def _whole(changes: list[FileChange], result: Result) -> Question:
    texts = tuple((each.path, each.before, each.after) for each in changes)
    paths = {each.path for each in changes}
    return Question(tuple(each for each in result.findings if each.path in paths and each.fixed), texts)


def _connected(path: str, pairs: Iterable[tuple[str, str]]) -> set[str]:
    """The files that hand names on to each other, from one of them."""
    found = {path}
    while True:
        more = {other for pair in pairs if found.intersection(pair) for other in pair} - found
        if not more:
            return found
        found |= more


def _asked(questions: list[Question], terminal: Terminal) -> tuple[list[Question], list[Question]]:
    """The questions that were answered with yes, and those whose places are to be kept."""
    wanted: list[Question] = []
    kept: list[Question] = []
    left: frozenset[str] = frozenset()
    for number, question in enumerate(questions):
        if question.paths <= left:
            continue
        _show(question, terminal)
        key = _key(question, f"Make this edit ({number + 1} of {len(questions)}) [y,n,a,k,d,q,x,?]? ", terminal)
        if key == "a":
            return [*wanted, *(each for each in questions[number:] if not each.paths <= left)], kept
        if key == "q":
            break
        if key == "d":
            left |= question.paths
        elif key == "y":
            wanted.append(question)
        elif key == "k":
            kept.append(question)
    return wanted, kept


def _key(question: Question, prompt: str, terminal: Terminal) -> str:
    """The key that answers a question; the end of the input is `q`."""
    from paged_attention_migrate.commands.keeping import can_be_marked

    while True:
        terminal.say(terminal.out(prompt, "heading"))
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            terminal.say("\n")
            return "q"
        key = line.strip().lower()
        if key in {"y", "n", "a", "d", "q"} or (key == "k" and can_be_marked(question.paths)):
            return key
        if key == "k":
            terminal.say("A remark to keep is put into Python files alone: n leaves this place as it is.\n")
        elif key == "x":
            _explain(question, terminal)
        else:
            terminal.say(_HELP)


def _explain(question: Question, terminal: Terminal) -> None:
    from paged_attention_migrate.explain import page
    from paged_attention_migrate.report.terminal import width

    for code in sorted({each.code for each in question.findings}):
        terminal.say(page(code, terminal.out, width()))


def _show(question: Question, terminal: Terminal) -> None:
    from paged_attention_migrate.report.patch import coloured, file_patch
    from paged_attention_migrate.report.text import place, printable

    for each in question.findings:
        terminal.say(f"{place(each, terminal.out)} {printable(each.message)}\n")
    for path, before, after in question.texts:
        text = file_patch(path, before, after)
        terminal.say_bytes(coloured(text, terminal.out) if terminal.out.on else text)
