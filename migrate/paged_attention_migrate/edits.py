"""Rewrites one call with LibCST: its text in, its new text out, every comment and line break kept.

Only the call itself is parsed; what stands around it is never touched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import libcst as cst

    from paged_attention_migrate.calls.verdict import Plan


class Edit(NamedTuple):
    """Replace `text[start:end]` by `new`."""

    start: int
    end: int
    new: str


class NotEditable(Exception):
    """The text cannot be rewritten safely; `str()` says why."""


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """Make all edits; an edit inside another is an error."""
    pieces = []
    done = 0
    for edit in sorted(edits):
        if edit.start < done:
            raise NotEditable("two edits overlap")
        pieces += [text[done : edit.start], edit.new]
        done = edit.end
    pieces.append(text[done:])
    return "".join(pieces)


def rewrite_call(text: str, callee: str | None, plan: Plan, callee_argument: bool = False) -> str:
    """The call `text` with its arguments changed by `plan` and, if given, another callee.

    With `callee_argument` the function is the call's first argument (`functools.partial`).
    """
    import libcst

    call, render = _parse(text)
    new_callee = libcst.parse_expression(callee) if callee is not None else None
    if plan.arrange is not None:
        call = call.with_changes(args=_arranged(list(call.args), plan.arrange))
    elif not plan.is_identity:
        call = _without_dropped(call, _changed(call, plan)) if call.args else call
        for keyword, value in plan.append:
            call = _with_one_more(call, keyword, value)
    if new_callee is not None and callee_argument:
        first, *rest = call.args
        call = call.with_changes(args=[first.with_changes(value=new_callee), *rest])
    elif new_callee is not None:
        call = call.with_changes(func=new_callee)
    return render(call)


def _parse(text: str) -> tuple[cst.Call, Callable[[cst.Call], str]]:
    """Parse a call that may span lines; gives the node and a function that renders one like it."""
    import libcst

    if "\r" in text.replace("\r\n", ""):
        raise NotEditable("the call holds a lone carriage return")
    newline = "\r\n" if "\r\n" in text else "\n"
    module = libcst.Module(body=[], default_newline=newline)
    try:
        node = libcst.parse_expression(f"({text})", libcst.PartialParserConfig(default_newline=newline))
    except libcst.ParserSyntaxError as error:
        raise NotEditable(f"LibCST cannot parse the call: {error.message}") from None
    if not isinstance(node, libcst.Call) or len(node.lpar) != 1:
        raise NotEditable("the text is not a plain call")
    return node, lambda call: module.code_for_node(call)[1:-1]


def _changed(call: cst.Call, plan: Plan) -> list[tuple[cst.Arg, bool]]:
    """Every new argument with whether it is to be dropped; a changed one keeps the separator behind it."""
    import libcst

    renamed = dict(plan.rename)
    replaced = dict(plan.replace)
    spelled = dict(plan.spell)
    changed: list[tuple[cst.Arg, bool]] = []
    before = call.whitespace_before_args
    for index, argument in enumerate(call.args):
        comma = _comma_like(before, _separator_behind(argument))
        before = _separator_behind(argument)
        if index in replaced:
            *leading, last = _texts_of(replaced[index])
            changed += [(_followed(part), False) for part in leading]
            star = "*" if last.startswith("*") else ""
            argument = argument.with_changes(star=star, value=libcst.parse_expression(last.lstrip("*")))
        if index in renamed and argument.keyword is not None:
            argument = argument.with_changes(keyword=argument.keyword.with_changes(value=renamed[index]))
        if index in spelled:
            argument = _spelled(argument, spelled[index])
        if index in plan.split:
            first, argument = _split(argument, comma)
            changed.append((first, False))
        for after, parameter, text in plan.insert_after:
            if after == index:
                first, argument = _inserted(argument, parameter, text, comma)
                changed.append((first, False))
        changed.append((argument, index in plan.drop))
    return changed


def _texts_of(new: str) -> list[str]:
    """`items[0], *items[4:]` stands for two arguments; anything else for one."""
    first, comma, rest = new.partition(", *")
    return [first, f"*{rest}"] if comma else [new]


def _comma() -> cst.Comma:
    import libcst

    return libcst.Comma(whitespace_after=libcst.SimpleWhitespace(" "))


def _comma_like(before: cst.BaseParenthesizableWhitespace, behind: cst.BaseParenthesizableWhitespace) -> cst.Comma:
    """A comma for a new argument: with a line break where the one beside it has a line of its own."""
    import libcst

    if not isinstance(before, libcst.ParenthesizedWhitespace) or not isinstance(behind, libcst.ParenthesizedWhitespace):
        return _comma()
    plain = libcst.TrailingWhitespace(newline=before.first_line.newline)
    return libcst.Comma(whitespace_after=before.with_changes(first_line=plain, empty_lines=[]))


def _followed(text: str) -> cst.Arg:
    import libcst

    return libcst.Arg(value=libcst.parse_expression(text), comma=_comma())


def _split(argument: cst.Arg, comma: cst.Comma) -> tuple[cst.Arg, cst.Arg]:
    import libcst

    if argument.keyword is None:
        plain = argument.value.deep_clone()
        return libcst.Arg(value=plain, comma=comma), argument
    first = argument.with_changes(keyword=libcst.Name("k_scale"), comma=comma, value=argument.value.deep_clone())
    return first, argument.with_changes(keyword=libcst.Name("v_scale"))


def _inserted(argument: cst.Arg, parameter: str, text: str, comma: cst.Comma) -> tuple[cst.Arg, cst.Arg]:
    """`text` as a new argument behind `argument`; by keyword when that one is."""
    import libcst

    value = libcst.parse_expression(text)
    keyword = libcst.Name(parameter) if argument.keyword is not None else None
    behind = argument.with_changes(keyword=keyword, value=value)
    apart, space = comma.whitespace_after, _separator_behind(argument)
    broken = libcst.ParenthesizedWhitespace
    if isinstance(apart, broken) and isinstance(space, broken) and space.first_line.comment is not None:
        # A comment at the end of a line is about what stands on it.
        comma = comma.with_changes(whitespace_after=apart.with_changes(first_line=space.first_line))
        plain = libcst.TrailingWhitespace(newline=space.first_line.newline)
        with_comma = isinstance(argument.comma, libcst.Comma)
        behind = _with_separator(behind, space.with_changes(first_line=plain), comma=with_comma)
    return argument.with_changes(comma=comma, whitespace_after_arg=libcst.SimpleWhitespace("")), behind


def _spelled(argument: cst.Arg, keyword: str) -> cst.Arg:
    """The argument, passed under a keyword or, for "", by its place."""
    import libcst

    if not keyword:
        return argument.with_changes(keyword=None, equal=libcst.MaybeSentinel.DEFAULT)
    if argument.keyword is not None:
        return argument.with_changes(keyword=argument.keyword.with_changes(value=keyword))
    return argument.with_changes(keyword=libcst.Name(keyword), equal=_plain_equal())


def _plain_equal() -> cst.AssignEqual:
    import libcst

    return libcst.AssignEqual(libcst.SimpleWhitespace(""), libcst.SimpleWhitespace(""))


def _with_one_more(call: cst.Call, keyword: str, value: str) -> cst.Call:
    """The call with an argument behind all others, laid out as they are."""
    import libcst

    new = _spelled(libcst.Arg(value=libcst.parse_expression(value)), keyword)
    if not call.args:
        return call.with_changes(args=[new])
    *others, last = call.args
    before = _separator_behind(others[-1]) if others else call.whitespace_before_args
    between: cst.BaseParenthesizableWhitespace = libcst.SimpleWhitespace(" ")
    closing = _separator_behind(last)
    if isinstance(before, libcst.ParenthesizedWhitespace) and isinstance(closing, libcst.ParenthesizedWhitespace):
        plain = libcst.TrailingWhitespace(newline=closing.first_line.newline)
        between = closing.with_changes(indent=before.indent, last_line=before.last_line)
        closing = closing.with_changes(first_line=plain, empty_lines=[])
    new = _with_separator(new, closing, comma=isinstance(last.comma, libcst.Comma))
    return call.with_changes(args=[*others, _with_separator(last, between, comma=True), new])


def _without_dropped(call: cst.Call, arguments: list[tuple[cst.Arg, bool]]) -> cst.Call:
    """Take the dropped arguments out, and join the white space and comments around them."""
    import libcst

    trailing_comma = isinstance(arguments[-1][0].comma, libcst.Comma)
    kept: list[cst.Arg] = []
    before = call.whitespace_before_args
    pending: list[cst.BaseParenthesizableWhitespace] = []
    for argument, dropped in arguments:
        if dropped:
            pending.append(_separator_behind(argument))
        elif pending and kept:
            kept[-1] = _with_separator(kept[-1], joined_separators([_separator_behind(kept[-1]), *pending]), comma=True)
            pending = []
            kept.append(argument)
        else:
            if pending:
                before = joined_separators([before, *pending])
                pending = []
            kept.append(argument)
    if pending and kept:
        joined = joined_separators([_separator_behind(kept[-1]), *pending], closing=True)
        kept[-1] = _with_separator(kept[-1], joined, comma=trailing_comma)
    return call.with_changes(args=kept, whitespace_before_args=before)


def _separator_behind(argument: cst.Arg) -> cst.BaseParenthesizableWhitespace:
    import libcst

    if isinstance(argument.comma, libcst.Comma):
        return argument.comma.whitespace_after
    return argument.whitespace_after_arg


def _with_separator(argument: cst.Arg, space: cst.BaseParenthesizableWhitespace, comma: bool) -> cst.Arg:
    import libcst

    if not comma:
        return argument.with_changes(comma=libcst.MaybeSentinel.DEFAULT, whitespace_after_arg=space)
    known = argument.comma if isinstance(argument.comma, libcst.Comma) else libcst.Comma()
    return argument.with_changes(comma=known.with_changes(whitespace_after=space))


def joined_separators(
    separators: list[cst.BaseParenthesizableWhitespace], closing: bool = False
) -> cst.BaseParenthesizableWhitespace:
    """One separator for several: a line break where any had one, and every comment.

    A comment on the line of what stays before stays at its end; the others get lines of their own.
    """
    import libcst

    broken = [space for space in separators if isinstance(space, libcst.ParenthesizedWhitespace)]
    if not broken:
        return separators[-1] if closing else separators[0]
    chosen = broken[-1]
    if closing and chosen is not separators[-1]:
        # The bracket stood on the last argument's line: it stays on the line of what is last now.
        return separators[-1] if not any(_comments_in(space) for space in broken) else chosen
    lines: list[cst.EmptyLine] = []
    for space in broken:
        comment = space.first_line.comment
        if comment is not None and space is not broken[0]:
            newline = space.first_line.newline
            margin = broken[0].last_line
            lines.append(libcst.EmptyLine(indent=False, whitespace=margin, comment=comment, newline=newline))
        lines += [line for line in space.empty_lines if line.comment is not None or space is chosen]
    first_line = broken[0].first_line if broken[0].first_line.comment else chosen.first_line
    if chosen.first_line.comment is not None and chosen is not broken[0] and first_line is chosen.first_line:
        first_line = first_line.with_changes(comment=None, whitespace=libcst.SimpleWhitespace(""))
    return chosen.with_changes(first_line=first_line, empty_lines=lines)


def _arranged(arguments: list[cst.Arg], order: Sequence[int | str]) -> list[cst.Arg]:
    """The whole list in another order; line breaks follow the way the old list was laid out."""
    import libcst

    commas = [argument.comma for argument in arguments if isinstance(argument.comma, libcst.Comma)]
    usual = commas[0] if commas else _comma()
    if any(_comments_in(_separator_behind(argument)) for argument in arguments):
        raise NotEditable("the arguments change their order, and comments stand between them")
    arranged = []
    for item in order:
        if isinstance(item, int):
            arranged.append(arguments[item].with_changes(keyword=None, comma=usual, equal=libcst.MaybeSentinel.DEFAULT))
            continue
        name, equals, value = item.partition("=")
        if equals:
            keyword = libcst.Arg(
                keyword=libcst.Name(name),
                value=libcst.parse_expression(value),
                comma=usual,
                equal=_plain_equal(),
            )
            arranged.append(keyword)
        else:
            arranged.append(libcst.Arg(value=libcst.parse_expression(item), comma=usual))
    last = arguments[-1]
    arranged[-1] = arranged[-1].with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
    return arranged


def _comments_in(space: cst.BaseParenthesizableWhitespace) -> bool:
    import libcst

    if not isinstance(space, libcst.ParenthesizedWhitespace):
        return False
    return space.first_line.comment is not None or any(line.comment is not None for line in space.empty_lines)
