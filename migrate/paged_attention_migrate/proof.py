"""What must hold before a rewritten module may replace the old one.

A rewrite that fails any of these is not written: it parses; the comments are the same, those of removed statements
apart; the newlines are of the same kinds; no name became undefined; every argument of an old call stands in the new one
as often as the plan says and in its order; and a second run over the result finds nothing more to do.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable

from paged_attention_migrate.edits import rewrite_call
from paged_attention_migrate.imports import FUNCTION, SHIM
from paged_attention_migrate.module import Change, Module
from paged_attention_migrate.names.values import Reference
from paged_attention_migrate.rewriting import Rewritten, acceptable
from paged_attention_migrate.rules import every_rule
from paged_attention_migrate.source import Source


class NotProved(Exception):
    """The rewrite failed a proof; `str()` says which."""


def prove(module: Module, rewritten: Rewritten, unsafe: bool, whole: bool = True) -> None:
    """Raise NotProved unless the new text of a module may be written.

    `whole` says that all that could be rewritten was, so that a second run must find nothing.
    """
    try:
        source = Source(module.source.encode(rewritten.text))
        again = Module(module.path, source, module.settings, module.facts)
    except (SyntaxError, ValueError, RecursionError, UnicodeError) as error:
        raise NotProved(f"the result does not parse ({error})") from None
    _comments_are_kept(module.source.text, rewritten)
    kinds = set(re.findall("\r\n|\r|\n", rewritten.text)) - set(re.findall("\r\n|\r|\n", module.source.text))
    if kinds and re.search("[\r\n]", module.source.text):
        raise NotProved("the result has newlines of another kind")
    undefined = again.flow.undefined - module.flow.undefined
    if undefined:
        raise NotProved(f"`{min(undefined)}` would become undefined")
    _calls_reach_the_shim(again, rewritten.local)
    for draft in rewritten.drafts:
        if draft.change is not None and draft.change.call is not None:
            _arguments_agree(module, draft.change)
    if not whole:
        return
    more = acceptable([draft for rule in every_rule() for draft in rule(again)], unsafe)
    if more:
        line, _ = source.position(more[0].start)
        raise NotProved(f"a second run would change line {line} again")


def _comments_are_kept(before: str, rewritten: Rewritten) -> None:
    old = Counter(comments_in(before))
    new = Counter(comments_in(rewritten.text))
    allowed = Counter(rewritten.removed_comments)
    lost = old - new - allowed
    added = new - old
    if lost:
        raise NotProved(f"the comment `{next(iter(lost))}` would be lost")
    if added:
        raise NotProved(f"the comment `{next(iter(added))}` would be new")


def comments_in(text: str) -> list[str]:
    """Every comment of a module."""
    try:
        tokens = tokenize.generate_tokens(io.StringIO(text, newline="").readline)
        return [token.string.rstrip() for token in tokens if token.type == tokenize.COMMENT]
    except (tokenize.TokenError, SyntaxError) as error:
        raise NotProved(f"the comments cannot be read ({error})") from None


def _calls_reach_the_shim(again: Module, local: str) -> None:
    for node, (values, _) in again.flow.seen.items():
        if isinstance(node, ast.Name) and node.id == local and isinstance(node.ctx, ast.Load):
            paths = {value.path for value in values if isinstance(value, Reference)}
            if f"{SHIM}.{FUNCTION}" not in paths:
                raise NotProved(f"`{local}` at line {node.lineno} would not be the surviving function")


def _arguments_agree(module: Module, change: Change) -> None:
    """Every argument expression stands in the new call as often and in the order that the plan says."""
    assert change.call is not None
    assert change.plan is not None
    plan = change.plan
    old = _in_order(change.call)
    start, end = module.span(change.call)
    new_text = rewrite_call(module.source.text[start:end], None, plan, change.in_partial)
    parsed = ast.parse(f"({new_text})", mode="eval").body
    if not isinstance(parsed, ast.Call):
        raise NotProved(f"the call at line {change.call.lineno} would not be a call any more")
    new = _in_order(parsed)
    given = {ast.dump(_bare(node)) for _, node in old}
    if plan.arrange is not None:
        wanted = [ast.dump(_bare(old[item][1])) for item in plan.arrange if isinstance(item, int)]
    else:
        replaced = dict(plan.replace)
        wanted = []
        for index, (_, node) in enumerate(old):
            if index in plan.drop or index in replaced:
                continue
            wanted += [ast.dump(_bare(node))] * (2 if index in plan.split else 1)
    put_in = _put_in(plan.arrange or (), (text for _, text in (*plan.replace, *plan.insert_after)))
    found = [dump for _, node in new if (dump := ast.dump(_bare(node))) not in put_in or dump in given]
    remaining = [dump for dump in found if dump in set(wanted)]
    if remaining != wanted and not _is_subsequence(wanted, found):
        raise NotProved(f"the arguments of the call at line {change.call.lineno} would not be the same")


def _put_in(arranged: Iterable[int | str], texts: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for item in (*(each for each in arranged if isinstance(each, str)), *texts):
        call = ast.parse(f"f({item})", mode="eval").body
        assert isinstance(call, ast.Call)
        found.update(ast.dump(_bare(node)) for _, node in _in_order(call))
    return found


def _in_order(call: ast.Call) -> list[tuple[str | None, ast.expr]]:
    items: list[tuple[str | None, ast.expr]] = [(None, node) for node in call.args]
    items += [(keyword.arg, keyword.value) for keyword in call.keywords]
    return sorted(items, key=lambda item: (item[1].lineno, item[1].col_offset))


def _bare(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Starred) else node


def _is_subsequence(wanted: list[str], found: list[str]) -> bool:
    rest = iter(found)
    return all(any(item == other for other in rest) for item in wanted)
