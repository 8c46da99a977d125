"""One Python file from bytes to findings, and to its new bytes."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from paged_attention_migrate.attempts import as_many_as_proved, choices, proposed
from paged_attention_migrate.buffers import buffers_of
from paged_attention_migrate.documents import SUFFIXES as DOCUMENTS
from paged_attention_migrate.findings import (
    ERROR,
    INFO,
    SAFE,
    UNSAFE,
    Choice,
    Finding,
    Occurrence,
    Replacement,
    by_place,
)
from paged_attention_migrate.markers import first_line_of_name, may_hold_remark
from paged_attention_migrate.module import Draft, Facts, Module
from paged_attention_migrate.names.values import Instance, Local, Reference, Unknown, Values
from paged_attention_migrate.own import FAMILY, IMPORT
from paged_attention_migrate.rewriting import Rewriting, Rewritten, acceptable
from paged_attention_migrate.rules import drafts_of
from paged_attention_migrate.silencing import heeded
from paged_attention_migrate.source import Source, Undecodable

if TYPE_CHECKING:
    from paged_attention_migrate.buffers import Lent
    from paged_attention_migrate.settings import Settings

_IMPORTED = ("PAM101", IMPORT)
_HOMES = ("vllm._custom_ops", "vllm._C.ops", "vllm.attention_ops", "torch.ops._C", "vllm._C")


class Wanted(NamedTuple):
    """What a run wants of a file."""

    rewrite: bool = False
    unsafe: bool = False
    simplify: bool = True
    account: bool = False
    add_todo: bool = False
    propose: bool = False
    choose: bool = False


class Studied(NamedTuple):
    """What became of one file."""

    path: str
    findings: tuple[Finding, ...]
    exports: tuple[tuple[str, str], ...] = ()
    after: bytes | None = None
    notes: tuple[str, ...] = ()
    occurrences: tuple[Occurrence, ...] = ()
    open_paths: frozenset[str] = frozenset()
    registers: tuple[tuple[str, int], ...] = ()  # operators of `_C` that the file defines, with their lines
    once_written: tuple[Finding, ...] = ()  # what is to be said when `after` has been written
    todo_comments: int = 0  # how many of them `after` has more
    choices: tuple[Choice, ...] = ()  # what can be rewritten apart from the rest, if that was asked for
    lent: tuple[Lent, ...] = ()  # how other files may have scratch of calls that can be rewritten


def study_file(path: str, data: bytes, settings: Settings, facts: Facts, wanted: Wanted) -> Studied:
    """Check one file that holds Python, in pieces or as it is, and if wanted, rewrite it."""
    if path.lower().endswith(".ipynb"):
        from paged_attention_migrate.notebooks.studying import study_notebook

        return study_notebook(path, data, settings, facts, wanted)
    if path.lower().endswith(DOCUMENTS):
        from paged_attention_migrate.documents.studying import study_document

        return study_document(path, data, settings, facts, wanted)
    if path.lower().endswith(".pyi"):
        # Nothing in a stub runs, so nothing in it is superfluous either.
        wanted = wanted._replace(simplify=False, add_todo=False)
    return study(path, data, settings, facts, wanted)


def study(path: str, data: bytes, settings: Settings, facts: Facts, wanted: Wanted) -> Studied:
    """Check one file and, if wanted, rewrite it."""
    try:
        source = Source(data)
        module = Module(path, source, settings, facts)
    except Undecodable as error:
        return Studied(path, (unreadable(path, data, str(error), settings.own_names),))
    except SyntaxError as error:
        reason = f"it does not parse with this Python: line {error.lineno}: {error.msg}"
        return Studied(path, (unreadable(path, data, reason, settings.own_names),))
    except (ValueError, RecursionError, MemoryError) as error:
        reason = f"it does not parse with this Python ({type(error).__name__})"
        return Studied(path, (unreadable(path, data, reason, settings.own_names),))
    drafts = drafts_of(module)
    remarks = heeded(module, drafts)
    drafts = remarks.drafts
    _judge_imports(module, drafts)
    if facts.seen_whole and may_hold_remark(data):
        from paged_attention_migrate.rules import remarks as about_remarks

        drafts += about_remarks.drafts(module, remarks)
    rewritten = None
    if wanted.rewrite:
        rewritten, failures = as_many_as_proved(module, drafts, wanted.unsafe, wanted.simplify)
        for draft, reason in failures:
            draft.fix, draft.change = None, None
            draft.code, draft.message = "PAM902", f"{draft.message}; it was left alone: {reason}"
    findings = _findings(module, drafts, rewritten, proposed(module, drafts) if wanted.propose else {})
    apart: tuple[Choice, ...] = ()
    if wanted.choose and rewritten is not None:
        apart = choices(module, rewritten.drafts, drafts, wanted.simplify)
    occurrences: tuple[Occurrence, ...] = ()
    if wanted.account:
        from paged_attention_migrate.account import left_alone

        occurrences = tuple(left_alone(module, drafts))
    text, told = source.text, findings
    if rewritten is not None and rewritten.text != text:
        text, told = rewritten.text, _told_of(module, findings, text, rewritten.text)
    comments = 0
    if wanted.add_todo:
        text, told, comments = _with_todo_comments(module, told, text)
    after = None if text == source.text else source.encode(text)
    notes = rewritten.notes if rewritten else ()
    open_paths = module.followed_no_further()
    exports, registered, lent = _exports(module), module.registered(), _lent(module, drafts)
    return Studied(
        path, findings, exports, after, notes, occurrences, open_paths, registered, told, comments, apart, lent
    )


def unreadable(path: str, data: bytes, reason: str, own_names: tuple[str, ...]) -> Finding:
    """The finding for a file that holds a removed name and cannot be read."""
    line = first_line_of_name(data, own_names)
    text = data.split(b"\n")[line - 1].decode("utf-8", "replace").rstrip("\r")
    message = f"this file holds a removed name and was not checked: {reason}"
    return Finding(path, line, 1, line, 2, "PAM901", ERROR, "", None, message, (), text[:400])


def _judge_imports(module: Module, drafts: list[Draft]) -> None:
    """Say of every import finding whether the rewrite would settle it, safely or not."""
    imports = [draft for draft in drafts if draft.binding is not None]
    for draft in imports:
        draft.fix = None
    for level, unsafe in ((UNSAFE, True), (SAFE, False)) if imports else ():
        exported = module.facts.imported_elsewhere.__contains__
        rewriting = Rewriting(module, acceptable(drafts, unsafe), drafts, exported, unsafe)
        rewriting.decide()
        for draft in rewriting.settled:
            if draft.binding is not None:
                draft.fix = level
    for draft in imports:
        if draft.fix is None and draft.code in _IMPORTED and not draft.kept and _may_go(module, draft):
            draft.message += "; it stays while something else needs the name"


def _may_go(module: Module, draft: Draft) -> bool:
    """Whether anything could take the place of what is imported."""
    found = module.entry(draft.name)
    return found is None or module.target_for(found[0]).is_there


def _told_of(module: Module, findings: tuple[Finding, ...], before: str, after: str) -> tuple[Finding, ...]:
    """What is to be said once `after` has been written in the place of `before`."""
    from paged_attention_migrate.remaining import once_written

    facts = module.facts._replace(declined=frozenset())  # those are places of the old text
    now = study(module.path, module.source.encode(after), module.settings, facts, Wanted())
    return once_written(findings, now.findings, before, after)


def _with_todo_comments(module: Module, told: tuple[Finding, ...], text: str) -> tuple[str, tuple[Finding, ...], int]:
    """A text with a comment at each place that is left, the findings in it, and the number of new comments."""
    from paged_attention_migrate.proof import NotProved, prove_comments_only
    from paged_attention_migrate.todo_comments import START, with_todo_comments

    source = Source(module.source.encode(text))
    try:
        first, added = with_todo_comments(source, _left(told))
        if not added:
            return text, told, 0
        then = _told_of(module, told, text, first)
        # The new lines move others: only now it is known which lines the messages have to name.
        final, _ = with_todo_comments(source, _renumbered(_left(told), _left(then)))
        prove_comments_only(source, final, START)
    except NotProved:
        return text, told, 0
    return final, then, added


def _left(findings: Iterable[Finding]) -> list[Finding]:
    return [each for each in findings if not each.fixed and each.severity != INFO]


def _renumbered(findings: list[Finding], then: list[Finding]) -> list[Finding]:
    if len(findings) != len(then):
        return findings
    pairs = zip(findings, then, strict=True)
    return [each._replace(message=new.message, reasons=new.reasons) for each, new in pairs]


def _findings(
    module: Module, drafts: list[Draft], rewritten: Rewritten | None, edits: dict[int, tuple[Replacement, ...]]
) -> tuple[Finding, ...]:
    settled = {id(draft) for draft in rewritten.drafts} if rewritten else set()
    found: dict[tuple[object, ...], Finding] = {}
    for draft in drafts:
        line, column = module.source.position(draft.start)
        end_line, end_column = module.source.position(draft.end)
        finding = Finding(
            module.path,
            line,
            column,
            end_line,
            end_column,
            draft.code,
            draft.severity,
            draft.name,
            draft.fix,
            draft.message,
            draft.reasons,
            module.source.line(line),
            id(draft) in settled,
            edits.get(id(draft), ()),
        )
        found.setdefault((line, column, draft.code, draft.name), finding)
    return tuple(sorted(found.values(), key=by_place))


def _lent(module: Module, drafts: Iterable[Draft]) -> tuple[Lent, ...]:
    """How other files may have the scratch buffers of the calls that can be rewritten."""
    found: dict[Lent, None] = {}
    for draft in drafts:
        change = draft.change
        if change is None or change.call is None or draft.fix is None:
            continue
        for expression in change.scratch:
            own = change.site.name.family == FAMILY
            found.update(dict.fromkeys(buffers_of(module, own).lent(expression, change.call)))
    return tuple(found)


def _exports(module: Module) -> tuple[tuple[str, str], ...]:
    """What other modules can take from this one that stands for a removed function, or for a module that held one.

    `load()` is the result of a function, `Kernels.ops` an attribute. A removed name with "" is this module's own.
    """
    found: list[tuple[str, str]] = []
    for name, values in module.flow.module_scope.env.items():
        path = _one_path(module, values)
        if path is not None:
            found.append((name, path))
        elif name in module.watched and not any(isinstance(value, Unknown) for value in values):
            found.append((name, ""))
        for value in values:
            found += _inside(module, name, value)
    return tuple(found)


def _inside(module: Module, name: str, value: object) -> list[tuple[str, str]]:
    if isinstance(value, Local) and not isinstance(value.node, ast.ClassDef):
        path = _one_path(module, module.flow.result_of(value))
        return [(f"{name}()", path)] if path is not None else []
    if not isinstance(value, (Local, Instance)) or not isinstance(value.node, ast.ClassDef):
        return []
    found = []
    for attribute in module.flow.class_attributes.get(value.node, {}):
        path = _one_path(module, module.flow.class_attribute(value.node, attribute))
        if path is not None:
            prefixes = (name,) if isinstance(value, Instance) else (name, f"{name}()")
            found += [(f"{prefix}.{attribute}", path) for prefix in prefixes]
    return found


def _one_path(module: Module, values: Values) -> str | None:
    """The one removed function, or home of one, that some values stand for."""
    paths = {value.path for value in values if isinstance(value, Reference)}
    if len(paths) != 1:
        return None
    path = paths.pop()
    known = path in _HOMES or path in module.homes or module.entry(path) is not None
    return path if known else None
