"""Arms that have become the same call collapse into one; anything short of proof stays."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from paged_attention_migrate.simplify import Simplified

Becomes = Callable[..., Simplified]
Stays = Callable[..., None]

PURE_TESTS = [
    "use_v1",
    "not use_v1",
    "m <= 8192 and (parts == 1 or q.shape[0] * q.shape[1] > 512)",
    "version == 'v1'",
    "version in ('v1', 'v2')",
    "isinstance(q, torch.Tensor)",
    "self.use_v1",
    "lens.max().item() > 8192",
    "version.startswith('v1')",
    "os.environ.get('V1') is not None",
    "current_platform.is_cuda()",
    "(\n        m\n        > 3\n    )",
]
IMPURE_TESTS = [
    "choose(q)",
    "self.choose(q)",
    "(kept := q) is None",
    "next(choices)",
    "config['v1']",
    "await choose",
    "any(x for x in xs)",
    "queue.get()",
    "torch.rand(1) > 0.5",
]
HEAD = (
    "import os\nimport torch\nfrom vllm.platforms import current_platform\n\n"
    "async def f(self, q, m, parts, version, use_v1, lens, config, choices, xs, queue):\n"
)


@pytest.mark.parametrize("test", PURE_TESTS)
def test_equal_arms_collapse(becomes: Becomes, test: str) -> None:
    becomes(
        f"{HEAD}    if {test}:\n        paged_attention(q, 16)\n    else:\n"
        f"        paged_attention(q, 16)\n    return q\n",
        f"{HEAD}    paged_attention(q, 16)\n    return q\n",
    )


@pytest.mark.parametrize("test", IMPURE_TESTS)
def test_a_test_that_may_do_something_stays(stays: Stays, test: str) -> None:
    stays(f"{HEAD}    if {test}:\n        paged_attention(q)\n    else:\n        paged_attention(q)\n    return q\n")


UNEQUAL = [
    "if use_v1:\n    paged_attention(q, 1)\nelse:\n    paged_attention(q, 2)",
    "if use_v1:\n    paged_attention(q, 1)\nelse:\n    paged_attention(q, 1.0)",
    "if use_v1:\n    paged_attention(q, 1)\nelse:\n    paged_attention(q, True)",
    "if use_v1:\n    paged_attention(q, a=1)\nelse:\n    paged_attention(q, b=1)",
    "if use_v1:\n    paged_attention(q)\nelse:\n    return paged_attention(q)",
    "if use_v1:\n    paged_attention(q)\nelse:\n    paged_attention(q)\n    paged_attention(q)",
    "if use_v1:\n    paged_attention(q)\nelse:\n    print(q)\n    paged_attention(q)",
    "if use_v1:\n    paged_attention(q)",
    "if use_v1:\n    paged_attention(q)\npaged_attention(q)",
    "if use_v1:\n    paged_attention(q)\nelif m:\n    paged_attention(q)",
    "if use_v1:\n    paged_attention(q)\nelif m:\n    paged_attention(q)\nelse:\n    raise ValueError(m)",
    "if use_v1:\n    paged_attention(q)\nelif choose(m):\n    paged_attention(q)\nelse:\n    paged_attention(q)",
    "if use_v1:\n    paged_attention(q, 0)\nelif m:\n    paged_attention(q)\nelse:\n    paged_attention(q)",
    "if use_v1:\n    other(q)\nelse:\n    other(q)",
    "if use_v1:\n    q = 'a'\nelse:\n    q = 'a'",
    "kept = 1 if use_v1 else 1",
    "kept = other if use_v1 else other",
    "kept = paged_attention if choose(q) else paged_attention",
    "kept = paged_attention if use_v1 else other",
    "kept = (\n    paged_attention  # fast\n    if use_v1\n    else paged_attention\n)",
    "match m:\n    case 1:\n        paged_attention(q)\n    case _:\n        paged_attention(q)",
    "try:\n    paged_attention(q)\nexcept ValueError:\n    paged_attention(q)",
    "while use_v1:\n    paged_attention(q)\nelse:\n    paged_attention(q)",
]


@pytest.mark.parametrize("statements", UNEQUAL)
def test_arms_that_are_not_proved_equal_stay(stays: Stays, statements: str) -> None:
    stays(f"{HEAD}{indent(statements, '    ')}\n")


ASSERTS = [
    "assert 512 % block_size == 0",
    "assert 256 % bs == 0",
    "assert PARTITION_SIZE % 16 == 0",
    "assert _PARTITION_SIZE % block_size == 0, 'odd block size'",
    "assert self._PARTITION_SIZE % self.block_size == 0, f'odd {block_size}'",
    "assert (part % bs) == 0",
]


@pytest.mark.parametrize("statement", ASSERTS)
@pytest.mark.parametrize("keyword", [False, True])
def test_the_assert_on_the_partition_size_goes_with_the_partitions(
    becomes: Becomes, statement: str, *, keyword: bool
) -> None:
    size = "16" if "16" in statement else "bs"
    arguments = f"o, q, block_size={size}" if keyword else f"o, q, kc, vc, nkv, s, bt, sl, {size}, m"
    head = "def f(self, o, q, kc, vc, nkv, s, bt, sl, bs, block_size, m):\n"
    part = "    part = 512\n" if "part " in statement else ""
    result = becomes(
        f"{head}{part}    if m > 3:\n        paged_attention({arguments})\n    else:\n        {statement}\n"
        f"        paged_attention({arguments})\n    return o\n",
        f"{head}    paged_attention({arguments})\n    return o\n",
    )
    assert result.notes[0] == "both arms of `if m > 3:` had become the same call"
    assert result.notes[1].startswith("removed `assert ")


@pytest.mark.parametrize(
    "statement",
    [
        "assert 512 % other == 0",
        "assert 100 % bs == 0",
        "assert 512 % bs == 1",
        "assert 512 // bs == 0",
        "assert bs % 512 == 0",
        "assert q.is_contiguous()",
        "assert size % bs == 0",
        "assert 512 % bs == 0, explain(q)",
    ],
)
def test_other_asserts_keep_the_arms_apart(stays: Stays, statement: str) -> None:
    stays(
        "def f(o, q, kc, vc, nkv, s, bt, sl, bs, other, m):\n    size = 100\n    if m > 3:\n"
        "        paged_attention(o, q, kc, vc, nkv, s, bt, sl, bs, m)\n"
        f"    else:\n        {statement}\n        paged_attention(o, q, kc, vc, nkv, s, bt, sl, bs, m)\n"
    )


def test_an_assert_without_a_collapse_stays(stays: Stays) -> None:
    stays("def f(q, m, bs):\n    assert 512 % bs == 0\n    paged_attention(q, block_size=bs)\n")
    stays(
        "def f(q, m, bs):\n    if m:\n        paged_attention(q, 1)\n    else:\n        assert 512 % bs == 0\n"
        "        paged_attention(q, block_size=bs)\n"
    )


def test_an_assert_in_both_arms_is_no_difference(becomes: Becomes) -> None:
    becomes(
        "def f(q, m, bs):\n    if m:\n        assert 512 % bs == 0\n        paged_attention(q, block_size=bs)\n"
        "    else:\n        assert 512 % bs == 0\n        paged_attention(q, block_size=bs)\n",
        "def f(q, m, bs):\n    assert 512 % bs == 0\n    paged_attention(q, block_size=bs)\n",
    )


def test_the_arm_that_lost_least_is_kept(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q, m, bs):
            if m > 8192:
                # Long contexts need scratch.
                assert 512 % bs == 0
                sums = torch.empty(4)
                paged_attention(
                    q, block_size=bs)
            else:
                # One pass is enough.
                paged_attention(q, block_size=bs)  # no scratch
            return q
        """,
        """\
        import torch

        def f(q, m, bs):
            # One pass is enough.
            paged_attention(q, block_size=bs)  # no scratch
            return q
        """,
    )


def test_a_whole_chain_of_equal_arms_collapses(becomes: Becomes) -> None:
    result = becomes(
        """\
        def f(q, m):
            if m == 1:
                return paged_attention(q)
            elif m == 2:
                return paged_attention(q)
            elif m == 3:
                return paged_attention(
                    q,
                )
            else:
                return paged_attention(q)
        """,
        """\
        def f(q, m):
            return paged_attention(q)
        """,
    )
    assert result.notes[0] == "all arms of `if m == 1:` had become the same call"


def test_nested_arms_collapse_from_the_inside(becomes: Becomes) -> None:
    becomes(
        """\
        def f(q, m, n):
            if m:
                if n:
                    out = paged_attention(q)
                else:
                    out = paged_attention(q)
            else:
                out = paged_attention(q)
            return out
        """,
        """\
        def f(q, m, n):
            out = paged_attention(q)
            return out
        """,
    )
    becomes(
        """\
        def f(q, m, n):
            if m:
                print(q)
            else:
                if n:
                    # deep
                    out = paged_attention(
                        q,
                    )
                else:
                    out = paged_attention(q)
            return m
        """,
        """\
        def f(q, m, n):
            if m:
                print(q)
            else:
                # deep
                out = paged_attention(
                    q,
                )
            return m
        """,
    )


def test_arms_within_arms_move_out_twice(becomes: Becomes) -> None:
    becomes(
        """\
        def f(q, m, n):
            if m:
                with q:
                    if n:
                        paged_attention(
                            q,
                        )
                    else:
                        paged_attention(q)
                    # end
            else:
                with q:
                    paged_attention(q)
            return m
        """,
        """\
        def f(q, m, n):
            with q:
                paged_attention(
                    q,
                )
                # end
            return m
        """,
    )


def test_an_else_that_holds_an_if_of_its_own_is_no_elif(becomes: Becomes) -> None:
    becomes(
        """\
        def f(q, m, n):
            if m:
                paged_attention(q)
            elif n:
                print(q)
            else:
                if q:
                    paged_attention(q)
                else:
                    paged_attention(q)
        """,
        """\
        def f(q, m, n):
            if m:
                paged_attention(q)
            elif n:
                print(q)
            else:
                paged_attention(q)
        """,
    )


def test_what_only_the_test_read_goes(becomes: Becomes) -> None:
    result = becomes(
        """\
        PART = 512

        def f(q, longest):
            parts = (longest + PART - 1) // PART
            small = longest <= 8192 and (parts == 1 or q.shape[0] > 512)
            unused = 3
            if small:
                paged_attention(q)
            else:
                paged_attention(q)
            return longest
        """,
        """\
        PART = 512

        def f(q, longest):
            unused = 3
            paged_attention(q)
            return longest
        """,
    )
    assert result.notes == (
        "both arms of `if small:` had become the same call",
        "removed `small` (used only by what was removed)",
        "removed `parts` (used only by what was removed)",
    )


def test_what_something_else_reads_stays(becomes: Becomes) -> None:
    becomes(
        """\
        def f(q, longest):
            small = longest <= 8192
            picked = choose(q)
            if small and picked:
                paged_attention(q)
            else:
                paged_attention(q)
            return small
        """,
        """\
        def f(q, longest):
            small = longest <= 8192
            picked = choose(q)
            paged_attention(q)
            return small
        """,
    )


def test_conditional_expressions_collapse(becomes: Becomes) -> None:
    result = becomes(
        """\
        def f(q, m):
            fast = m > 3
            run = paged_attention if fast else paged_attention
            (paged_attention_shim.paged_attention if m else paged_attention_shim.paged_attention)(q)
            return run(q, scale=(paged_attention) if m else (paged_attention))
        """,
        """\
        def f(q, m):
            run = paged_attention
            (paged_attention_shim.paged_attention)(q)
            return run(q, scale=(paged_attention))
        """,
    )
    assert (
        result.notes[0] == "both values of `paged_attention if fast else paged_attention` had become the same function"
    )


def test_nested_conditional_expressions_collapse(becomes: Becomes) -> None:
    becomes(
        """\
        def f(q, m):
            return paged_attention if m else paged_attention if q else paged_attention

        def g(q, m):
            return lambda: (
                paged_attention(q)
                if m
                else paged_attention(q)
            )
        """,
        """\
        def f(q, m):
            return paged_attention

        def g(q, m):
            return lambda: (
                paged_attention(q)
            )
        """,
    )


def test_arms_at_module_and_class_level_collapse_but_their_names_stay(becomes: Becomes) -> None:
    becomes(
        "flag = 1\nif flag:\n    paged_attention(q)\nelse:\n    paged_attention(q)\n"
        "class A:\n    flag = 1\n    if flag:\n        run = pa_two(q)\n    else:\n        run = pa_two(q)\n",
        "flag = 1\npaged_attention(q)\nclass A:\n    flag = 1\n    run = pa_two(q)\n",
    )


def test_whole_functions_in_the_arms(becomes: Becomes) -> None:
    becomes(
        """\
        def f(q, m):
            if m:
                # timed
                @timed
                def run():
                    return paged_attention(q)
            else:
                @timed
                def run():
                    return paged_attention(q)
            return run
        """,
        """\
        def f(q, m):
            # timed
            @timed
            def run():
                return paged_attention(q)
            return run
        """,
    )


def test_emptied_arms(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q, m, version):
            if version == "v2":
                sums = torch.empty(4)
            elif version == "v3":
                peaks = torch.empty(4)
            if version == "v2":
                sums = torch.empty(4)
            elif version == "v3":
                print(q)
            if version == "v3":
                print(q)
            elif version == "v2":
                sums = torch.empty(4)
            if version == "v3":
                print(q)

            # scratch
            else:
                sums = torch.empty(4)
            if version == "v3":
                print(q)
            elif version == "v2":
                sums = torch.empty(4)
            else:
                print(m)
            if check(version):
                sums = torch.empty(4)
                peaks = torch.empty(4)
            with lock:
                sums = torch.empty(4)
            for _ in m:
                sums = torch.empty(4)
            paged_attention(q)
        """,
        """\
        import torch

        def f(q, m, version):
            if version == "v2":
                pass
            elif version == "v3":
                print(q)
            if version == "v3":
                print(q)
            if version == "v3":
                print(q)
            if version == "v3":
                print(q)
            elif version == "v2":
                pass
            else:
                print(m)
            if check(version):
                pass
            with lock:
                pass
            for _ in m:
                pass
            paged_attention(q)
        """,
    )


def test_emptied_blocks_of_other_statements(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q, m):
            try:
                sums = torch.empty(4)
            except MemoryError:
                sums = None
            else:
                peaks = torch.empty(4)
            finally:
                buf = None
            while m.step():
                sums = torch.empty(4)
            else:
                sums = torch.empty(4)
            match m:
                case 1:
                    sums = torch.empty(4)
                case _:
                    print(m)
            def g():
                nested = 1
            class A:
                sums = 4
            paged_attention(q)
        """,
        """\
        import torch

        def f(q, m):
            try:
                pass
            except MemoryError:
                pass
            finally:
                pass
            while m.step():
                pass
            match m:
                case 1:
                    pass
                case _:
                    print(m)
            def g():
                nested = 1
            class A:
                sums = 4
            paged_attention(q)
        """,
    )
