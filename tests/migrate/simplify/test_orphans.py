"""Names that lost their last reader to a removal go, too; names that were unused before are their author's business."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from paged_attention_migrate.simplify import Simplified

Becomes = Callable[..., Simplified]
Stays = Callable[..., None]

HEAD = """\
import math
import os
import torch
import triton
from vllm import _custom_ops as ops
from vllm.utils import cdiv
from vllm.platforms import current_platform

PART = 512

def halves(n):
    "Half of it."
    return (n + 1) // 2

def logged(n):
    print(n)
    return n

def endless(n):
    return endless(n)

def twice(n):
    n += 1
    return n

@logged
def wrapped(n):
    return n

async def f(self, q, m, lens, config, sizes, axis):
"""
TAIL = """\
    sums = torch.empty({size})
    paged_attention(q)
"""

PURE = [
    ("parts = (m + PART - 1) // PART", "parts"),
    ("parts: int = math.ceil(m / 512)", "parts"),
    ("parts = triton.cdiv(m, PART)", "parts"),
    ("parts = cdiv(m, PART)", "parts"),
    ("parts = halves(m)", "parts"),
    ("n, h, d = q.shape", "n, h, d"),
    ("n, h, _ = q.shape", "n, h"),
    ("n, h, _ = q.shape\n    for _ in range(3):\n        print(m)", "n, h"),
    ("n = q.size(0)\n    h = len(q)", "n, h"),
    ("longest = lens.max().item()\n    parts = min(longest, 4)", "parts"),
    ("longest = int(lens.max())\n    parts = longest // 512 + 1", "parts"),
    ("parts = max(1, round(abs(m)))", "parts"),
    ("shape = (q.shape[0], 4)\n    options = q.dtype", "*shape, dtype=options"),
    ("device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')", "4, device=device"),
    ("part = 256 if current_platform.is_rocm() else 512\n    parts = (m + part - 1) // part", "parts"),
    ("parts = other = m + 1", "parts"),
    ("parts = 1\n    parts += m\n    parts = parts * 2", "parts"),
    ("parts = 1\n    if m > 512:\n        parts = m // 512", "parts"),
    ("heads = self.num_heads\n    part = config.partition_size", "heads, part"),
    ("shape = q.shape\n    n = shape[0]\n    d = shape[-1]", "n, d"),
    ("model = q.new_empty(4)", "model.shape"),
    ("first = q[:, 0]\n    n = first.view(-1).shape[0]", "n"),
    ("n = q.size()[axis]\n    h = q.shape[axis]", "n, h"),
    ("n = torch.finfo(q.dtype).bits\n    h = math.prod(q.shape)", "n, h"),
    ("n = int(os.environ.get('N', '4'))", "n"),
]


@pytest.mark.parametrize(("assignments", "size"), PURE)
def test_what_only_sized_the_scratch_goes(becomes: Becomes, assignments: str, size: str) -> None:
    before = f"{HEAD}    {assignments}\n{TAIL.format(size=size)}"
    kept = "".join(f"    {line.strip()}\n" for line in assignments.splitlines() if line.strip().startswith("for _"))
    kept += "        print(m)\n" if kept else ""
    becomes(before, f"{HEAD}{kept}    paged_attention(q)\n")


IMPURE = [
    ("parts = logged(m)", "parts"),
    ("parts = endless(m)", "parts"),
    ("parts = twice(m)", "parts"),
    ("parts = wrapped(m)", "parts"),
    ("parts = m @ q", "parts"),
    ("parts = ops.select(q)", "parts"),
    ("parts = os.getpid()", "parts"),
    ("parts = {m: 1}.get(m)", "parts"),
    ("parts = next(sizes)", "parts"),
    ("parts = sizes.pop()", "parts"),
    ("parts = sizes[m]", "parts"),
    ("parts = config['parts']", "parts"),
    ("parts = sum(sizes)", "parts"),
    ("parts = max(len(size) for size in sizes)", "parts"),
    ("parts = self.count()", "parts"),
    ("parts = await self.count()", "parts"),
    ("parts = torch.randint(4, (1,)).item()", "parts"),
    ("parts, self.rest = q.shape", "parts"),
    ("parts, *rest = q.shape", "parts"),
    ("for parts in range(m):\n        pass", "parts"),
    ("with open(m) as parts:\n        pass", "parts"),
    ("(parts := m)", "parts"),
    ("parts = 1\n    parts = logged(parts)", "parts"),
    ("global parts\n    parts = m", "parts"),
    ("import parts", "parts"),
    ("parts = getter if callable(getter := m) else 1", "parts"),
]


@pytest.mark.parametrize(("assignments", "size"), IMPURE)
def test_what_may_do_something_stays(becomes: Becomes, assignments: str, size: str) -> None:
    head = f"{HEAD}    {assignments}\n"
    becomes(head + TAIL.format(size=size), f"{head}    paged_attention(q)\n")


READERS = [
    "return parts",
    "print(n, h)",
    "self.parts = parts",
    "def later():\n    return parts",
    "later = lambda: parts",
    "if parts > 1:\n    print(m)",
    "while parts > m:\n    m += 1",
    "other = parts + 1",
]


@pytest.mark.parametrize("reader", READERS)
def test_a_size_that_something_else_reads_stays(becomes: Becomes, reader: str) -> None:
    head = f"{HEAD}    n, h, d = q.shape\n    parts = (d + PART - 1) // PART\n    "
    # `other = parts + 1` was unused before, and so it is a reader like any other.
    tail = f"{indent(reader, '    ')}\n"
    before = head.rstrip(" ") + TAIL.format(size="n, h, parts") + tail
    if "parts" in reader:
        becomes(before, head.rstrip(" ") + "    paged_attention(q)\n" + tail)
    else:
        becomes(before, HEAD + "    n, h, d = q.shape\n    paged_attention(q)\n" + tail)


def test_names_that_were_unused_before_stay(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q):
            unused = q.shape[0]
            also = 512
            parts = q.shape[1]
            sums = torch.empty(parts)
            paged_attention(q)
        """,
        """\
        import torch

        def f(q):
            unused = q.shape[0]
            also = 512
            paged_attention(q)
        """,
    )


def test_parameters_globals_and_module_names_stay(becomes: Becomes) -> None:
    becomes(
        """\
        import torch
        PART = 512
        def main(m):
            part = m
            def f(q, parts):
                nonlocal part
                part = parts
                sums = torch.empty(parts, part, PART)
                paged_attention(q)
        """,
        """\
        import torch
        PART = 512
        def main(m):
            part = m
            def f(q, parts):
                nonlocal part
                part = parts
                paged_attention(q)
        """,
    )


def test_a_chain_of_orphans_goes_to_its_end(becomes: Becomes) -> None:
    result = becomes(
        """\
        import torch

        def f(q, lens):
            longest = lens.max().item()
            part = 512
            parts = (longest + part - 1) // part
            n, h, d = q.shape
            shape = (n, h, parts)
            sums = torch.empty(shape)
            peaks = torch.empty(shape)
            buf = torch.empty(*shape, d)
            paged_attention(q)
        """,
        """\
        import torch

        def f(q, lens):
            paged_attention(q)
        """,
    )
    assert result.notes[0] == "removed `sums`, `peaks`, `buf` (nothing reads them any more)"
    named = " ".join(result.notes[1:])
    assert all(f"`{name}`" in named for name in ("longest", "part", "parts", "n", "h", "d", "shape"))


def test_names_of_the_enclosing_function_go_with_its_inner_scratch(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        class Bench:
            def run(self, q, m):
                parts = (m + 511) // 512
                n = q.shape[0]

                def step():
                    sums = torch.empty(n, parts)
                    paged_attention(q)

                step()
                return n
        """,
        """\
        import torch

        class Bench:
            def run(self, q, m):
                n = q.shape[0]

                def step():
                    paged_attention(q)

                step()
                return n
        """,
    )


def test_frame_readers_keep_the_sizes(stays: Stays) -> None:
    stays(
        """\
        import torch

        def f(q):
            parts = q.shape[0]
            sums = torch.empty(parts)
            paged_attention(q)
            print(locals())
        """
    )
