"""What must hold before a rewritten module may replace the old one.

A rewrite that fails any of these is not written: it parses; the comments are the same, those of removed statements and
the `noqa` of removed imports apart; the newlines are of the same kinds; no name became undefined; every argument of an
old call stands in the new one as often as the plan says and in its order; and a second run over the result finds
nothing more to do.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from typing import TYPE_CHECKING

from paged_attention_migrate.imports import without_noqa
from paged_attention_migrate.module import Module
from paged_attention_migrate.names.values import Reference
from paged_attention_migrate.rewriting import Rewritten, WrittenCall, acceptable
from paged_attention_migrate.rules import drafts_of
from paged_attention_migrate.silencing import heeded
from paged_attention_migrate.source import Source, Undecodable

if TYPE_CHECKING:
    from paged_attention_migrate.calls.verdict import Plan
    from paged_attention_migrate.targets import Target


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
    _unseen_readers_keep_their_names(module, again)
    for target, local in rewritten.names:
        _calls_reach_the_target(module, again, target, local)
    written: dict[str, list[WrittenCall]] = {}
    for call in rewritten.calls:
        _arguments_agree(call)
        written.setdefault(call.target.path, []).append(call)
    for calls in written.values():
        problem = calls[0].target.unproved(again, tuple((call.after, call.plan.before) for call in calls))
        if problem:
            raise NotProved(problem)
    if not whole:
        return
    more = acceptable(heeded(again, drafts_of(again)).drafts, unsafe)
    if more:
        line, _ = source.position(more[0].start)
        raise NotProved(f"a second run would change line {line} again")


def _comments_are_kept(before: str, rewritten: Rewritten) -> None:
    old = Counter(comments_in(before))
    new = Counter(comments_in(rewritten.text))
    shortened = [pair for pair in rewritten.shortened_comments if pair[1] == without_noqa(pair[0])]
    lost = old - new - Counter(rewritten.removed_comments) - Counter(comment for comment, _ in shortened)
    added = new - old - Counter(rest for _, rest in shortened)
    if lost:
        raise NotProved(f"the comment `{next(iter(lost))}` would be lost")
    if added:
        raise NotProved(f"the comment `{next(iter(added))}` would be new")


def prove_comments_only(source: Source, text: str, start: str) -> None:
    """Raise NotProved unless a text is that of a module with more comments, each of which begins with `start`."""
    try:
        again = Source(source.encode(text))
        same = again.text == text and ast.dump(ast.parse(text)) == ast.dump(ast.parse(source.text))
    except (Undecodable, SyntaxError, ValueError, RecursionError) as error:
        raise NotProved(f"the comments cannot be written ({error})") from None
    old, new = Counter(comments_in(source.text)), Counter(comments_in(text))
    if not same or old - new or not all(comment.startswith(start) for comment in new - old):
        raise NotProved("more than comments would change")


def comments_in(text: str) -> list[str]:
    """Every comment of a module."""
    try:
        tokens = tokenize.generate_tokens(io.StringIO(text, newline="").readline)
        return [token.string.rstrip() for token in tokens if token.type == tokenize.COMMENT]
    except (tokenize.TokenError, SyntaxError) as error:
        raise NotProved(f"the comments cannot be read ({error})") from None


def _unseen_readers_keep_their_names(module: Module, again: Module) -> None:
    """Nothing goes that a magic, or an example which is no whole Python, may read."""
    gone = module.flow.module_scope.stores.keys() - again.flow.module_scope.stores.keys()
    named = sorted(gone & module.facts.named_unseen)
    if named:
        raise NotProved(f"`{named[0]}` would go, and what is not read as Python names it")


def _calls_reach_the_target(module: Module, again: Module, target: Target, local: str) -> None:
    others = _other_meanings(again, target, local)
    # A parameter or variable of that name which was there before is its own business.
    if len(others) > len(_other_meanings(module, target, local)):
        raise NotProved(f"`{ast.unparse(others[0])}` at line {others[0].lineno} would not be `{target.path}`")


def _other_meanings(module: Module, target: Target, local: str) -> list[ast.Name | ast.Attribute]:
    """The uses of a name, and of the attribute that the function is, that do not reach the surviving function."""
    found = []
    for node in ast.walk(module.tree):
        if not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
            continue
        if (node.id == local) if isinstance(node, ast.Name) else (node.attr == target.function):
            values = module.flow.seen.get(node, (frozenset(), None))[0]
            if not any(isinstance(value, Reference) and value.path == target.path for value in values):
                found.append(node)
    return found


Argument = tuple[str | None, str]


def _arguments_agree(call: WrittenCall) -> None:
    """The new call has exactly the arguments that its plan makes of the old ones, in that order."""
    old, new = _in_order(call.before), _in_order(call.after)
    own = 1 if call.is_partial else 0
    if new[own:] != _expected(old, call.plan)[own:]:
        raise NotProved(f"the arguments of the call at line {call.line} would not be the same")


def _expected(old: list[Argument], plan: Plan) -> list[Argument]:
    if plan.arrange is not None:
        return [(None, old[item][1]) if isinstance(item, int) else _in_order(f"f({item})")[0] for item in plan.arrange]
    renamed, replaced, spelled = dict(plan.rename), dict(plan.replace), dict(plan.spell)
    found: list[Argument] = []
    for number, (keyword, dump) in enumerate(old):
        if number in plan.drop:
            continue
        keyword = spelled.get(number, renamed.get(number, keyword)) or None
        if number in replaced:
            found += [(keyword, text) for _, text in _in_order(f"f({replaced[number]})")]
        elif number in plan.split:
            found += [("k_scale" if keyword else None, dump), ("v_scale" if keyword else None, dump)]
        else:
            found.append((keyword, dump))
        for after, parameter, text in plan.insert_after:
            if after == number:
                found.append((parameter if keyword else None, _in_order(f"f({text})")[0][1]))
    return found + [(parameter or None, _in_order(f"f({text})")[0][1]) for parameter, text in plan.append]


def _in_order(text: str) -> list[Argument]:
    """Keyword and expression of every argument of a call, as they stand."""
    parsed = ast.parse(f"({text})", mode="eval").body
    if not isinstance(parsed, ast.Call):
        raise NotProved("a call would not be a call any more")
    items: list[tuple[str | None, ast.expr]] = [(None, node) for node in parsed.args]
    items += [(keyword.arg or "**", keyword.value) for keyword in parsed.keywords]
    items.sort(key=lambda item: (item[1].lineno, item[1].col_offset))
    return [(keyword, ast.dump(node)) for keyword, node in items]
