"""Files as other people's property: what is not edited stays byte for byte, and what cannot be read is said."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from paged_attention_migrate import project

BEFORE = b"from vllm import _custom_ops as ops\n\ndef f(a):\n    ops.paged_attention_v1(*a)\n"
AFTER = b"from paged_attention_shim import paged_attention\n\ndef f(a):\n    paged_attention(*a)\n"
LATIN = b"# -*- coding: latin-1 -*-\n# caf\xe9\n"

WRITTEN = {
    "plain": (BEFORE, AFTER),
    "byte order mark": (b"\xef\xbb\xbf" + BEFORE, b"\xef\xbb\xbf" + AFTER),
    "CRLF": (BEFORE.replace(b"\n", b"\r\n"), AFTER.replace(b"\n", b"\r\n")),
    "mixed newlines": (BEFORE.replace(b"\n", b"\r\n", 2), AFTER.replace(b"\n", b"\r\n", 2)),
    "lone carriage returns": (BEFORE.replace(b"\n", b"\r"), AFTER.replace(b"\n", b"\r")),
    "no newline at the end": (BEFORE.rstrip(b"\n"), AFTER.rstrip(b"\n")),
    "form feed": (BEFORE.replace(b"\ndef", b"\n\x0c\ndef"), AFTER.replace(b"\ndef", b"\n\x0c\ndef")),
    "tabs": (BEFORE.replace(b"    ", b"\t"), AFTER.replace(b"    ", b"\t")),
    "latin-1": (LATIN + BEFORE, LATIN + AFTER),
    "wide characters": (
        BEFORE + "é = '変換'; ops.paged_attention_v1(é, *a)  # é\n".encode(),
        AFTER + "é = '変換'; paged_attention(é, *a)  # é\n".encode(),
    ),
    "trailing blanks": (BEFORE.replace(b"(a):", b"(a):  "), AFTER.replace(b"(a):", b"(a):  ")),
}
UNREADABLE = {
    "syntax error": (BEFORE + b"def (:\n", "line 5"),
    "Python 2": (BEFORE + b"print 'x'\n", "line 5"),
    "NUL byte": (BEFORE + b"\0\n", "line 5 holds a NUL byte"),
    "undeclared latin-1": (b"# caf\xe9\n" + BEFORE, "line 1 is not utf-8"),
    "unknown encoding": (b"# coding: nonsense\n" + BEFORE, "'nonsense' is not known"),
    "deep nesting": (BEFORE + b"x = " + b"(" * 3000 + b")" * 3000 + b"\n", "does not parse"),
    "binary": (bytes(range(256)) + b" paged_attention_v1 ", "NUL byte"),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", WRITTEN)
def test_only_the_edits_change(name: str, here: Path) -> None:
    before, after = WRITTEN[name]
    (here / "case.py").write_bytes(before)
    (change,) = project.rewrite(project.Options()).changes
    assert change[:4] == ("case.py", before, after, ())


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_cannot_be_read_is_one_finding(name: str, here: Path) -> None:
    data, reason = UNREADABLE[name]
    (here / "broken.py").write_bytes(data)
    (here / "case.py").write_bytes(BEFORE)
    result = project.rewrite(project.Options())
    (finding,) = (each for each in result.findings if each.path == "broken.py")
    assert finding.code == "PAM901"
    assert reason in finding.message
    assert finding.fix is None
    assert [each.path for each in result.changes] == ["case.py"]
    assert not result.failed


def test_an_unreadable_file_without_a_removed_name_is_nobodys_business(here: Path) -> None:
    (here / "broken.py").write_bytes(b"def (:\n")
    assert project.check(project.Options()) == project.Result((), files_scanned=1)


def test_links_and_pipes_are_left_alone(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "outside.py"
    outside.write_bytes(BEFORE)
    (here / "case.py").write_bytes(BEFORE)
    (here / "same.py").symlink_to("case.py")
    (here / "out.py").symlink_to(outside)
    os.mkfifo(here / "pipe.py")
    result = project.rewrite(project.Options())
    assert [each.path for each in result.changes] == ["case.py"]


def test_a_large_file(here: Path) -> None:
    tail = b"x = 1\n" * 50_000
    (here / "case.py").write_bytes(BEFORE + tail)
    (change,) = project.rewrite(project.Options()).changes
    assert change.after == AFTER + tail


def test_a_path_that_does_not_exist_fails_the_run_and_not_the_rest(here: Path) -> None:
    (here / "case.py").write_bytes(BEFORE)
    result = project.check(project.Options(("nowhere.py", "case.py")))
    assert result.failed
    assert result.notices == ("nowhere.py: there is no such file or directory",)
    assert [each.path for each in result.findings] == ["case.py", "case.py"]


def test_the_mode_is_not_part_of_a_check(here: Path) -> None:
    (here / "case.py").write_bytes(BEFORE)
    (here / "case.py").chmod(0o640)
    project.rewrite(project.Options())
    assert stat.S_IMODE((here / "case.py").stat().st_mode) == 0o640


def test_the_order_of_work_does_not_show(here: Path) -> None:
    for number in range(12):
        (here / f"case_{number:02}.py").write_bytes(BEFORE)
    alone = project.rewrite(project.Options(jobs=1))
    assert project.rewrite(project.Options(jobs=3)) == alone
    assert [each.path for each in alone.changes] == [f"case_{number:02}.py" for number in range(12)]
