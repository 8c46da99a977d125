"""What a run says: one line for each deletion and edit, and for one path the includes and uses that decided."""

from __future__ import annotations

import os
from collections.abc import Iterator

from paged_attention_migrate.native.gone import NAME
from paged_attention_migrate.native.grammars import language_of, parse
from paged_attention_migrate.report.colour import Paint
from paged_attention_migrate.report.text import printable
from paged_attention_migrate.retire.occurrences import COMMENT, DEFINITION, LOOK_ALIKE, TEXT
from paged_attention_migrate.retire.plan import Plan
from paged_attention_migrate.retire.tree import TreeFile

_KEPT_KINDS = {LOOK_ALIKE: "a look-alike", TEXT: "a text", COMMENT: "a comment"}


class UnknownPath(Exception):
    """No file of the tree; `str()` is one sentence."""


def told(plan: Plan, paint: Paint) -> str:
    """Every change in the order of the paths, then what all definitions stay for."""
    lines = []
    for change in plan.changes:
        where = paint(printable(change.path), "path")
        lines += [f"{where}: {printable(reason)}" for reason in plan.reasons.get(change.path, ())]
    return "".join(f"{line}\n" for line in lines)


def blocked(plan: Plan, paint: Paint) -> str:
    """The places that still need a removed function, one a line."""
    return "".join(
        f"{paint(printable(each.path), 'path')}:{each.line}: still needs it: {printable(each.message)}\n"
        for each in plan.blockers
    )


def summary(plan: Plan, written: bool, paint: Paint) -> str:
    """The few lines at the end."""
    deleted = sum(change.deleted for change in plan.changes)
    edited = len(plan.changes) - deleted
    scanned = f"{_of(len(plan.tree.files), 'file')} scanned"
    done = [
        f"{verb} {_of(count, 'file')}"
        for verb, count in ((_verb("delete", written), deleted), (_verb("edit", written), edited))
        if count
    ]
    head = " and ".join(done)
    head = (
        (head[:1].upper() + head[1:] if written else f"Would {head}")
        if head
        else "Nothing was changed"
        if written
        else "Nothing would change"
    )
    lines = [paint(f"{head}, {scanned}.", "heading")]
    if plan.blockers:
        places = _of(len(plan.blockers), "place")
        lines.append(paint(f"The definitions stay: {places} still {_need(plan)} them.", "heading"))
    lines += [printable(hint) for hint in plan.hints]
    return "".join(f"{line}\n" for line in lines)


def why(plan: Plan, path: str, paint: Paint) -> str:
    """Why a file is deleted, edited or kept, with the lines that include, list and use it."""
    file = _file(plan, path)
    lines = [f"{paint(printable(file.path), 'path')} {_verdict(plan, file)}"]
    lines += [f"  {printable(each)}" for each in _reasons(plan, file)]
    return "".join(f"{line}\n" for line in lines)


def _verdict(plan: Plan, file: TreeFile) -> str:
    change = next((each for each in plan.changes if each.path == file.path), None)
    if change is not None:
        return "is deleted" if change.deleted else "is edited"
    if file.inside in plan.sources.deleted:
        return f"stays for now: {_of(len(plan.blockers), 'place')} still {_need(plan)} what it belongs to"
    return "is not touched"


def _need(plan: Plan) -> str:
    return "needs" if len(plan.blockers) == 1 else "need"


def _file(plan: Plan, path: str) -> TreeFile:
    wanted = os.path.normpath(path).replace(os.sep, "/")
    for file in plan.tree.files:
        if wanted in (file.path, file.inside) or os.path.abspath(wanted) == os.path.abspath(file.path):
            return file
    raise UnknownPath(f"{path} is no file of {plan.tree.root}")


def _reasons(plan: Plan, file: TreeFile) -> Iterator[str]:
    yield from (each.removeprefix("deleted: ") for each in plan.reasons.get(file.path, ()))
    if plan.blockers and file.inside in plan.sources.deleted:
        yield from (f"{each.path}:{each.line} still needs it: {each.message}" for each in plan.blockers)
        yield plan.sources.deleted[file.inside]
    yield from (f"line {each.line} still needs it: {each.message}" for each in plan.blockers if each.path == file.path)
    if file.kind == "c++":
        yield from _includes(plan, file)
    yield from _listings(plan, file)
    yield from _definitions(plan, file)
    yield from _left(plan, file)


def _includes(plan: Plan, file: TreeFile) -> Iterator[str]:
    sources = plan.sources
    gone = "would go" if plan.blockers else "is deleted"
    readers = sources.includes.readers(file.inside)
    for each in sorted(readers):
        fate = f"which {gone}" if each.includer in sources.deleted else "which stays"
        yield f"{each.includer}:{each.line} includes it, {fate}"
    if not readers and file.inside in sources.deleted:
        yield "nothing includes it"
    for each in sources.includes.of(file.inside) if file.inside in sources.deleted else ():
        if each.included in sources.deleted:
            yield f"line {each.line} includes {each.included}, which {gone}, too"
            continue
        other = next(
            (reader for reader in sources.includes.readers(each.included) if reader.includer not in sources.deleted),
            None,
        )
        if other is not None:
            who = f"{other.includer}:{other.line} includes it, too"
            yield f"line {each.line} includes {each.included}, which stays: {who}"


def _listings(plan: Plan, file: TreeFile) -> Iterator[str]:
    for each in plan.builds.entries:
        if each.source == file.inside:
            yield f"{each.file.path}:{each.line} lists it; the entry {'would go' if plan.blockers else 'goes'}, too"


def _definitions(plan: Plan, file: TreeFile) -> Iterator[str]:
    """Who names the functions that a file defines, and what becomes of each."""
    own = plan.sources.occurrences.get(file.inside, ())
    names = {each.name for each in own if each.kind == DEFINITION}
    if not names:
        return
    for other in plan.tree.naming("python", "c++"):
        if other.path == file.path:
            continue
        for line, name in _lines_naming(plan, other, names):
            yield f"{other.path}:{line} names {name}: {_fate(plan, other, line)}"


def _lines_naming(plan: Plan, file: TreeFile, names: set[str]) -> list[tuple[int, str]]:
    data = plan.tree.data(file)
    text = data.decode("latin-1")
    found = {(text.count("\n", 0, match.start()) + 1, match[0]) for match in NAME.finditer(text) if match[0] in names}
    if file.kind == "c++" and found:
        root = parse(language_of(file.path), data).root_node
        matches = [match for match in NAME.finditer(text) if match[0] in names]
        nodes = [(match, root.descendant_for_byte_range(match.start(), match.end())) for match in matches]
        found = {
            (text.count("\n", 0, match.start()) + 1, match[0])
            for match, node in nodes
            if node is None or node.type != COMMENT
        }
    return sorted(found)


def _fate(plan: Plan, file: TreeFile, line: int) -> str:
    change = next((each for each in plan.changes if each.path == file.path), None)
    if change is None:
        return _left_alone(plan, file, line)
    if change.deleted:
        return "that file is deleted, too"
    exact = [each for each in plan.reasons.get(file.path, ()) if f"(line {line})" in each]
    return (exact or list(plan.reasons.get(file.path, ())) or ["edited"])[0]


def _left_alone(plan: Plan, file: TreeFile, line: int) -> str:
    """Why a name in a file that is not changed is none of our business, or is, and stays for now."""
    if file.kind == "c++":
        kinds = [each.kind for each in plan.sources.occurrences.get(file.inside, ()) if each.line == line]
        return f"left alone, {_KEPT_KINDS[kinds[0]]}" if kinds and kinds[0] in _KEPT_KINDS else "stays for now"
    if any(file.path == each.path for each in plan.tree.wrappers()):
        return "stays for now"
    return plan.reason_left_alone(file, line) or "left alone"


def _left(plan: Plan, file: TreeFile) -> Iterator[str]:
    for inside, each in plan.sources.left_alone():
        if inside == file.inside:
            yield f"line {each.line}: {each.name} is left alone: {each.how or _KEPT_KINDS[each.kind]}"
    kept_for = plan.sources.kept_for.get(file.inside)
    if kept_for is not None and file.inside not in plan.sources.deleted:
        yield f"it is kept: {kept_for}"


def _verb(verb: str, written: bool) -> str:
    return f"{verb}d" if written and verb.endswith("e") else f"{verb}ed" if written else verb


def _of(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
