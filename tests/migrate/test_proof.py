"""A rewrite that breaks any promise is not proved."""

from __future__ import annotations

import pytest

from paged_attention_migrate.calls.verdict import Plan
from paged_attention_migrate.module import Facts, Module
from paged_attention_migrate.proof import NotProved, prove, prove_comments_only
from paged_attention_migrate.rewriting import Rewritten, WrittenCall
from paged_attention_migrate.settings import Settings
from paged_attention_migrate.source import Source
from paged_attention_migrate.targets.shim import TARGET

NAMES = ((TARGET, "paged_attention"),)

BEFORE = "from vllm import _custom_ops as ops  # kernels\n\nops.paged_attention_v1(*a)\n"
AFTER = "from paged_attention_shim import paged_attention  # kernels\n\npaged_attention(*a)\n"


def module(text: str) -> Module:
    return Module("case.py", Source(text.encode()), Settings(), Facts())


def test_a_sound_rewrite_is_proved() -> None:
    prove(module(BEFORE), Rewritten(AFTER, (), NAMES), unsafe=False)


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        (AFTER + "def (:\n", "does not parse"),
        (AFTER.replace("  # kernels", ""), "the comment `# kernels` would be lost"),
        (AFTER + "# new\n", "the comment `# new` would be new"),
        (AFTER.replace("\n", "\r\n"), "newlines of another kind"),
        ("# kernels\n\npaged_attention(*a)\n", "`paged_attention` would become undefined"),
        (
            AFTER.replace("paged_attention_shim", "mylib"),
            "`paged_attention` at line 3 would not be `paged_attention_shim.paged_attention`",
        ),
        (BEFORE, "a second run would change line 3 again"),
    ],
)
def test_a_broken_promise_is_said(after: str, reason: str) -> None:
    with pytest.raises(NotProved, match=reason):
        prove(module(BEFORE), Rewritten(after, (), NAMES), unsafe=False)


def test_a_comment_that_went_with_its_statement_is_allowed() -> None:
    rewritten = Rewritten(AFTER.replace("  # kernels", ""), (), NAMES, (), ("# kernels",))
    prove(module(BEFORE), rewritten, unsafe=False)


NOQA = "# noqa: F401  # kernels"


def test_a_comment_that_lost_its_noqa_is_allowed() -> None:
    before = BEFORE.replace("# kernels", NOQA)
    rewritten = Rewritten(AFTER, (), NAMES, shortened_comments=((NOQA, "# kernels"),))
    prove(module(before), rewritten, unsafe=False)


@pytest.mark.parametrize(
    ("shortened", "reason"),
    [
        ((), "the comment `# noqa: F401  # kernels` would be lost"),
        (((NOQA, ""),), "the comment `# noqa: F401  # kernels` would be lost"),
        (((NOQA, "# other"),), "the comment `# noqa: F401  # kernels` would be lost"),
        ((("# noqa: E501  # kernels", "# kernels"),), "the comment `# noqa: F401  # kernels` would be lost"),
    ],
)
def test_a_comment_that_lost_more_is_not(shortened: tuple[tuple[str, str], ...], reason: str) -> None:
    before = BEFORE.replace("# kernels", NOQA)
    rewritten = Rewritten(AFTER, (), NAMES, shortened_comments=shortened)
    with pytest.raises(NotProved, match=reason):
        prove(module(before), rewritten, unsafe=False)


def test_comments_that_are_all_that_changes_are_proved() -> None:
    prove_comments_only(Source(b"x = 1  # one\n"), "# TODO a\nx = 1  # one\n", "# TODO")


@pytest.mark.parametrize(
    "text",
    [
        "# TODO a\nx = 2  # one\n",
        "# TODO a\nx = 1\n",
        "# a\nx = 1  # one\n",
        "# TODO coding: latin-1\nx = 1  # one \u00e9\n",
        "# TODO \ud800\nx = 1  # one\n",
        "# TODO\nx = (\n",
    ],
)
def test_anything_more_than_comments_is_not(text: str) -> None:
    with pytest.raises(NotProved):
        prove_comments_only(Source(b"x = 1  # one\n"), text, "# TODO")


DROP = Plan(drop=(1, 2, 3))


@pytest.mark.parametrize(
    ("plan", "before", "after", "sound"),
    [
        (DROP, "f(o, e, x, t, q)", "g(o, q)", True),
        (DROP, "f(o, e, x, t, q)", "g(q, o)", False),
        (DROP, "f(o, e, x, t, q)", "g(o, q, q)", False),
        (DROP, "f(o, e, x, t, q)", "g(o, t, q)", False),
        (DROP, "f(o, e, x, t, q)", "g(o)", False),
        (DROP, "f(o, e, x, t, *q)", "g(o, q)", False),
        (Plan(split=(1,)), "f(o, s)", "g(o, s, s)", True),
        (Plan(split=(1,)), "f(o, kv_scale=s)", "g(o, k_scale=s, v_scale=s)", True),
        (Plan(split=(1,)), "f(o, kv_scale=s)", "g(o, k_scale=s)", False),
        (Plan(rename=((1, "seq_lens"),)), "f(o, context_lens=s)", "g(o, seq_lens=s)", True),
        (Plan(rename=((1, "seq_lens"),)), "f(o, context_lens=s)", "g(o, max_seq_len=s)", False),
        (Plan(insert_after=((0, "num_kv_heads", "k.shape[1]"),)), "f(v, s)", "g(v, k.shape[1], s)", True),
        (Plan(insert_after=((0, "num_kv_heads", "k.shape[1]"),)), "f(v, s)", "g(v, s, k.shape[1])", False),
        (Plan(arrange=("None", 1, 0)), "f(a, b)", "g(None, b, a)", True),
        (Plan(arrange=("None", 1, 0)), "f(a, b)", "g(None, a, b)", False),
    ],
)
def test_the_arguments_are_those_of_the_plan(plan: Plan, before: str, after: str, sound: bool) -> None:
    rewritten = Rewritten(AFTER, (), NAMES, (), (), (WrittenCall(7, TARGET, plan, before, after, False),))
    if sound:
        prove(module(BEFORE), rewritten, unsafe=False)
    else:
        with pytest.raises(NotProved, match="the arguments of the call at line 7 would not be the same"):
            prove(module(BEFORE), rewritten, unsafe=False)
