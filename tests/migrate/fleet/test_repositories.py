"""The list: comments, refs, repetitions, and lines that somebody means ill with."""

from __future__ import annotations

from pathlib import Path

import pytest

from paged_attention_migrate.fleet.repositories import Unreadable, read


def listed(tmp_path: Path, data: bytes) -> list[tuple[int, str, str | None, str]]:
    path = tmp_path / "list"
    path.write_bytes(data)
    return [(each.line, each.address.told, each.ref, each.refused) for each in read(str(path)).repositories]


def test_lines_refs_and_comments(tmp_path: Path) -> None:
    text = b"\xef\xbb\xbf# all\n\nhttps://h/a @v1.0\r\n  https://h/b   # ours\n/x/with space @feature/y\n/x/mail@host\n"
    assert listed(tmp_path, text) == [
        (3, "https://h/a", "v1.0", ""),
        (4, "https://h/b", None, ""),
        (5, "/x/with space", "feature/y", ""),
        (6, "/x/mail@host", None, ""),
    ]


def test_a_repository_counts_once_and_another_ref_is_another(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("https://h/a\nhttps://me:pass@h/a.git\nhttps://h/a @v1\n/x/../x/a\n/x/a\n")
    found = read(str(path))
    assert [each.line for each in found.repositories] == [1, 3, 4]
    assert found.notices == (
        f"{path}:2: https://h/a.git is line 1 again, and is looked at once",
        f"{path}:5: /x/a is line 4 again, and is looked at once",
    )


@pytest.mark.parametrize("ref", ["-x", "--upload-pack=x", "a..b", "a~1", "a:b", "x.lock", "/a", "a@{1}", "*"])
def test_a_ref_that_git_would_take_for_something_else_is_refused(tmp_path: Path, ref: str) -> None:
    [(_, _, _, refused)] = listed(tmp_path, f"https://h/a @{ref}\n".encode())
    assert "is no branch, tag or commit" in refused


def test_a_hostile_line_stops_no_other_and_shows_no_password(tmp_path: Path) -> None:
    data = b"ext::sh -c x\nhttp://me:pass@h/x?k=pass\n-u x\nfile:///a\x00b\n\xff\xfe\nhttps://h/fine\n"
    found = listed(tmp_path, data)
    assert [bool(each[3]) for each in found] == [True, True, True, True, False, False]
    assert "pass" not in str(found)


@pytest.mark.parametrize("data", [b"", b"# nothing\n\n"])
def test_an_empty_list_is_said(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(Unreadable, match="names no repository"):
        listed(tmp_path, data)


def test_a_list_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="cannot be read"):
        read(str(tmp_path / "none"))
