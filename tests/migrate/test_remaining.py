"""What a rewrite leaves is told at its place in the new text."""

from __future__ import annotations

from pathlib import Path

import pytest

from paged_attention_migrate import project, proof
from paged_attention_migrate.findings import Finding
from paged_attention_migrate.project import Options
from paged_attention_migrate.proof import NotProved
from paged_attention_migrate.remaining import once_written
from paged_attention_migrate.rewriting import Rewritten

CALL = Finding("a.py", 2, 1, 2, 4, "PAM102", "error", "v1", "safe", "gone", (), "old()", fixed=True)
HANDLER = Finding("a.py", 4, 1, 4, 7, "PAM108", "warning", "v1", None, "this handler hides", (), "except ImportError:")
BEFORE = "import a\nold()\ntry:\nexcept ImportError:\n"
AFTER = "import a\nimport b\nnew()\ntry:\nexcept ImportError:\n"


def told(findings: tuple[Finding, ...]) -> list[str]:
    return [f"{each.line}:{each.column} {each.code}{' fixed' if each.fixed else ''}" for each in findings]


def test_what_was_done_keeps_its_place_and_what_is_left_moves() -> None:
    manual = HANDLER._replace(line=3, end_line=3, end_column=4, code="PAM405", message="at line 3", source_line="try:")
    now = manual._replace(line=4, end_line=4, message="at line 4")
    assert once_written((CALL, manual), (now,), BEFORE, AFTER) == (CALL, now)


def test_a_remark_that_the_new_text_does_not_call_for_is_told_where_its_line_stands() -> None:
    moved = HANDLER._replace(line=5, end_line=5)
    assert once_written((CALL, HANDLER), (), BEFORE, AFTER) == (CALL, moved)
    renamed = AFTER.replace("except ImportError:", "except ImportError: new = None")
    assert told(once_written((HANDLER,), (), BEFORE, renamed)) == ["5:1 PAM108"]


@pytest.mark.parametrize("after", ["import a\nnew()\n", BEFORE.replace("except", "finally")])
def test_a_remark_whose_line_went_was_settled(after: str) -> None:
    assert once_written((HANDLER,), (), BEFORE, after) == (HANDLER._replace(fixed=True),)
    assert once_written((HANDLER._replace(severity="info"),), (), BEFORE, after) == ()


def test_a_finding_whose_line_was_changed_is_known_by_its_name() -> None:
    star = Finding("a.py", 2, 1, 2, 4, "PAM404", "error", "v1", None, "gone", (), "old()")
    now = star._replace(line=3, end_line=3, column=5, source_line="    new(old())")
    assert once_written((star,), (now,), BEFORE, AFTER) == (now,)


def test_what_turns_up_only_now_is_told() -> None:
    fresh = HANDLER._replace(line=1, code="PAM203")
    assert told(once_written((CALL, HANDLER), (fresh,), BEFORE, AFTER)) == [
        "1:1 PAM203",
        "2:1 PAM102 fixed",
        "5:1 PAM108",
    ]


def test_equal_findings_keep_their_order() -> None:
    lines = [HANDLER._replace(line=line, end_line=line, message=str(line)) for line in (1, 2, 3)]
    now = [each._replace(line=each.line + 1, end_line=each.line + 1) for each in lines]
    assert once_written(lines, now, "a\nb\nc\n", "new\na\nb\nc\n") == tuple(now)


def test_an_edit_that_failed_is_still_said_to_have_failed() -> None:
    failed = CALL._replace(code="PAM902", fix=None, fixed=False, message="gone; it was left alone: it failed")
    now = CALL._replace(line=3, end_line=3, fixed=False, source_line="old()")
    after = "import a\nimport b\nold()\n"
    assert once_written((failed,), (now,), BEFORE, after) == (failed._replace(line=3, end_line=3),)
    changed = now._replace(column=3)
    assert once_written((failed,), (changed,), BEFORE, AFTER) == (failed._replace(line=3, end_line=3, column=3),)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


MIXED = """\
import torch
from vllm import _custom_ops as ops

HAVE = hasattr(ops, "paged_attention_v1")


def decode(out, q, kc, vc, n, scale, tables, lens, size, longest, ks, vs):
    parts = (longest + 511) // 512
    sums = torch.empty(8, parts)
    logits = torch.empty(8, parts)
    tmp = torch.empty(8, parts)
    ops.paged_attention_v2(
        out, sums, logits, tmp, q, kc, vc, n, scale, tables, lens, size, longest, None, "auto", ks, vs
    )


def merged(out, sums, logits, tmp, *rest):
    ops.paged_attention_v2(out, sums, logits, tmp, *rest)
    return sums.max()
"""


def test_a_run_tells_the_place_in_the_new_text(here: Path) -> None:
    (here / "case.py").write_text(MIXED)
    (here / "other.py").write_text("import vllm._ipex_ops\n")
    result = project.rewrite(Options())
    assert told(result.findings) == ["4:21 PAM105", "12:5 PAM102 fixed", "18:5 PAM401", "1:8 PAM203"]
    (change,) = result.changes
    (here / "case.py").write_bytes(change.after)
    written = result.once_written()
    left = [each for each in written.findings if not each.fixed]
    assert left == list(project.check(Options()).findings)
    read = next(each for each in left if each.code == "PAM401")
    new = change.after.decode().splitlines()
    assert new[read.line - 1] == read.source_line == "    ops.paged_attention_v2(out, sums, logits, tmp, *rest)"
    assert f"`sums` is read at line {read.line + 1}" in read.message


def test_an_edit_that_is_not_proved_is_told_at_its_new_place(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def prove(_: object, rewritten: Rewritten, *_flags: bool) -> None:
        if "paged_attention(two" in rewritten.text:
            raise NotProved("of a test")

    monkeypatch.setattr(proof, "prove", prove)
    text = "from vllm import _custom_ops as ops\n\nops.paged_attention_v1(*one)\nops.paged_attention_v1(two, *one)\n"
    (here / "case.py").write_text(text)
    result = project.rewrite(Options()).once_written()
    assert told(tuple(each for each in result.findings if each.severity != "info")) == [
        "3:1 PAM102 fixed",
        "5:1 PAM902",
    ]
    assert result.findings[-1].message.endswith("it was left alone: of a test")
