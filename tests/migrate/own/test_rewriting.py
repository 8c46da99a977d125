"""What becomes of code that uses names which the settings call removed; most of it must stay as it is."""

from __future__ import annotations

import pytest

from paged_attention_migrate.module import Facts
from paged_attention_migrate.own.table import own_names
from paged_attention_migrate.settings import Settings
from paged_attention_migrate.study import Studied, Wanted, study_file

NORM = {
    "name": "fused_add_norm",
    "homes": ["oldlib.ops", "oldlib"],
    "signature": "(out, x, weight, scratch, eps=1e-6, mode='fast')",
    "replacement": "newlib.ops.add_norm",
    "replacement-signature": "(out, input, weight, eps=1e-5)",
    "renamed": {"x": "input"},
    "dropped": ["scratch", "mode"],
    "since": "oldlib 2.0",
    "reason": "merged into add_norm",
}
MOVED = {"name": "load", "homes": ["oldlib.io"], "replacement": "newlib.io.load"}
WITHIN = {"name": "gelu", "homes": ["oldlib.ops"], "replacement": "oldlib.ops.gelu_tanh"}
ROPE = {
    "name": "rope",
    "homes": ["oldlib.ops"],
    "signature": "(q, k, cos, sin, base=LIMIT)",
    "replacement": "newlib.ops.rotary",
    "replacement-signature": "(q, k, sin, cos, base)",
    "safe": False,
}
GONE = {"name": "profile", "homes": ["oldlib.debug"], "since": "1.9", "reason": "use torch.profiler"}
SETTINGS = Settings(removed=own_names([NORM, MOVED, WITHIN, ROPE, GONE], "here:"))


def studied(source: str, unsafe: bool = False, path: str = "serve/case.py", facts: Facts | None = None) -> Studied:
    wanted = Wanted(rewrite=True, unsafe=unsafe)
    return study_file(path, source.encode(), SETTINGS, facts or Facts(seen_whole=True), wanted)


def after(source: str, unsafe: bool = False, path: str = "serve/case.py") -> str:
    new = studied(source, unsafe, path).after
    return source if new is None else new.decode()


def codes(source: str, path: str = "serve/case.py") -> list[str]:
    found = studied(source, path=path).findings
    return [f"{each.line} {each.code} {each.fix}" for each in found if each.severity != "info"]


MOVES = """\
import oldlib.ops as ops

ops.fused_add_norm(o, x, w, s)
# becomes
from newlib.ops import add_norm

add_norm(o, x, w, eps=1e-6)
# ------
from oldlib import fused_add_norm

fused_add_norm(o, x, w, s, 1e-5)
# becomes
from newlib.ops import add_norm

add_norm(o, x, w, 1e-5)
# ------
from oldlib.ops import fused_add_norm as norm, silu

silu(norm(o, weight=w, x=x, scratch=None, eps=e))
# becomes
from newlib.ops import add_norm as norm
from oldlib.ops import silu

silu(norm(o, weight=w, input=x, eps=e))
# ------
import oldlib

oldlib.fused_add_norm(
    o,
    x,  # in
    w,
    s,  # scratch
    e,
)
# becomes
from newlib.ops import add_norm

add_norm(
    o,
    x,  # in
    w,
    # scratch
    e,
)
# ------
from oldlib.ops import fused_add_norm

fused_add_norm(
    o,
    x,
    w,
    s,  # scratch
)
# becomes
from newlib.ops import add_norm

add_norm(
    o,
    x,
    w,
    # scratch
    eps=1e-6,
)
# ------
from oldlib.io import load

load(*a, **k)
table = {'load': load}
map(load, a)
# becomes
from newlib.io import load

load(*a, **k)
table = {'load': load}
map(load, a)
# ------
from oldlib import ops

ops.gelu(x)
ops.silu(x)
f = ops.gelu
# becomes
from oldlib import ops

ops.gelu_tanh(x)
ops.silu(x)
f = ops.gelu_tanh
# ------
from oldlib import io, ops


def f(x):
    return ops.fused_add_norm(x, io.load(x), x, None, 0)
# becomes
from newlib.io import load
from newlib.ops import add_norm


def f(x):
    return add_norm(x, load(x), x, 0)
# ------
def f(add_norm):
    from oldlib import fused_add_norm

    return fused_add_norm(add_norm, 1, 2, 3, 4)
# becomes
def f(add_norm):
    from newlib.ops import add_norm as newlib_add_norm

    return newlib_add_norm(add_norm, 1, 2, 4)
# ------
try:
    from oldlib.io import load
except ImportError:
    load = None

if load is not None:
    load(1)
# becomes
try:
    from newlib.io import load
except ImportError:
    load = None

if load is not None:
    load(1)
# ------
from oldlib import fused_add_norm


def f(o, x, w, s):
    g = fused_add_norm
    g(o, x, w, s, 0)
# becomes
from newlib.ops import add_norm


def f(o, x, w, s):
    g = add_norm
    g(o, x, w, 0)
# ------
import torch
from oldlib import fused_add_norm


def f(o, x, w):
    s = torch.empty(8)
    fused_add_norm(o, x, w, s, 0)
    fused_add_norm(o, x, w, s, 1)
# becomes
from newlib.ops import add_norm


def f(o, x, w):
    add_norm(o, x, w, 0)
    add_norm(o, x, w, 1)
# ------
from oldlib import fused_add_norm


def f(o, x, w, m):
    fused_add_norm(o, x, w, None, 0, m)
    print(m)
# becomes
from newlib.ops import add_norm


def f(o, x, w, m):
    add_norm(o, x, w, 0)
    print(m)
# ------
from oldlib import io
from oldlib.io import load

load(io.load(1))
# becomes
from newlib.io import load

load(load(1))
# ------
from oldlib import ops

match x:
    case ops.gelu(a=1) | ops.Other():
        ops.gelu(2)
# becomes
from oldlib import ops

match x:
    case ops.gelu_tanh(a=1) | ops.Other():
        ops.gelu_tanh(2)
# ------
from oldlib.ops import gelu

gelu(1)
del gelu
# becomes
from oldlib.ops import gelu_tanh as gelu

gelu(1)
del gelu
# ------
from oldlib.ops import gelu

gelu(globals()["gelu"])
# becomes
from oldlib.ops import gelu_tanh as gelu

gelu(globals()["gelu"])
# ------
from oldlib.ops import gelu


class A(gelu):
    x: "list[gelu]" = gelu(1)
# becomes
from oldlib.ops import gelu_tanh as gelu


class A(gelu):
    x: "list[gelu]" = gelu(1)
# ------
from oldlib import ops


async def f():
    async with ops.gelu(1) as a:
        return await ops.fused_add_norm(await a, (yield), lambda: 1, None, 2), [ops.gelu(i) for i in a]
# becomes
from newlib.ops import add_norm
from oldlib import ops


async def f():
    async with ops.gelu_tanh(1) as a:
        return await add_norm(await a, (yield), lambda: 1, 2), [ops.gelu_tanh(i) for i in a]
# ------
from oldlib import fused_add_norm

fused_add_norm(fused_add_norm(a, b, c, None, 0), x, w, None, 0)
# becomes
from newlib.ops import add_norm

add_norm(add_norm(a, b, c, 0), x, w, 0)
"""


@pytest.mark.parametrize("case", MOVES.split("# ------\n"))
def test_code_that_moves(case: str) -> None:
    before, wanted = case.split("# becomes\n")
    assert after(before) == wanted
    assert after(wanted) == wanted


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("ops.fused_add_norm(*items)", "2 PAM502 None"),
        ("ops.fused_add_norm(o, x, w, s, **more)", "2 PAM502 None"),
        ("ops.fused_add_norm(o, x, w)", "2 PAM502 None"),
        ("ops.fused_add_norm(o, x, w, s, 0, 1, 2)", "2 PAM502 None"),
        ("ops.fused_add_norm(o, x, w, s, bias=1)", "2 PAM502 None"),
        ("ops.fused_add_norm(o, x, w, s, 0, out=o)", "2 PAM502 None"),
        ("ops.fused_add_norm(o, x, w, make())", "2 PAM502 None"),
        ("s = make()\nops.fused_add_norm(o, x, w, s)\nprint(s)", "3 PAM502 None"),
        ("s = make()\nops.fused_add_norm(o, x, w, s)\nreturned = [s]\nprint(returned)", "3 PAM502 None"),
        ("s = make()\nops.fused_add_norm(o, x, w, s)\npaged_attention_sums(s)", "3 PAM502 None"),
        ("functools.partial(ops.fused_add_norm, o)", "2 PAM502 None"),
        ("map(ops.fused_add_norm, items)", "2 PAM503 None"),
        ("table = {1: ops.fused_add_norm}", "2 PAM503 None"),
        ("f = ops.fused_add_norm\nf(o, x, w, s)", "2 PAM503 None"),
        ("ops.fused_add_norm.__wrapped__(o)", "2 PAM503 None"),
        ("isinstance(x, ops.gelu)", "2 PAM503 unsafe"),
        ("isinstance(x, (int, ops.gelu))", "2 PAM503 unsafe"),
        ("ops.gelu is f", "2 PAM503 unsafe"),
        ("f in (g, ops.gelu)", "2 PAM503 unsafe"),
        ("f = ops.gelu\nf is g", "2 PAM503 None"),
        ("ops.gelu[1]", "2 PAM503 None"),
        ("ops.fused_add_norm = mine", "2 PAM504 None"),
        ('getattr(ops, "fused_add_norm")(o)', "2 PAM504 None"),
        ('hasattr(ops, "gelu")', "2 PAM504 None"),
        ('monkeypatch.setattr(ops, "fused_add_norm", fake)', "2 PAM504 None"),
        ('mock.patch("oldlib.ops.fused_add_norm")', "2 PAM504 None"),
        ('mock.patch("oldlib.fused_add_norm")', "2 PAM504 None"),
        ('"oldlib.ops:rope"', "2 PAM504 None"),
        ("class A:\n    def f(self, ops):\n        return ops.fused_add_norm(1)", "4 PAM505 None"),
        ("anything().fused_add_norm(1)", "2 PAM505 None"),
        ('getattr(unknown, "rope")', "2 PAM505 None"),
        ("def add_norm(o, x, w):\n    ops.fused_add_norm(o, x, w, None)", "3 PAM502 None"),
        ("ops.rope(q, k, cos, sin)", "2 PAM502 None"),
        ("match x:\n    case ops.gelu:\n        pass", "3 PAM503 None"),
        ("holder = SimpleNamespace(ops=ops)\nholder.ops.gelu(1)", "3 PAM505 None"),
        ("(ops.gelu if x else y)(1)", "2 PAM503 None"),
        ('print(f"{ops.gelu(1)}")', "2 PAM503 None"),
    ],
)
def test_code_that_is_left_for_a_person(source: str, wanted: str) -> None:
    source = f"from oldlib import ops\n{source}\n"
    assert after(source) == source
    assert codes(source) == [wanted]


@pytest.mark.parametrize(
    "source",
    [
        "from other import ops\nops.fused_add_norm(1)\n",
        "from oldlib import layers\nlayers.fused_add_norm(1)\n",
        "from oldlib.ops.fused import fused_add_norm\nfused_add_norm(1)\n",
        "def fused_add_norm(a):\n    return a\n\nfused_add_norm(1)\n",
        "class A:\n    def load(self):\n        return self\n\nA().load()\n",
        "import json\nprint(json.load(file), file.load, load)\n",
        "import oldlib.ops\noldlib.ops.fused_add_norms(1)\n",
        'names = ["fused_add_norm", "load"]\nprofile = {"profile": 1}\n',
        "# oldlib.ops.fused_add_norm(o, x, w, s)\n",
        '"""oldlib.ops.fused_add_norm is gone."""\nfused_add_norm = 3\n',
        "import oldlib\n\n\ndef f(load, *, rope):\n    return load(rope=rope, profile=load)\n",
        "from newlib.ops import add_norm\nadd_norm(a, b, c)\n",
        "from newlib.io import load\nload(1)\n",
        "from oldlib import ops\nops = make()\nops.silu()\nfused_add_norm = ops\n",
        'from oldlib import ops\nprint(f"{fused_add_norm=}" if False else "load")\nfused_add_norm = 1\n',
    ],
)
def test_look_alikes_stay_without_a_word(source: str) -> None:
    assert after(source, unsafe=True) == source
    assert codes(source) == []


def test_an_unknown_object_counts_only_where_the_package_is_imported() -> None:
    source = "def f(thing):\n    return thing.load(1)\n"
    assert codes(source) == []
    assert [each.code for each in studied(source).findings] == ["PAM505"]
    assert codes(f"import oldlib\n{source}") == ["3 PAM505 None"]


def test_code_in_strings_keeps_the_function_that_it_calls() -> None:
    before = 'from oldlib import fused_add_norm\n\nfused_add_norm(a, b, c, None, 0)\neval("fused_add_norm(x)")\n'
    new = "from newlib.ops import add_norm\nfrom oldlib import fused_add_norm\n\nadd_norm(a, b, c, 0)\n"
    assert after(before) == f'{new}eval("fused_add_norm(x)")\n'


def test_a_function_that_another_function_replaces_may_be_another() -> None:
    before = (
        "from oldlib.ops import gelu\n\n\ndef choose(name):\n    global gelu\n    gelu = made(name)\n\n\n"
        "def run(x):\n    return gelu(x)\n"
    )
    assert after(before, unsafe=True) == before
    assert codes(before) == ["1 PAM501 None", "10 PAM505 None"]


def test_a_method_that_is_inherited_is_told() -> None:
    names = own_names([{"name": "step", "homes": ["oldlib.Model"], "replacement": "newlib.step"}], "here:")
    source = "import oldlib\n\n\nclass Mine(oldlib.Model):\n    def run(self):\n        return self.step(1)\n"
    found = study_file("a.py", source.encode(), Settings(removed=names), Facts(), Wanted(rewrite=True, unsafe=True))
    assert found.after is None
    assert [(each.line, each.code, each.fix) for each in found.findings] == [(6, "PAM505", None)]


@pytest.mark.parametrize("new", ["(b, a)", "(a, *, b)", "(a, b=2)", "(a, b, c=3)", "(a, b, /)"])
def test_a_star_goes_on_only_where_both_signatures_are_the_same(new: str) -> None:
    entry = {"name": "f", "homes": ["old"], "signature": "(a, b)", "replacement": "new.g"}
    for signature, moves in (("(a,b)", True), (new, False)):
        names = own_names([{**entry, "replacement-signature": signature}], "here:")
        for use in ("f(*x)", "keep = [f]"):
            source = f"from old import f\n\n{use}\n".encode()
            found = study_file("a.py", source, Settings(removed=names), Facts(), Wanted(rewrite=True, unsafe=True))
            assert (found.after is not None) == moves


def test_two_functions_of_one_name_are_not_taken_for_each_other() -> None:
    entry = {"name": "f", "homes": ["old"], "replacement": "new.f"}
    names = own_names([entry, {**entry, "homes": ["other"], "replacement": "new.g"}], "here:")
    choice = "if x:\n    from old import f\nelse:\n    from other import f\n\nf(1)\n"
    found = study_file("a.py", choice.encode(), Settings(removed=names), Facts(), Wanted(rewrite=True, unsafe=True))
    assert found.after is None
    assert [(each.line, each.code) for each in found.findings] == [(2, "PAM501"), (4, "PAM501"), (6, "PAM505")]


def test_a_call_does_not_move_without_the_reference_that_it_goes_through() -> None:
    before = (
        'import importlib\n\nops = importlib.import_module("oldlib.ops")\n'
        "def f(o, x, w, s): g = ops.fused_add_norm; g(o, x, w, s, 0)\n"
    )
    assert after(before, unsafe=True) == before
    assert "PAM902" in [each.code for each in studied(before).findings]


def test_what_the_settings_do_not_call_safe_needs_a_reader() -> None:
    before = "from oldlib.ops import rope\n\nrope(q, k, cos, sin, 2)\n"
    assert after(before) == before
    assert codes(before) == ["1 PAM501 unsafe", "3 PAM502 unsafe"]
    wanted = "from newlib.ops import rotary\n\nrotary(q, k, cos=cos, sin=sin, base=2)\n"
    assert after(before, unsafe=True) == wanted


def test_a_default_that_is_no_constant_has_to_be_passed() -> None:
    found = studied("from oldlib.ops import rope\n\nrope(q, k, cos, sin)\n", unsafe=True)
    assert found.after is None
    assert (
        "`base` is left out, and its old default `LIMIT` is no constant that could be written here"
        in found.findings[1].message
    )


def test_an_import_that_hands_an_unsafe_name_on_stays_without_unsafe() -> None:
    names = own_names([{**MOVED, "safe": False}], "here:")
    facts = Facts(imported_elsewhere=frozenset({"load"}))
    for unsafe, wanted in ((False, None), (True, b"from newlib.io import load\n")):
        asked = Wanted(rewrite=True, unsafe=unsafe)
        found = study_file("a.py", b"from oldlib.io import load\n", Settings(removed=names), facts, asked)
        assert (found.after, found.findings[0].fix) == (wanted, "unsafe")


def test_a_name_without_replacement_is_only_told() -> None:
    before = "from oldlib.debug import profile\n\nwith profile():\n    keep = profile\n"
    found = studied(before, unsafe=True)
    assert found.after is None
    told = "`oldlib.debug.profile` is gone since 1.9 (use torch.profiler): the settings name no replacement"
    assert [(each.code, each.message) for each in found.findings] == [
        ("PAM501", told),
        ("PAM502", told),
        ("PAM503", told),
    ]


@pytest.mark.parametrize("path", ["newlib/ops.py", "src/newlib/ops/__init__.py"])
def test_the_module_of_the_replacement_is_not_made_to_call_itself(path: str) -> None:
    before = "from oldlib.ops import fused_add_norm\n\n\ndef norm(x):\n    return fused_add_norm(x, x, x, None, 0)\n"
    assert after(before, path=path) == before
    assert codes(before, path=path) == ["1 PAM501 None", "5 PAM502 None"]
    assert after(before, path="newlib/other.py") != before


@pytest.mark.parametrize("remark", ["# noqa: PAM502", "# noqa: PAM5", "# paged-attention: keep"])
def test_remarks_are_heeded(remark: str) -> None:
    source = f"from oldlib import ops\n\nops.gelu(x)  {remark}\n"
    assert after(source) == source
    assert codes(source) == []


def test_stubs_and_notebooks() -> None:
    stub = "from oldlib.io import load as read\n\nf = read\n"
    assert after(stub, path="a.pyi") == "from newlib.io import load as read\n\nf = read\n"
    cell = (
        '{"cells": [{"cell_type": "code", "source": ["from oldlib import ops\\n", "ops.fused_add_norm(o, x, w, s, 0)"]'
    )
    rest = (
        ', "outputs": [], "metadata": {}, "execution_count": 1}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
    )
    wanted = cell.replace("from oldlib import ops", "from newlib.ops import add_norm")
    wanted = wanted.replace("ops.fused_add_norm(o, x, w, s, 0)", "add_norm(o, x, w, 0)")
    assert after(cell + rest, path="a.ipynb") == wanted + rest


def test_a_file_that_does_not_parse_is_told_at_the_name() -> None:
    found = studied("import oldlib\n\noldlib.fused_add_norm(\n").findings
    assert [(each.line, each.code) for each in found] == [(3, "PAM901")]


def test_comments_newlines_and_all_else_stay() -> None:
    before = (
        "import os  # first\r\nimport oldlib.ops as ops  # kernels\r\n\r\n\r\nops.gelu( x )  # act\r\nf = 1 ;  g=2\r\n"
    )
    wanted = before.replace("ops.gelu(", "ops.gelu_tanh(")
    assert after(before) == wanted
