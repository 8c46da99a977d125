"""The baseline: old findings are tolerated, new ones fail, and the file only becomes shorter."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from paged_attention_migrate.baseline import BaselineError, entries_of, read, tolerate, write
from paged_attention_migrate.cli import main
from paged_attention_migrate.findings import Finding

FILE = ".paged-attention-baseline.json"
CALL = "ops.paged_attention_v1(out, q, kc, vc, 8, scale, tables, lens, 16, longest, None, 'auto', ks, vs)"
HEAD = "from vllm import _custom_ops as ops\n\n\ndef step(out, q, kc, vc, scale, tables, lens, longest, ks, vs):\n"
GUARD = "import torch\n\nHAVE = hasattr(torch.ops._C, 'paged_attention_v1')\n"
FINDING = Finding("a.py", 5, 1, 5, 9, "PAM102", "error", "paged_attention_v1", "safe", "gone", (), "    f(x)")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two findings."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "call.py").write_text(f"{HEAD}    {CALL}\n", encoding="utf-8")
    (tmp_path / "guard.py").write_text(GUARD, encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def entries(root: Path) -> list[tuple[str, str, int]]:
    document = json.loads((root / FILE).read_text(encoding="utf-8"))
    return [(each["path"], each["code"], each["count"]) for each in document["findings"]]


BOTH = [("guard.py", "PAM105", 1), ("sub/call.py", "PAM102", 1)]


def test_what_is_there_now_is_tolerated(root: Path) -> None:
    assert run("check").exit_code == 1
    done = run("baseline")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == (
        f"{FILE} has 2 findings in 2 files.\n"
        f"`paged-attention-migrate check --baseline {FILE}` tolerates them, and so does `baseline` in the settings.\n"
    )
    assert entries(root) == BOTH
    done = run("check", "--baseline", FILE)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "Tolerated: 2 findings of the baseline.\n")
    assert run("check", "-q", "--baseline", FILE).output == ""
    assert run("check").exit_code == 1


def test_settings_name_the_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "pyproject.toml").write_text(
        '[tool.paged-attention-migrate]\nbaseline = "config/known.json"\n', encoding="utf-8"
    )
    (root / "config").mkdir()
    done = run("check")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "paged-attention-migrate: the baseline config/known.json is not there: "
        "`paged-attention-migrate baseline` writes it\n"
    )
    assert run("baseline").stderr == "config/known.json has 2 findings in 2 files.\n"
    assert run("check").exit_code == 0
    monkeypatch.chdir(root / "sub")
    done = run("check", "..")
    assert (done.exit_code, done.stderr) == (0, "Tolerated: 2 findings of the baseline.\n")
    assert run("check", "call.py").exit_code == 0


def test_a_new_finding_fails(root: Path) -> None:
    run("baseline")
    (root / "new.py").write_text(GUARD, encoding="utf-8")
    done = run("check", "--baseline", FILE)
    assert done.exit_code == 1
    assert done.stdout.startswith("new.py:3:30: PAM105 ")
    assert "call.py" not in done.output


def test_moved_and_reindented_lines_are_the_same_finding(root: Path) -> None:
    run("baseline")
    text = f"# one more line\n{HEAD}    if True:\n            {CALL}\n"
    (root / "sub" / "call.py").write_text(text, encoding="utf-8")
    assert run("check", "--baseline", FILE).exit_code == 0


def test_one_more_of_the_same_is_new(root: Path) -> None:
    run("baseline")
    (root / "sub" / "call.py").write_text(f"{HEAD}    {CALL}\n    {CALL}\n", encoding="utf-8")
    done = run("check", "--baseline", FILE)
    assert done.exit_code == 1
    assert done.stdout.startswith("sub/call.py:6:5: PAM102 ")
    assert "    = the baseline has 1 like it in this file, and this is one more\n" in done.stdout.replace(
        "   = ", "    = "
    )
    assert done.stdout.count("PAM102") == 1


def test_what_is_gone_is_told_and_taken_out(root: Path) -> None:
    run("baseline")
    (root / "guard.py").write_text("import torch\n", encoding="utf-8")
    done = run("check", "--baseline", FILE)
    assert done.exit_code == 0
    assert done.stderr == (
        "Tolerated: 1 finding of the baseline.\n"
        "1 finding of the baseline is gone:\n"
        "  guard.py: PAM105 HAVE = hasattr(torch.ops._C, 'paged_attention_v1')\n"
        "  `paged-attention-migrate baseline --update` takes them out of it.\n"
    )
    done = run("baseline", "--update")
    assert done.stderr.startswith(f"{FILE} has 1 finding in 1 file: 1 went, 0 came.\n")
    assert entries(root) == BOTH[1:]


def test_an_update_lets_nothing_new_in(root: Path) -> None:
    run("baseline")
    (root / "new.py").write_text(GUARD, encoding="utf-8")
    run("baseline", "--update")
    assert entries(root) == BOTH
    assert run("check", "--baseline", FILE).exit_code == 1
    assert run("baseline", "--renew").stderr.startswith(f"{FILE} has 3 findings in 3 files: 0 went, 1 came.\n")
    assert run("check", "--baseline", FILE).exit_code == 0


def test_a_file_that_is_there_is_not_written_over(root: Path) -> None:
    run("baseline")
    before = (root / FILE).read_bytes()
    (root / "guard.py").unlink()
    done = run("baseline")
    assert done.exit_code == 2
    assert done.stderr == (
        f"paged-attention-migrate: {FILE} is there already: --update takes out what is gone, --renew writes it anew\n"
    )
    assert (root / FILE).read_bytes() == before
    assert run("baseline", "--update", "--renew").exit_code == 2


def test_a_run_over_some_files_says_nothing_of_the_others(root: Path) -> None:
    run("baseline")
    (root / "guard.py").unlink()
    assert "gone" not in run("check", "sub", "--baseline", FILE).stderr
    assert "gone" not in run("check", "sub/call.py", "--baseline", FILE).stderr
    assert "gone" in run("check", "guard.py", ".", "--baseline", FILE).stderr
    assert "gone" not in run("check", "--exclude", "guard.py", "--baseline", FILE).stderr
    run("baseline", "sub", "--update")
    assert entries(root) == BOTH
    (root / "sub" / "call.py").write_text("", encoding="utf-8")
    run("baseline", "sub", "--renew")
    assert entries(root) == BOTH[:1]


@pytest.mark.usefixtures("root")
def test_a_rewrite_leaves_what_is_tolerated_unsaid() -> None:
    run("baseline")
    done = run("rewrite", "--baseline", FILE)
    assert done.exit_code == 0
    assert "sub/call.py:5:5: PAM102 rewritten" in done.stdout
    assert "PAM105" not in done.output
    assert "gone" not in done.stderr.replace("is gone since", "")
    assert "1 finding of the baseline is gone" in run("check", "--baseline", FILE).stderr


def test_a_damaged_baseline_stops_a_rewrite_before_it_writes(root: Path) -> None:
    (root / FILE).write_text("{", encoding="utf-8")
    before = (root / "sub" / "call.py").read_bytes()
    assert run("rewrite", "--baseline", FILE).exit_code == 2
    assert (root / "sub" / "call.py").read_bytes() == before


def test_json_says_what_was_tolerated(root: Path) -> None:
    run("baseline")
    (root / "guard.py").unlink()
    told = json.loads(run("check", "--output-format", "json", "--baseline", FILE).stdout)
    assert told["findings"] == []
    assert told["baseline"]["tolerated"] == 1
    assert [(each["path"], each["count"]) for each in told["baseline"]["gone"]] == [("guard.py", 1)]
    assert "baseline" not in json.loads(run("check", "--output-format", "json").stdout)


def test_mentions_are_no_part_of_it_and_the_file_is_none(root: Path) -> None:
    (root / "notes.md").write_text("`paged_attention_v1` was nice.\n", encoding="utf-8")
    run("baseline")
    assert entries(root) == BOTH
    done = run("check", "--info", "--baseline", FILE)
    assert done.exit_code == 0
    assert "notes.md:1" in done.stdout
    assert FILE not in done.stdout


def test_a_failed_run_writes_nothing(root: Path) -> None:
    done = run("baseline", "nowhere")
    assert done.exit_code == 2
    assert done.stderr == (
        "paged-attention-migrate: nowhere: there is no such file or directory, so no baseline was written\n"
    )
    assert not (root / FILE).exists()


def test_a_clean_tree_has_an_empty_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("baseline").exit_code == 0
    assert read(FILE) == Counter()
    assert run("check", "--baseline", FILE).output == ""


def test_writing_and_reading_agree(tmp_path: Path) -> None:
    path = str(tmp_path / "b.json")
    odd = FINDING._replace(path=str(tmp_path / "ö\udcff.py"), source_line='\t"é\\ 変"  x')
    found = [FINDING._replace(path=str(tmp_path / "a.py"))] * 2 + [odd]
    write(path, entries_of(found, path))
    assert read(path) == entries_of(found, path)
    assert sorted(read(path).values()) == [1, 2]
    first = Path(path).read_bytes()
    write(path, entries_of(reversed(found), path))
    assert Path(path).read_bytes() == first
    assert first.isascii()


def test_what_is_fixed_uses_its_entry_up() -> None:
    entries = entries_of([FINDING], "b.json")
    told = tolerate([FINDING._replace(fixed=True)], entries, "b.json", lambda _path: True)
    assert (told.known, told.gone) == ((), ())
    assert len(told.new) == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "is no baseline of paged-attention-migrate"),
        ("nonsense", "is not valid JSON"),
        ('{"schema": 1, "tool": "other", "findings": []}', "is no baseline of"),
        ('{"schema": 2, "tool": "paged-attention-migrate"}', "is from another version: its schema is 2"),
        ('{"schema": 1, "tool": "paged-attention-migrate"}', "entry 1 of findings needs"),
        ('{"schema": 1, "tool": "paged-attention-migrate", "findings": [3]}', "entry 1 of findings needs"),
    ],
)
def test_a_damaged_file_is_one_sentence(text: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(text, encoding="utf-8")
    with pytest.raises(BaselineError, match=complaint):
        read(str(tmp_path / "b.json"))


@pytest.mark.parametrize("change", [{"count": 0}, {"count": True}, {"path": 3}, {"text": None}, {"code": []}])
def test_a_damaged_entry_is_named(change: dict[str, Any], tmp_path: Path) -> None:
    good = {"path": "a.py", "code": "PAM102", "name": "x", "text": "y", "count": 1}
    document = {"schema": 1, "tool": "paged-attention-migrate", "findings": [good, {**good, **change}]}
    (tmp_path / "b.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(BaselineError, match="entry 2 of findings needs path, code, name, text and count"):
        read(str(tmp_path / "b.json"))


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match=r"cannot be written \(No such file or directory\)"):
        write(str(tmp_path / "nowhere" / "b.json"), Counter())
