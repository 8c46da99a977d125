"""The commands, their exit codes and streams, over an engine that answers what each test wants."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from paged_attention_migrate import __version__, project, replacing, settings, undo
from paged_attention_migrate.cli import main
from paged_attention_migrate.findings import Finding, Occurrence
from paged_attention_migrate.project import FileChange, Options
from paged_attention_migrate.project import Result as Run
from paged_attention_migrate.replacing import Refused
from paged_attention_migrate.settings import Settings, SettingsError

CALL = Finding("a.py", 1, 1, 1, 5, "PAM102", "error", "paged_attention_v1", "safe", "gone", (), "f(x)")
UNSAFE = CALL._replace(line=2, fix="unsafe", reasons=("g() would run later",))
MANUAL = CALL._replace(line=3, code="PAM405", severity="warning", fix=None)
INFO = CALL._replace(path="d.md", code="PAM305", severity="info", fix=None)
FIXED = CALL._replace(fixed=True)


def _ran(
    findings: tuple[Finding, ...] = (),
    changes: tuple[FileChange, ...] = (),
    notices: tuple[str, ...] = (),
    failed: bool = False,
    occurrences: tuple[Occurrence, ...] = (),
) -> Run:
    there = tuple(
        change._replace(findings=tuple(each for each in findings if each.path == change.path)) for change in changes
    )
    return Run(findings, there, 20, notices, failed, occurrences)


CHANGE = FileChange("a.py", b"f(x)\n", b"g(x)\n", ("removed with its statement: comment '# x'",))


class Engine:
    """What the other pieces answer, and what they were asked."""

    def __init__(self) -> None:
        self.run = _ran()
        self.error: BaseException | None = None
        self.settings = Settings()
        self.settings_error = ""
        self.dirty: list[str] = []
        self.refusal = ""
        self.undone: list[str] = []
        self.in_git = True
        self.no_space = False
        self.options: Options | None = None
        self.written: list[tuple[str, bytes, bytes]] = []
        self.remembered: list[tuple[str, bytes, bytes]] = []

    def work(self, options: Options, _progress: Callable[[int, int], None] | None = None) -> Run:
        self.options = options
        path = "deep/file.py"
        if self.error:
            raise self.error
        assert path
        return self.run

    def load(self, _start: str = ".", top: str | None = None) -> Settings:  # noqa: ARG002  # as it is called
        if self.settings_error:
            raise SettingsError(self.settings_error)
        return self.settings

    def replace_all(self, changes: list[tuple[str, bytes, bytes]]) -> None:
        if self.refusal:
            raise Refused("a.py", self.refusal)
        self.written = list(changes)

    def undo(self) -> list[str]:
        if self.refusal:
            raise Refused("a.py", self.refusal)
        return self.undone

    def remember(self, changes: list[tuple[str, bytes, bytes]]) -> bool:
        self.remembered = list(changes)
        if self.no_space:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self.in_git


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    answers = Engine()
    monkeypatch.setattr(project, "check", answers.work)
    monkeypatch.setattr(project, "rewrite", answers.work)
    monkeypatch.setattr(settings, "load", answers.load)
    monkeypatch.setattr(replacing, "dirty", lambda _paths: answers.dirty)
    monkeypatch.setattr(replacing, "replace_all", answers.replace_all)
    monkeypatch.setattr(undo, "undo", answers.undo)
    monkeypatch.setattr(undo, "remember", answers.remember)
    return answers


def _call(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_a_clean_check_prints_nothing_at_all(engine: Engine) -> None:
    done = _call("check")
    assert (done.exit_code, done.output) == (0, "")
    assert engine.options == Options(mentions=False)


def test_findings_go_to_stdout_and_the_summary_to_stderr(engine: Engine) -> None:
    engine.run = _ran((CALL, MANUAL))
    done = _call("check", "src")
    assert done.exit_code == 1
    assert done.stdout.startswith("a.py:1:1: PAM102 gone\n 1 | f(x)\n   | ^^^^\n")
    assert done.stderr.startswith(
        "2 findings in 1 file, 20 files scanned.\n  1 for `paged-attention-migrate rewrite src`\n"
    )


@pytest.mark.parametrize(
    ("run", "arguments", "code"),
    [
        (_ran((CALL,)), (), 1),
        (_ran((UNSAFE,)), (), 1),
        (_ran((MANUAL,)), (), 1),
        (_ran((INFO,)), (), 0),
        (_ran((INFO,)), ("--info",), 0),
        (_ran((CALL,)), ("--exit-zero",), 0),
        (_ran(failed=True), (), 2),
        (_ran((CALL,), failed=True), ("--exit-zero",), 2),
        (_ran((CALL,)), ("--output-format", "json"), 1),
        (_ran(notices=("x defines it",)), (), 0),
    ],
)
def test_exit_codes_of_check(engine: Engine, run: Run, arguments: tuple[str, ...], code: int) -> None:
    engine.run = run
    assert _call("check", *arguments).exit_code == code


def test_mentions_are_shown_on_demand(engine: Engine) -> None:
    engine.run = _ran((INFO,))
    assert _call("check").output == ""
    assert _call("check", "--info").stdout.startswith("d.md:1:1: PAM305 gone\n")
    assert json.loads(_call("check", "--output-format", "json").stdout)["findings"] == []
    assert len(json.loads(_call("check", "--output-format", "json", "--info").stdout)["findings"]) == 1


def test_quiet_keeps_findings_and_failures(engine: Engine) -> None:
    engine.run = _ran((CALL,), notices=("vllm/_custom_ops.py:83 defines it",))
    loud, quiet = _call("check"), _call("check", "-q")
    assert loud.stdout == quiet.stdout != ""
    assert quiet.stderr == ""
    assert loud.stderr.startswith("paged-attention-migrate: vllm/_custom_ops.py:83 defines it\n")
    engine.run = _ran(notices=("nowhere: no such file or directory",), failed=True)
    assert _call("check", "-q").stderr == "paged-attention-migrate: nowhere: no such file or directory\n"


def test_what_was_left_alone_is_listed_on_demand(engine: Engine) -> None:
    engine.run = _ran(occurrences=(Occurrence("a.py", 4, 2, "paged_attention_v1", "an op of AITER's own"),))
    done = _call("check", "--account")
    assert done.exit_code == 0
    assert done.stdout == "a.py:4:2: left alone: paged_attention_v1: an op of AITER's own\n"
    assert engine.options is not None
    assert engine.options.account


def test_options_reach_the_engine(engine: Engine) -> None:
    engine.settings = Settings(exclude=("old/",), homes=("mine",), from_version="0.2.7", target="rocm")
    _call(
        *("rewrite", "a.py", "dir", "--exclude", "x*", "--exclude", "y*", "--from-version", "v0.6.6", "--home", "ops2"),
        *("--force-callers", "--jobs", "3", "--unsafe", "--no-simplify", "--add-todo"),
    )
    assert engine.options == Options(
        paths=("a.py", "dir"),
        settings=Settings(exclude=("old/", "x*", "y*"), homes=("mine", "ops2"), from_version="0.6.6", target="rocm"),
        unsafe=True,
        simplify=False,
        force_callers=True,
        jobs=3,
        mentions=False,
        examples=True,
        add_todo=True,
    )
    _call("check", "--info")
    assert engine.options == Options(settings=engine.settings)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--from-version", "9.9"),
        ("check", "--output-format", "xml"),
        ("check", "--jobs", "-1"),
        ("check", "--home", "1x"),
        ("rewrite", "--home", "mylib..ops"),
        ("check", "--nonsense"),
        ("rewrite", "--diff", "--output-format", "json"),
        ("rewrite", "--diff", "--output-format", "sarif"),
        ("nonsense",),
    ],
)
def test_wrong_usage_is_2(arguments: tuple[str, ...]) -> None:
    done = _call(*arguments)
    assert done.exit_code == 2
    assert "Error: " in done.stderr
    assert done.stdout == ""


def test_json_on_stdout_is_one_object(engine: Engine) -> None:
    engine.run = _ran((CALL, MANUAL), notices=("x defines it",))
    done = _call("check", "--output-format", "json")
    assert json.loads(done.stdout)["summary"]["fixable_safe"] == 1
    assert done.stderr == ""


@pytest.mark.usefixtures("engine")
def test_json_of_a_clean_tree() -> None:
    done = _call("check", "--output-format", "json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["findings"] == []


def test_json_of_a_failed_run_says_so_on_stderr_too(engine: Engine) -> None:
    engine.run = _ran(notices=("nowhere: no such file",), failed=True)
    done = _call("check", "--output-format", "json", "-q")
    assert (done.exit_code, done.stderr) == (2, "paged-attention-migrate: nowhere: no such file\n")
    assert json.loads(done.stdout)["notices"] == ["nowhere: no such file"]


def test_a_rewrite_writes_remembers_and_says_so(engine: Engine) -> None:
    engine.run = _ran((FIXED,), (CHANGE,))
    done = _call("rewrite")
    assert done.exit_code == 0
    assert engine.written == engine.remembered == [("a.py", b"f(x)\n", b"g(x)\n")]
    assert done.stdout == "a.py:1:1: PAM102 rewritten: gone\na.py: removed with its statement: comment '# x'\n"
    assert done.stderr == (
        "Rewrote 1 place in 1 file, 20 files scanned.\n`paged-attention-migrate undo` takes it back.\n"
    )


@pytest.mark.parametrize("reason", ["outside git", "no space"])
def test_a_rewrite_that_undo_cannot_take_back_says_so(engine: Engine, reason: str) -> None:
    engine.run = _ran((FIXED,), (CHANGE,))
    engine.in_git, engine.no_space = reason != "outside git", reason == "no space"
    done = _call("rewrite")
    assert done.exit_code == 0
    assert engine.written
    assert "`undo` cannot take it back" in done.stderr


def test_what_is_left_comes_last(engine: Engine) -> None:
    engine.run = _ran((FIXED, UNSAFE), (CHANGE,))
    done = _call("rewrite")
    assert done.exit_code == 1
    assert "comment '# x'\n\na.py:2:1: PAM102 gone\n" in done.stdout
    assert "Left for you: 1 place in 1 file." in done.stderr


def test_what_is_left_stands_at_its_place_in_what_was_written(engine: Engine) -> None:
    new = MANUAL._replace(line=9, source_line="new text")
    other = MANUAL._replace(path="b.py")
    engine.run = _ran((FIXED, MANUAL, other), (CHANGE,))
    engine.run = engine.run._replace(changes=(CHANGE._replace(findings=(FIXED, new)),))
    done = _call("rewrite")
    assert "a.py:9:1: PAM405 gone\n 9 | new text\n" in done.stdout
    assert "b.py:3:1: PAM405 gone\n 3 | f(x)\n" in done.stdout
    assert "a.py:1:1: PAM102 rewritten: gone\n" in done.stdout
    told = json.loads(_call("rewrite", "--output-format", "json").stdout)["findings"]
    assert [(each["path"], each["line"]) for each in told] == [("a.py", 1), ("a.py", 9), ("b.py", 3)]
    assert "a.py:3:1: PAM405 gone\n" in _call("rewrite", "--diff").stderr
    engine.dirty = ["a.py"]
    assert "a.py:3:1: PAM405 gone\n" in _call("rewrite").stderr
    told = json.loads(_call("rewrite", "--output-format", "json").stdout)["findings"]
    assert [(each["path"], each["line"]) for each in told] == [("a.py", 1), ("a.py", 3), ("b.py", 3)]


@pytest.mark.parametrize(
    ("run", "arguments", "code"),
    [
        (_ran(), (), 0),
        (_ran((INFO,)), (), 0),
        (_ran((FIXED,), (CHANGE,)), (), 0),
        (_ran((FIXED,), (CHANGE,)), ("--exit-non-zero-on-fix",), 1),
        (_ran(), ("--exit-non-zero-on-fix",), 0),
        (_ran((MANUAL,)), (), 1),
        (_ran((FIXED, MANUAL), (CHANGE,)), (), 1),
        (_ran((FIXED,), (CHANGE,)), ("--diff",), 1),
        (_ran(), ("--diff",), 0),
        (_ran((MANUAL,)), ("--diff",), 1),
        (_ran((FIXED,), (CHANGE,), failed=True), (), 2),
        (_ran((FIXED,), (CHANGE,), failed=True), ("--diff",), 2),
        (_ran((FIXED,), (CHANGE,)), ("--output-format", "json"), 0),
    ],
)
def test_exit_codes_of_rewrite(engine: Engine, run: Run, arguments: tuple[str, ...], code: int) -> None:
    engine.run = run
    assert _call("rewrite", *arguments).exit_code == code


@pytest.mark.usefixtures("engine")
def test_nothing_to_rewrite() -> None:
    done = _call("rewrite")
    assert (done.stdout, done.stderr) == ("", "Nothing to rewrite, 20 files scanned.\n")
    assert _call("rewrite", "-q").output == ""


def test_diff_prints_a_patch_and_writes_nothing(engine: Engine) -> None:
    engine.run = _ran((FIXED, MANUAL), (CHANGE,))
    done = _call("rewrite", "--diff")
    assert done.stdout_bytes.startswith(b"diff --git a/")
    assert done.stdout_bytes.endswith(b"-f(x)\n+g(x)\n")
    assert engine.written == engine.remembered == []
    assert done.stderr.startswith("a.py:3:1: PAM405 gone\n")
    assert "Would rewrite 1 place in 1 file" in done.stderr
    assert _call("rewrite", "--diff", "-q").stderr == ""


def test_dirty_files_are_refused_and_the_patch_is_shown(engine: Engine) -> None:
    engine.run = _ran((FIXED,), (CHANGE,))
    engine.dirty = ["a.py"]
    done = _call("rewrite", "-q")
    assert done.exit_code == 2
    assert done.stdout.endswith("-f(x)\n+g(x)\n")
    assert done.stderr == (
        "paged-attention-migrate: a.py has uncommitted changes, so nothing was written: "
        "commit or stash them, or pass --allow-dirty\n"
    )
    assert engine.written == []


def test_many_dirty_files_are_not_all_named(engine: Engine) -> None:
    engine.run = _ran((FIXED,), (CHANGE,))
    engine.dirty = [f"{number}.py" for number in range(8)]
    assert "4.py and 3 more have uncommitted changes" in _call("rewrite").stderr


def test_allow_dirty(engine: Engine) -> None:
    engine.run = _ran((FIXED,), (CHANGE,))
    engine.dirty = ["a.py"]
    assert _call("rewrite", "--allow-dirty").exit_code == 0
    assert len(engine.written) == 1


def test_a_refusal_in_json_rewrote_nothing(engine: Engine) -> None:
    engine.run = _ran((FIXED,), (CHANGE,))
    engine.refusal = "a.py: the file is read-only"
    done = _call("rewrite", "--output-format", "json")
    assert done.exit_code == 2
    told = json.loads(done.stdout)
    assert told["findings"][0]["fixed"] is False
    assert told["summary"]["files_rewritten"] == 0
    assert done.stderr == "paged-attention-migrate: a.py: the file is read-only, so nothing was written\n"
    assert engine.remembered == []


def test_broken_settings(engine: Engine) -> None:
    engine.settings_error = "pyproject.toml: exclude must be a list of strings"
    for command in ("check", "rewrite"):
        done = _call(command)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == "paged-attention-migrate: pyproject.toml: exclude must be a list of strings\n"


@pytest.mark.parametrize("command", ["check", "rewrite"])
def test_a_bug_is_one_sentence_that_names_the_file(engine: Engine, command: str) -> None:
    engine.error = KeyError("x")
    done = _call(command)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "paged-attention-migrate: stopped by a bug of its own while it worked on deep/file.py (KeyError: 'x'): "
        "report it with the traceback, which PAGED_ATTENTION_MIGRATE_TRACEBACK=1 shows\n"
    )


def test_the_traceback_of_a_bug_on_demand(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGED_ATTENTION_MIGRATE_TRACEBACK", "1")
    engine.error = KeyError("x")
    assert isinstance(_call("check").exception, KeyError)


def test_an_error_of_the_system_is_no_bug(engine: Engine) -> None:
    engine.error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a\n.py")
    done = _call("check")
    assert (done.exit_code, done.stderr) == (2, "paged-attention-migrate: a\\n.py: No space left on device\n")


def test_an_interrupt_is_no_finding(engine: Engine) -> None:
    engine.error = KeyboardInterrupt()
    done = _call("check")
    assert (done.exit_code, done.stderr) == (130, "paged-attention-migrate: interrupted\n")


def test_undo(engine: Engine) -> None:
    engine.undone = ["a.py", "b\x1b.py"]
    done = _call("undo")
    assert (done.exit_code, done.stdout) == (0, "restored a.py\nrestored b\\x1b.py\n")


@pytest.mark.usefixtures("engine")
def test_undo_without_a_rewrite() -> None:
    done = _call("undo")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "paged-attention-migrate: there is no rewrite to take back here\n"


def test_undo_that_is_refused(engine: Engine) -> None:
    engine.refusal = "a.py was changed since"
    done = _call("undo")
    assert (done.exit_code, done.stderr) == (2, "paged-attention-migrate: a.py was changed since\n")


def test_explain() -> None:
    assert _call("explain", "paged_attention_v1").stdout.startswith("paged_attention_v1\nRemoved in vLLM 0.25.0,")
    assert "Attention functions\n  paged_attention_v1" in _call("explain").stdout
    done = _call("explain", "paged_atention_v1")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "paged-attention-migrate: nothing is known about 'paged_atention_v1': the nearest are"
    )


def test_colours(engine: Engine) -> None:
    engine.run = _ran((CALL,))
    assert "\x1b[" not in _call("check").output
    assert "\x1b[" in _call("check", "--color", "always").stdout
    assert "\x1b[" in CliRunner(env={"FORCE_COLOR": "1"}).invoke(main, ["check"]).stdout
    assert "\x1b[" not in CliRunner(env={"FORCE_COLOR": "1"}).invoke(main, ["check", "--color", "never"]).output


@pytest.mark.parametrize("charset", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_of_the_output(engine: Engine, charset: str) -> None:
    engine.run = _ran((CALL._replace(path="größe 変\udcff.py", source_line="変 = é", message="bad: 変"),))
    done = CliRunner(charset=charset).invoke(main, ["check"])
    assert done.exit_code == 1
    assert "PAM102" in done.stdout


def test_version_and_help() -> None:
    assert _call("--version").stdout == f"paged-attention-migrate {__version__}\n"
    listing = _call("--help").stdout
    assert all(name in listing for name in ("check", "rewrite", "explain", "undo"))
    assert max(map(len, listing.splitlines())) <= 80
