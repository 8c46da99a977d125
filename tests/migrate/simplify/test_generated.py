"""Generated functions do the same before and after: a recorder stands in for torch and for the surviving function."""

from __future__ import annotations

import ast
import contextlib
import io
import tokenize
from collections import Counter
from textwrap import indent
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from paged_attention_migrate.simplify import Dropped, Simplified, numbered_scopes, simplify
from paged_attention_migrate.simplify.passes import simplified

SCRATCH = ("sums", "peaks", "buf")
SIZES = ("parts", "n", "h", "small", "part")
PARAMETERS = ("q", "m", "flag")
REPLACEMENTS = frozenset({"paged_attention"})


class Buffer:
    """Stands in for a tensor: what it was made from, and what was done to it."""

    def __init__(self, *made_from: object) -> None:
        self.history = list(made_from)
        self.shape = (2, 3)

    def fill_(self, value: object) -> Buffer:
        self.history.append(value)
        return self

    def size(self, axis: int) -> int:
        return self.shape[axis]

    def __repr__(self) -> str:
        return f"Buffer({self.history})"


class Program:
    """Draws the statements of one function, reading only names that are bound on every way there."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.serial = 0

    def block(self, bound: set[str], depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.draw(st.integers(1, 5 if depth else 9))):
            lines += self.statement(bound, depth)
            if self.draw(st.integers(0, 5)) == 0:
                lines.append("")
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def pick(self, *choices: str) -> str:
        return self.draw(st.sampled_from(choices))

    def name(self, bound: set[str]) -> str:
        return self.draw(st.sampled_from(sorted(bound)))

    def number(self, bound: set[str]) -> str:
        names = sorted(bound & {*SIZES, "m"})
        kind = self.pick("literal", "name", "sum", "shape", "cdiv", "max", "noisy")
        if kind == "literal" or not names:
            return self.pick("1", "2", "512")
        name = self.draw(st.sampled_from(names))
        forms = {"name": name, "sum": f"({name} + 511) // 512", "cdiv": f"cdiv({name}, 2)", "max": f"max(1, {name})"}
        return forms.get(kind) or {"shape": "q.shape[0]", "noisy": f"noisy({name})"}[kind]

    def buffer(self, bound: set[str]) -> str:
        sources = sorted(bound & {*SCRATCH, "q"})
        forms = (
            f"torch.empty({self.number(bound)}, {self.number(bound)})",
            f"torch.zeros(({self.number(bound)},), dtype=torch.float32)",
            f"torch.empty_like({self.draw(st.sampled_from(sources))})",
            f"torch.rand({self.number(bound)})",
            f"torch.empty({self.number(bound)}).fill_({self.number(bound)})",
            "None",
        )
        return self.pick(*forms)

    def test(self, bound: set[str]) -> str:
        return self.pick("flag", "not flag", f"{self.number(bound)} > 1", f"noisy({self.number(bound)}) > 1")

    def call(self, bound: set[str]) -> str:
        arguments = ", ".join([self.name(bound), *(self.number(bound) for _ in range(self.draw(st.integers(0, 2))))])
        return f"{self.pick('', 'q.kept = ', '_ = ')}paged_attention(q, {arguments})"

    def statement(self, bound: set[str], depth: int) -> list[str]:
        kinds = (
            ["buffer"] * 4 + ["number"] * 3 + ["call", "call", "read", "comment", "several", "fill", "delete", "aug"]
        )
        if depth < 3:
            kinds += ["if", "arms", "for", "with", "try", "inner"]
        lines: list[str] = getattr(self, f"a_{self.pick(*kinds)}")(bound, depth)
        return lines

    def a_buffer(self, bound: set[str], _: int) -> list[str]:
        value, target = self.buffer(bound), self.pick(*SCRATCH)
        bound.add(target)
        comment = self.pick("", "", f"  # note {self.next()}")
        return [f"{target}{self.pick('', '', ': object')} = {value}{comment}"]

    def a_number(self, bound: set[str], _: int) -> list[str]:
        value, target = self.number(bound), self.pick(*SIZES)
        bound.add(target)
        return [f"{target} = {value}"]

    def a_several(self, bound: set[str], _: int) -> list[str]:
        form = self.pick("unpack", "chain", "semicolon", "pair")
        first, second = self.draw(st.permutations(SCRATCH))[:2]
        left, right = self.draw(st.permutations(SIZES))[:2]
        buffer, number = self.buffer(bound), self.number(bound)
        lines = {
            "unpack": f"{left}, {right} = q.shape",
            "chain": f"{first} = {second} = {buffer}",
            "semicolon": f"{first} = {buffer}; {left} = {number}; used({left})",
            "pair": f"{first}, {second} = {buffer}, None",
        }
        bound.update({"unpack": {left, right}, "semicolon": {first, left}}.get(form, {first, second}))
        return [lines[form]]

    def a_fill(self, bound: set[str], _: int) -> list[str]:
        target = self.pick(*SCRATCH)
        bound.add(target)
        return [f"{target} = torch.empty({self.number(bound)})", f"{target}.fill_(0)"]

    def a_aug(self, bound: set[str], depth: int) -> list[str]:
        names = sorted(bound & set(SIZES))
        return (
            [f"{self.draw(st.sampled_from(names))} += {self.number(bound)}"] if names else self.a_number(bound, depth)
        )

    def a_delete(self, bound: set[str], depth: int) -> list[str]:
        target = self.pick(*SCRATCH)
        if depth:
            return self.a_fill(bound, depth)
        bound.discard(target)
        return [f"{target} = torch.empty(1)", f"del {target}"]

    def a_call(self, bound: set[str], _: int) -> list[str]:
        return [self.call(bound)]

    def a_read(self, bound: set[str], _: int) -> list[str]:
        name = self.name(bound)
        return [self.pick(f"used({name})", f"q.seen = {name}", f"used([{name} for _ in (1, 2)])")]

    def a_comment(self, bound: set[str], depth: int) -> list[str]:
        return [f"# comment {self.next()}", *self.a_buffer(bound, depth)]

    def a_if(self, bound: set[str], depth: int) -> list[str]:
        lines = [f"if {self.test(bound)}:"]
        ways = [set(bound)]
        lines += indented(self.block(ways[-1], depth + 1))
        if self.draw(st.booleans()):
            lines += [f"elif {self.test(bound)}:"]
            ways.append(set(bound))
            lines += indented(self.block(ways[-1], depth + 1))
        if self.draw(st.booleans()):
            lines += ["else:"]
            ways.append(set(bound))
            lines += indented(self.block(ways[-1], depth + 1))
        else:
            ways.append(set(bound))
        bound.intersection_update(*ways)
        bound.update(set.intersection(*ways))
        return lines

    def a_arms(self, bound: set[str], _: int) -> list[str]:
        arm = [self.call(bound)]
        if self.draw(st.booleans()):
            arm += [f"used({self.name(bound)})"]
        arms = [list(arm) for _ in range(self.draw(st.integers(2, 3)))]
        for position, lines in enumerate(arms):
            extra = self.pick("", "", f"# arm {position}", "assert 512 % 16 == 0", "sums = torch.empty(1)")
            if extra:
                lines.insert(0, extra)
        head, *middle = [f"if {self.test(bound)}:", *(f"elif {self.test(bound)}:" for _ in arms[2:])]
        lines = [head, *indented(arms[0])]
        for test, body in zip(middle, arms[2:], strict=True):
            lines += [test, *indented(body)]
        return [*lines, "else:", *indented(arms[1])]

    def a_for(self, bound: set[str], depth: int) -> list[str]:
        body = self.block(set(bound), depth + 1)
        return [f"for _ in {self.pick('range(2)', 'noisy((1, 2))')}:", *indented(body)]

    def a_with(self, bound: set[str], depth: int) -> list[str]:
        return [f"with {self.pick('torch.no_grad()', 'scope(1)')}:", *indented(self.block(bound, depth + 1))]

    def a_try(self, bound: set[str], depth: int) -> list[str]:
        before = set(bound)
        lines = ["try:", *indented(self.block(bound, depth + 1))]
        bound.intersection_update(before)
        return [*lines, "finally:", *indented(self.block(bound, depth + 1))]

    def a_inner(self, bound: set[str], _: int) -> list[str]:
        name = self.name(bound)
        inner = self.pick(f"used({name})", f"{name} = 4", f"paged_attention(q, {name})", f"buf = {name}")
        if self.draw(st.booleans()):
            return [f"run = lambda: used({name})", "run()"]
        if inner.startswith(f"{name} = ") and name not in PARAMETERS and self.draw(st.booleans()):
            return ["def run():", f"    nonlocal {name}", f"    {inner}", "run()"]
        return ["def run():", f"    {inner}", "run()"] if inner != f"buf = {name}" or name != "buf" else ["used(buf)"]

    def next(self) -> int:
        self.serial += 1
        return self.serial


def indented(lines: list[str]) -> list[str]:
    return indent("\n".join(lines), "    ").split("\n")


@st.composite
def functions(draw: st.DrawFn) -> str:
    program = Program(draw)
    bound = set(PARAMETERS)
    body = program.block(bound, 0)
    tail = draw(st.sampled_from(["return q", "return None", f"return {draw(st.sampled_from(sorted(bound)))}"]))
    lines = ["def f(q, m, flag):", *indented([*body, program.call(bound), tail])]
    return "\n".join(line.rstrip() for line in lines) + draw(st.sampled_from(["\n", ""]))


def behaviour(text: str, m: int, *, flag: bool) -> tuple[list[str], str]:
    """All that happens outside the function while it runs, and what it returns."""
    seen: list[str] = []

    def record(kind: str, result: Any = None) -> Any:
        def call(*arguments: object) -> object:
            seen.append(f"{kind}{arguments!r}")
            return arguments[0] if result is None else result

        return call

    def draw(*size: object) -> Buffer:
        seen.append("drawn")
        return Buffer(*size)

    torch = SimpleNamespace(
        empty=lambda *size, **_: Buffer(*size),
        zeros=lambda *size, **_: Buffer(*size),
        empty_like=Buffer,
        rand=draw,
        no_grad=contextlib.nullcontext,
        float32="float32",
    )

    @contextlib.contextmanager
    def scope(value: object) -> Any:
        seen.append(f"enter {value}")
        yield
        seen.append("leave")

    names: dict[str, Any] = {
        "torch": torch,
        "paged_attention": record("attend"),
        "used": record("used"),
        "noisy": record("noisy"),
        "cdiv": lambda a, b: -(-a // b),
        "scope": scope,
    }
    exec(compile(text, "generated", "exec"), names)
    query = Buffer("query")
    returned = names["f"](query, m, flag)
    return seen, repr((returned, vars(query)))


def comments_of(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


@settings(max_examples=400)
@given(functions(), st.sampled_from(SCRATCH))
def test_generated_functions_do_the_same(text: str, only: str) -> None:
    ast.parse(text)
    scopes = range(len(numbered_scopes(ast.parse(text))))
    for names in (SCRATCH, (only,)):
        dropped = [Dropped(index, names) for index in scopes]
        result = simplified(text, dropped, REPLACEMENTS)
        for m, flag in ((1, True), (3, False)):
            assert behaviour(result.text, m, flag=flag) == behaviour(text, m, flag=flag)
        assert comments_of(text) == comments_of(result.text) + Counter(result.removed_comments)
        again = simplify(result.text, dropped, REPLACEMENTS)
        assert again == Simplified(result.text, (), ())
        old_lines = {line.strip() for line in text.splitlines()}
        new_lines = {line.strip() for line in result.text.splitlines()}
        assert not [line for line in new_lines - old_lines if line != "pass" and "used(" not in line]
        assert "\n\n\n" not in result.text
