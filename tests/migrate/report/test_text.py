"""What a person reads about findings."""

from __future__ import annotations

import pytest

from paged_attention_migrate.findings import Finding, Occurrence
from paged_attention_migrate.project import FileChange
from paged_attention_migrate.report.colour import Paint
from paged_attention_migrate.report.text import findings_text, occurrences_text, printable, rewritten_text

PLAIN = Paint(False)
CALL = Finding(
    path="serving/backend.py",
    line=42,
    column=5,
    end_line=42,
    end_column=27,
    code="PAM102",
    severity="error",
    name="paged_attention_v1",
    fix="safe",
    message="paged_attention_v1 was removed in vLLM 0.25.0",
    source_line="    ops.paged_attention_v1(out, query)",
)


def test_a_finding_that_rewrite_takes() -> None:
    assert findings_text([CALL], PLAIN) == (
        "serving/backend.py:42:5: PAM102 paged_attention_v1 was removed in vLLM 0.25.0\n"
        " 42 |     ops.paged_attention_v1(out, query)\n"
        "    |     ^^^^^^^^^^^^^^^^^^^^^^\n"
        "    = rewrite makes this edit\n"
    )


def test_a_finding_that_needs_a_reader() -> None:
    finding = CALL._replace(fix="unsafe", reasons=("`f()` would run later", "`g()` too"))
    assert findings_text([finding], PLAIN).splitlines()[3:] == [
        "    = `f()` would run later",
        "    = `g()` too",
        "    = rewrite --unsafe makes this edit: read its diff",
    ]


def test_a_reason_that_the_message_gives_already_is_not_repeated() -> None:
    finding = CALL._replace(fix=None, message="gone: `*a` hides arguments", reasons=("`*a` hides arguments",))
    assert findings_text([finding], PLAIN).count("hides arguments") == 1


def test_a_finding_for_a_person() -> None:
    finding = CALL._replace(fix=None, code="PAM405", severity="warning")
    assert findings_text([finding], PLAIN).splitlines()[-1] == "    = by hand: explain PAM405 says more"


def test_a_mention_asks_for_nothing() -> None:
    finding = CALL._replace(fix=None, code="PAM305", severity="info")
    assert findings_text([finding], PLAIN).splitlines()[-1].endswith("^")


def test_a_call_over_several_lines_is_underlined_to_the_end_of_the_first() -> None:
    finding = CALL._replace(end_line=44, end_column=2, source_line="    ops.paged_attention_v1(  ")
    assert findings_text([finding], PLAIN).splitlines()[2] == "    |     " + "^" * len("ops.paged_attention_v1(")


@pytest.mark.parametrize("source_line", ["", "   ", "\t"])
def test_without_a_source_line_there_is_no_caret(source_line: str) -> None:
    text = findings_text([CALL._replace(source_line=source_line, line=1)], PLAIN)
    assert text.splitlines()[1:] == ["   = rewrite makes this edit"]


def test_findings_stand_apart() -> None:
    assert findings_text([CALL, CALL], PLAIN).count("\n\n") == 1
    assert findings_text([], PLAIN) == ""


def test_a_rewrite_says_what_it_did_file_by_file() -> None:
    findings = [CALL._replace(fixed=True), CALL._replace(path="z.py", line=7, fixed=True)]
    changes = [
        FileChange("serving/backend.py", b"", b"", ("removed with its statement: comment '# scratch'",)),
        FileChange("z.py", b"", b""),
        FileChange("zz.py", b"", b"", ("hands on another name",)),
    ]
    assert rewritten_text(findings, changes, PLAIN) == (
        "serving/backend.py:42:5: PAM102 rewritten: paged_attention_v1 was removed in vLLM 0.25.0\n"
        "serving/backend.py: removed with its statement: comment '# scratch'\n"
        "z.py:7:5: PAM102 rewritten: paged_attention_v1 was removed in vLLM 0.25.0\n"
        "zz.py: hands on another name\n"
    )


def test_what_was_left_alone() -> None:
    occurrence = Occurrence("a.py", 3, 7, "paged_attention_v1", "an op of AITER's own")
    assert occurrences_text([occurrence], PLAIN) == "a.py:3:7: left alone: paged_attention_v1: an op of AITER's own\n"


def test_a_terminal_cannot_be_driven_by_a_name() -> None:
    finding = CALL._replace(path="a\x1b[2J\n.py", message="bad \udcff\u202e é")
    first = findings_text([finding], PLAIN).splitlines()[0]
    assert first == "a\\x1b[2J\\n.py:42:5: PAM102 bad \\udcff\\u202e é"
    assert printable("größe 変換.py") == "größe 変換.py"


def test_colours_mark_path_code_and_caret_and_change_no_text() -> None:
    coloured = findings_text([CALL], Paint(True))
    assert "\x1b[1mserving/backend.py\x1b[0m:42:5: \x1b[31m\x1b[1mPAM102\x1b[0m" in coloured
    import click

    assert click.unstyle(coloured) == findings_text([CALL], PLAIN)
