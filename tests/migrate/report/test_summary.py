"""The few lines at the end of a run."""

from __future__ import annotations

import pytest

from paged_attention_migrate.findings import Finding
from paged_attention_migrate.project import FileChange, Result
from paged_attention_migrate.report.colour import Paint
from paged_attention_migrate.report.summary import NO_UNDO, UNDO, Counts, check_summary, rewrite_summary

PLAIN = Paint(False)
SLUGS = {"PAM102": "call", "PAM105": "guard", "PAM405": "star-args"}


def _finding(path: str, code: str, fix: str | None, severity: str = "error", fixed: bool = False) -> Finding:
    return Finding(path, 1, 1, 1, 2, code, severity, "paged_attention_v1", fix, "gone", fixed=fixed)


def _run(files: int, *changed: str) -> Result:
    return Result((), tuple(FileChange(path, b"", b"x") for path in changed), files)


FINDINGS = (
    _finding("a.py", "PAM102", "safe"),
    _finding("a.py", "PAM102", "unsafe"),
    _finding("b.py", "PAM405", None, "warning"),
    _finding("b.py", "PAM405", None, "warning"),
    _finding("c.py", "PAM105", None),
    _finding("d.md", "PAM305", None, "info"),
)


def test_a_check() -> None:
    assert check_summary(_run(3519), Counts(FINDINGS), SLUGS, " src", PLAIN) == (
        "6 findings in 4 files, 3519 files scanned.\n"
        "  1 for `paged-attention-migrate rewrite src`\n"
        "  1 for `paged-attention-migrate rewrite --unsafe src`, whose diff needs a reader\n"
        "       1 PAM102 call\n"
        "  3 by hand, as `paged-attention-migrate explain PAM105` says:\n"
        "       1 PAM105 guard\n"
        "       2 PAM405 star-args\n"
        "  1 for information only\n"
    )


def test_a_clean_check_says_nothing() -> None:
    assert check_summary(_run(3519), Counts(()), SLUGS, "", PLAIN) == ""


def test_one_is_not_called_several() -> None:
    text = check_summary(_run(1), Counts(FINDINGS[:1]), SLUGS, "", PLAIN)
    assert text.startswith("1 finding in 1 file, 1 file scanned.\n")


def test_a_code_without_a_slug() -> None:
    assert "       1 PAM102\n" in check_summary(_run(1), Counts(FINDINGS[1:2]), {}, "", PLAIN)


def test_a_rewrite_that_did_everything() -> None:
    counts = Counts([FINDINGS[0]._replace(fixed=True)])
    assert rewrite_summary(_run(20, "a.py"), counts, SLUGS, "", UNDO, PLAIN) == (
        "Rewrote 1 place in 1 file, 20 files scanned.\n`paged-attention-migrate undo` takes it back.\n"
    )


def test_a_rewrite_without_a_way_back() -> None:
    counts = Counts([FINDINGS[0]._replace(fixed=True)])
    assert rewrite_summary(_run(20, "a.py"), counts, SLUGS, "", NO_UNDO, PLAIN).endswith(f"scanned.\n{NO_UNDO}\n")


def test_a_rewrite_that_leaves_something() -> None:
    counts = Counts([FINDINGS[0]._replace(fixed=True), *FINDINGS[1:]])
    assert rewrite_summary(_run(20, "a.py"), counts, SLUGS, "", UNDO, PLAIN) == (
        "Rewrote 1 place in 1 file, 20 files scanned.\n"
        "`paged-attention-migrate undo` takes it back.\n"
        "Left for you: 4 places in 3 files.\n"
        "  1 for `paged-attention-migrate rewrite --unsafe`, whose diff needs a reader\n"
        "       1 PAM102 call\n"
        "  3 by hand, as `paged-attention-migrate explain PAM105` says:\n"
        "       1 PAM105 guard\n"
        "       2 PAM405 star-args\n"
        "  1 for information only\n"
    )


def test_a_patch_only() -> None:
    counts = Counts([FINDINGS[0]._replace(fixed=True)])
    assert rewrite_summary(_run(20, "a.py"), counts, SLUGS, "", "", PLAIN) == (
        "Would rewrite 1 place in 1 file, 20 files scanned.\n"
    )


@pytest.mark.parametrize(
    ("closing", "fixed", "expected"),
    [
        (UNDO, True, "Rewrote 1 place in 1 file and added 3 TODO comments to 2 files, 20 files scanned.\n"),
        ("", True, "Would rewrite 1 place in 1 file and add 3 TODO comments to 2 files, 20 files scanned.\n"),
        (UNDO, False, "Added 3 TODO comments to 2 files, 20 files scanned.\n"),
        ("", False, "Would add 3 TODO comments to 2 files, 20 files scanned.\n"),
    ],
)
def test_comments_are_counted(closing: str, fixed: bool, expected: str) -> None:
    counts = Counts([FINDINGS[0]._replace(fixed=True)] if fixed else [])
    changes = (FileChange("a.py", b"", b"x", todo_comments=1), FileChange("b.py", b"", b"x", todo_comments=2))
    text = rewrite_summary(Result((), changes, 20), counts, SLUGS, "", closing, PLAIN)
    assert text == expected + (f"{closing}\n" if closing else "")


def test_nothing_to_rewrite() -> None:
    assert rewrite_summary(_run(0), Counts(()), SLUGS, "", UNDO, PLAIN) == "Nothing to rewrite, 0 files scanned.\n"


@pytest.mark.parametrize(
    ("finding", "failing"),
    [
        (_finding("a", "PAM102", "safe"), True),
        (_finding("a", "PAM102", "safe", fixed=True), False),
        (_finding("a", "PAM405", None, "warning"), True),
        (_finding("a", "PAM305", None, "info"), False),
        (_finding("a", "PAM305", "unsafe", "info"), False),
    ],
)
def test_what_makes_a_run_fail(finding: Finding, failing: bool) -> None:
    assert Counts([finding]).failing is failing


def test_every_finding_is_counted_once() -> None:
    counts = Counts([*FINDINGS, FINDINGS[0]._replace(fixed=True)])
    parts = (counts.fixed, counts.safe, counts.unsafe, counts.manual, counts.info)
    assert sum(map(len, parts)) == len(counts.findings) == 7
