"""CODEOWNERS: which lines match a path, by the documents of GitHub and GitLab, and findings grouped by owner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from paged_attention_migrate.cli import main
from paged_attention_migrate.owners import Owners, OwnersError, load

CALL = "ops.paged_attention_v1(out, q, kc, vc, 8, scale, tables, lens, 16, longest, None, 'auto', ks, vs)"
HEAD = "from vllm import _custom_ops as ops\n\n\ndef step(out, q, kc, vc, scale, tables, lens, longest, ks, vs):\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A work tree with a finding in each of three files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    for name in ("a.py", "b.py", "sub/c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{HEAD}    {CALL}\n", encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments])


def owns(pattern: str, path: str, root: Path, gitlab: bool = False) -> bool:
    return Owners(f"{pattern} @o\n", str(root), gitlab).of(str(root / path)) == ("@o",)


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*", "a/b/c.py", True),
        ("*.js", "a/b.js", True),
        ("*.js", "a/b.jsx", False),
        ("/build/logs/", "build/logs/x/y", True),
        ("/build/logs/", "a/build/logs/x", False),
        ("docs/*", "docs/getting-started.md", True),
        ("docs/*", "docs/build-app/troubleshooting.md", False),
        ("docs/*", "a/docs/x.md", False),
        ("apps/", "apps/x", True),
        ("apps/", "a/apps/x/y", True),
        ("apps/", "apps", False),
        ("/docs/", "docs/x", True),
        ("/docs/", "a/docs/x", False),
        ("/scripts", "scripts/a/b", True),
        ("/scripts", "a/scripts", False),
        ("**/logs", "deeply/nested/logs/x", True),
        ("**/logs", "logs/x", True),
        ("/apps/github", "apps/github/x", True),
        ("/apps/github", "apps/githubber", False),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("/?.py", "a.py", True),
        ("/?.py", "ab.py", False),
        ("/*", "a.py", True),
        ("/*", "a/b.py", False),
        ("a.py", "aXpy", False),
        ("A.py", "a.py", False),
        (r"a\ b.py", "x/a b.py", True),
        ("!a.py", "a.py", False),
        ("[a-z].py", "a.py", False),
        (r"\#a.py", "#a.py", False),
        ("#a.py", "#a.py", False),
    ],
)
def test_patterns_of_github(pattern: str, path: str, expected: bool, tmp_path: Path) -> None:
    assert owns(pattern, path, tmp_path) is expected


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*", "a/b.py", True),
        ("README.md", "a/README.md", True),
        ("/README.md", "a/README.md", False),
        ("internal/README.md", "docs/internal/README.md", True),
        ("/docs/", "docs/a/b.md", True),
        ("/docs", "docs/a.md", False),
        ("/docs/*", "docs/a.md", True),
        ("/docs/*", "docs/a/b.md", False),
        ("/docs/**/*.md", "docs/a/b/c.md", True),
        ("/docs/**/*.md", "docs/c.md", True),
        (r"\#file.rb", "#file.rb", True),
        (r"path\ with\ spaces/", "path with spaces/a", True),
        ("[a-c].py [x", "b.py", True),
        ("[!a-c].py", "b.py", False),
        ("[z-a].py", "b.py", False),
    ],
)
def test_patterns_of_gitlab(pattern: str, path: str, expected: bool, tmp_path: Path) -> None:
    assert owns(pattern, path, tmp_path, gitlab=True) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* @a\n*.py @b @c\n", ("@b", "@c")),
        ("*.py @b\n* @a\n", ("@a",)),
        ("* @a\n/x/\n", ()),
        ("* @a # @b\n", ("@a",)),
        ("* a@example.com\n", ("a@example.com",)),
        ("* @a\n*.py nobody\n", ("@a",)),
        ("* @a\n[One] @d\n*.py\n[Two][2] @e\n/x/\n*.md @f\n", ("@a", "@d", "@e")),
        ("[One] @d\n*.py @g\n^[Two] @d\n*.py @g\n", ("@g",)),
        ("[One]\n*.py @a\n[Two]\n*.md @b\n[ONE]\n/x/ @c\n", ("@c",)),
        ("[One] @d\n*\n!/x/\n*.py @a\n", ()),
        ("", ()),
    ],
)
def test_owners_of_a_file(text: str, expected: tuple[str, ...], tmp_path: Path) -> None:
    assert Owners(text, str(tmp_path)).of(str(tmp_path / "x" / "y.py")) == expected


def test_a_file_outside_has_no_owner(tmp_path: Path) -> None:
    assert Owners("* @a\n", str(tmp_path / "in")).of(str(tmp_path / "x.py")) == ()


def test_places_in_order(tmp_path: Path) -> None:
    for place in (".gitlab", "docs", "", ".github"):
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / "CODEOWNERS").write_text(f"* @{place or 'top'}\n", encoding="utf-8")
        assert load(str(tmp_path)).of(str(tmp_path / "x")) == (f"@{place or 'top'}",)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "CODEOWNERS").write_bytes(b"* @\xff\n")
    with pytest.raises(OwnersError, match="not in UTF-8"):
        load(str(tmp_path))


def test_findings_under_their_owners(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "CODEOWNERS").write_text("a.py @z\n/sub/ @a @b\n", encoding="utf-8")
    done = run("--group-by", "owner")
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    told = [line.split(":")[0] for line in lines if "finding" in line or ".py:" in line]
    assert told == ["@a @b", "sub/c.py", "@z", "a.py", "no owner", "b.py"]
    assert lines[0] == "@a @b: 1 finding"
    monkeypatch.chdir(root / "sub")
    assert run("--group-by", "owner").stdout.startswith("@a @b: 1 finding\n\nc.py:5:5: PAM102 ")


@pytest.mark.usefixtures("root")
def test_by_file_and_by_code() -> None:
    by_code = run("--group-by", "code").stdout
    assert by_code == "PAM102: 3 findings\n\n" + run().stdout
    assert run("--group-by", "file", "sub").stdout == "sub/c.py: 1 finding\n\n" + run("sub").stdout


def test_owners_for_programs(root: Path) -> None:
    (root / "CODEOWNERS").write_text("a.py @z\n", encoding="utf-8")
    found = json.loads(run("--group-by", "owner", "--output-format", "json").stdout)["findings"]
    assert [each["owners"] for each in found] == [["@z"], [], []]
    results = json.loads(run("--group-by", "owner", "--output-format", "sarif").stdout)["runs"][0]["results"]
    assert [each["properties"]["owners"] for each in results] == [["@z"], [], []]
    assert "owners" not in run("--output-format", "json").stdout
    assert "owners" not in json.loads(run("--output-format", "sarif").stdout)["runs"][0]["results"][0]["properties"]


@pytest.mark.usefixtures("root")
def test_without_codeowners() -> None:
    done = run("--group-by", "owner")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("paged-attention-migrate: --group-by owner: there is no CODEOWNERS in ")


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("name", ["github", "html"])
def test_formats_without_owners(name: str) -> None:
    done = run("--group-by", "owner", "--output-format", name)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"not with {name}" in done.stderr
