"""Scratch that nothing reads any more goes; a buffer that anything else can see stays."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent, indent

import pytest

from paged_attention_migrate.simplify import Dropped, Simplified, simplify

Becomes = Callable[..., Simplified]
Stays = Callable[..., None]

ALLOCATIONS = [
    "torch.empty(4)",
    "torch.empty(size=(n, h, 4), dtype=q.dtype, device=q.device)",
    "torch.empty((n, h, (m + 511) // 512), **options)",
    "torch.empty(*q.shape[:2], 4)",
    "torch.zeros(q.size(0), math.ceil(m / 512))",
    "torch.ones(len(q), triton.cdiv(m, 512))",
    "torch.full((4,), -math.inf)",
    "torch.empty_like(q)",
    "torch.zeros_like(q, dtype=torch.float32)",
    "torch.empty(4).cuda()",
    "torch.empty(4).to(q.device).fill_(0.0)",
    "torch.zeros(4, 4).view(2, 8)",
    "torch.cuda.FloatTensor(4, 4)",
    "torch.tensor([])",
    "t.empty(4)",
    "zeros(4)",
    "np.empty((4, 4), dtype=np.float32)",
    "numpy.zeros_like(q)",
    "q.new_empty((4, 4))",
    "q.new_zeros(4)",
    "self.q.new_empty(4, dtype=torch.float32)",
    "None",
    "torch.empty(4) if m > 512 else None",
    "torch.empty(4 if m > 8 else 8)",
    "workspace[:n].view(n, h)",
    "workspace.view(2, -1)",
    "torch.empty(max(1, min(n, 4)))",
]

NOT_ALLOCATIONS = [
    "torch.rand(4)",
    "torch.randn_like(q)",
    "np.random.rand(4)",
    "torch.empty(4, out=other)",
    "torch.empty(next(sizes))",
    "torch.empty(n := 4)",
    "torch.empty(measure(q))",
    "torch.empty([size for size in sizes])",
    "torch.empty(sizes.pop())",
    "torch.empty(sizes[key])",
    "torch.load('sums.pt')",
    "torch.ops._C.empty(4)",
    "make_scratch(4)",
    "self.pool.take(4)",
    "pool.empty(4)",
    "empty(4)",
    "self.sums",
    "cache['sums']",
    "q",
    "q + 1",
    "lambda: torch.empty(4)",
    "await torch.empty(4)",
    "(yield)",
    "shadowed.empty(4)",
]

FUNCTION = """\
import math
import numpy
import numpy as np
import torch
import torch as t
import triton
from torch import zeros
shadowed = torch
shadowed = object()

async def f(self, q, m, n, h, options, workspace, cache, pool, sizes, other, key):
    sums = {value}
    paged_attention(q)
"""


@pytest.mark.parametrize("value", ALLOCATIONS)
def test_an_allocation_goes(becomes: Becomes, value: str) -> None:
    before = FUNCTION.format(value=value)
    becomes(before, before.replace(f"    sums = {value}\n", ""))


@pytest.mark.parametrize("value", NOT_ALLOCATIONS)
def test_what_may_do_more_than_allocate_stays(stays: Stays, value: str) -> None:
    stays(FUNCTION.format(value=value))


READERS = [
    "return sums",
    "print(sums)",
    "combine(out, sums[:, :, 0])",
    "ops.paged_attention_rocm(out, sums)",
    "opcheck(torch.ops._C.paged_attention_v2, (out, sums))",
    "self.sums = sums",
    "kept = sums",
    "kept = torch.empty_like(sums)\nprint(kept)",
    "cache['sums'] = sums",
    "sums[0] = 1",
    "sums += 1\nreturn sums",
    "def later():\n    return sums",
    "later = lambda: sums",
    "kept = [sums for _ in range(3)]",
    "kept = [sums.shape for sums in sums]",
    "class Keeper:\n    kept = sums",
    "class Keeper:\n    sums = sums",
    "if sums is None:\n    raise ValueError",
    "assert sums.is_contiguous()",
    "print(f'{sums}')",
    "return locals()",
    "print(vars())",
    "exec('print(sums)')",
    "return eval('sums')",
    "frame.query('@sums > 1')",
    "return sys._getframe().f_locals",
    "print(globals())",
    "for sums in range(3):\n    pass",
    "with open('x') as sums:\n    pass",
    "import sums",
    "def sums():\n    pass",
    "if (sums := 4):\n    pass",
    "try:\n    pass\nexcept ValueError as sums:\n    pass",
    "match q:\n    case [sums]:\n        pass",
    "del sums, q",
    "del (sums)\nq.clear()\nreturn sums",
    "def later():\n    nonlocal sums\n    sums = 3",
    "await sums",
    "sums.copy_(q)",
    "sums, kept = q\nreturn kept",
    "sums: torch.Tensor = q.sum()\nreturn sums",
    "kept = [(sums := x) for x in q]",
    "match q:\n    case {**sums}:\n        pass",
    "match q:\n    case [*sums]:\n        pass",
    "def later(x: sums):\n    pass",
    "def later(x=sums):\n    pass",
    "def later(*, x=sums):\n    pass",
    "def later() -> sums:\n    pass",
    "later = lambda x=sums: x",
    "@sums\ndef later():\n    pass",
    "class Keeper(sums):\n    pass",
    "class Keeper(metaclass=sums):\n    pass",
    "class Keeper:\n    kept = [x for x in sums]",
    "class Keeper:\n    sums = 1\n    kept = [sums for _ in q]",
    "del sums[0]",
    "with sums:\n    pass",
    "for x in sums:\n    pass",
    "kept = {sums: x for x in q}",
    "print(f'{sums=}')",
    "sums.fill_(next(q))",
    "sums.grad.zero_()",
]


@pytest.mark.parametrize("reader", READERS)
def test_a_buffer_that_something_else_sees_stays(stays: Stays, reader: str) -> None:
    stays(
        "import torch\n\nasync def f(self, out, q, cache, frame, ops):\n    sums = torch.empty(4)\n"
        "    paged_attention(out, q)\n" + indent(reader, "    ") + "\n"
    )


WHOLLY_UNUSED = [
    "sums = torch.empty(4)",
    "sums: torch.Tensor = torch.empty(4)",
    "sums: torch.Tensor\nsums = torch.empty(4)",
    "sums = peaks = torch.empty(4)",
    "sums, peaks = torch.empty(4), torch.empty(4)",
    "(sums, peaks), buf = torch.empty(4), None",
    "[sums, peaks] = [torch.empty(4), torch.empty(4)]",
    "sums = peaks = None\nif q.size(0) > 4:\n    sums = torch.empty(4)\n    peaks = torch.empty_like(sums)",
    "sums = torch.empty(4)\nsums.zero_()\nsums.fill_(float('nan'))",
    "sums = torch.empty(4)\nsums += 1",
    "sums = torch.empty(4)\npeaks = torch.empty(4)\ndel sums, peaks",
    "sums = torch.empty(4)\ndel sums",
    "sums = None\nif sums is None:\n    sums = torch.empty(4)",
    "peaks = torch.empty(4)\nsums = torch.empty_like(peaks)",
    "sums = torch.empty(4)\nsums = torch.empty_like(sums)",
    "if q.is_cuda:\n    sums = torch.empty(4)\nelse:\n    sums = torch.empty(8)",
    "with torch.device('cuda'):\n    sums = torch.empty(4)",
    "with torch.no_grad():\n    sums = torch.empty(4)",
    "for i in range(4):\n    sums = torch.empty(i)",
    "if q.shape[0] > 3 and isinstance(q, torch.Tensor): sums = torch.empty(4)",
]


@pytest.mark.parametrize("allocation", WHOLLY_UNUSED)
def test_everything_about_unread_scratch_goes(becomes: Becomes, allocation: str) -> None:
    head = "import torch\n\ndef f(out, q):\n"
    becomes(
        f"{head}{indent(allocation, '    ')}\n    paged_attention(out, q)\n", f"{head}    paged_attention(out, q)\n"
    )


KEPT_WITH_A_NEIGHBOUR = [
    "out = sums = torch.empty(4)",
    "kept, sums = torch.empty(4), torch.empty(4)\nprint(kept)",
    "sums, *rest = torch.empty(4), torch.empty(4)",
    "self.sums = sums = torch.empty(4)",
    "cache['sums'] = sums = torch.empty(4)",
    "sums, self.peaks = torch.empty(4), torch.empty(4)",
    "self.sums = torch.empty(4)",
    "sums = torch.empty(4)\nsums = make(4)",
]


@pytest.mark.parametrize("allocation", KEPT_WITH_A_NEIGHBOUR)
def test_an_assignment_with_a_target_that_stays_stays(stays: Stays, allocation: str) -> None:
    stays(f"import torch\n\ndef f(self, out, q, cache):\n{indent(allocation, '    ')}\n    paged_attention(out, q)\n")


def test_module_class_and_declared_names_stay(stays: Stays) -> None:
    stays("import torch\nsums = torch.empty(4)\npaged_attention(out, q)\n")
    stays("import torch\nclass A:\n    sums = torch.empty(4)\n    paged_attention(out, q)\n")
    stays("import torch\ndef f(q):\n    global sums\n    sums = torch.empty(4)\n    paged_attention(q)\n")
    stays("import torch\nsums = torch.empty(4)\ndef f(q):\n    paged_attention(q)\n")


def test_parameters_stay(stays: Stays) -> None:
    stays("def f(q, sums, peaks=None, *buf):\n    paged_attention(q)\n")
    stays("import torch\ndef f(q, sums=None):\n    sums = torch.empty(4)\n    paged_attention(q)\n")
    stays(
        "import torch\ndef f(q, sums=None):\n    if sums is None:\n        sums = torch.empty(4)\n"
        "    paged_attention(q)\n"
    )


def test_scratch_hoisted_into_the_enclosing_function_goes() -> None:
    before = dedent("""\
        import torch

        def main(q, m):
            parts = (m + 511) // 512
            sums = torch.empty(4, parts)

            def step():
                for _ in range(100):
                    paged_attention(q)

            return bench(step), bench(lambda: paged_attention(q))
    """)
    after = dedent("""\
        import torch

        def main(q, m):
            def step():
                for _ in range(100):
                    paged_attention(q)

            return bench(step), bench(lambda: paged_attention(q))
    """)
    for index in (1, 2, 3):
        result = simplify(before, [Dropped(index, ("sums",))], frozenset({"paged_attention"}))
        assert result.text == after
    assert simplify(before, [Dropped(0, ("sums",))], frozenset({"paged_attention"})).text == before
    assert simplify(before, [Dropped(9, ("sums",))], frozenset({"paged_attention"})).text == before


def test_a_name_of_another_function_is_another_name(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q):
            sums = torch.empty(4)
            paged_attention(q)

        def g(q):
            sums = torch.empty(4)
            return sums
        """,
        """\
        import torch

        def f(q):
            paged_attention(q)

        def g(q):
            sums = torch.empty(4)
            return sums
        """,
    )


def test_a_name_shadowed_in_an_inner_function_is_another_name(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q):
            sums = torch.empty(4)
            paged_attention(q)

            def g(sums):
                return sums

            return g, [sums for sums in q], lambda sums: sums
        """,
        """\
        import torch

        def f(q):
            paged_attention(q)

            def g(sums):
                return sums

            return g, [sums for sums in q], lambda sums: sums
        """,
    )


def test_only_the_scopes_that_lost_scratch_are_touched(stays: Stays) -> None:
    stays("import torch\ndef f(q):\n    sums = torch.empty(4)\n    tmp = torch.empty(4)\n", scratch=())
    stays("import torch\ndef f(q):\n    other = torch.empty(4)\n    paged_attention(q)\n")


def test_a_library_that_may_be_missing_is_still_the_library(becomes: Becomes) -> None:
    head = "try:\n    import torch\nexcept ImportError:\n    torch = None\n\n\ndef f(q):\n"
    becomes(f"{head}    sums = torch.empty(4)\n    paged_attention(q)\n", f"{head}    paged_attention(q)\n")


def test_a_function_named_like_a_library_is_not_the_library(stays: Stays) -> None:
    stays("def f(q, torch):\n    sums = torch.empty(4)\n    paged_attention(q)\n")
    stays("from mine import torch\ndef f(q):\n    sums = torch.empty(4)\n    paged_attention(q)\n")
    stays(
        "import torch\nfrom mine import fake as torch\ndef f(q):\n    sums = torch.empty(4)\n    paged_attention(q)\n"
    )
    stays("def empty(n):\n    return log(n)\ndef f(q):\n    sums = empty(4)\n    paged_attention(q)\n")


def test_a_reader_that_goes_frees_its_neighbours(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q):
            sums = peaks = torch.empty(4)
            buf = torch.empty_like(peaks)
            peaks = torch.rand(1)
            paged_attention(q)
        """,
        """\
        import torch

        def f(q):
            peaks = torch.rand(1)
            paged_attention(q)
        """,
    )


def test_notes_say_what_went(becomes: Becomes) -> None:
    result = becomes(
        "import torch\ndef f(q):\n    sums = torch.empty(4)\n    buf = torch.empty(4)\n    paged_attention(q)\n",
        "import torch\ndef f(q):\n    paged_attention(q)\n",
    )
    assert result.notes == ("removed `sums`, `buf` (nothing reads them any more)",)
