"""LibCST's own runner makes the edits that `rewrite` makes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from libcst import parse_module
from libcst.codemod import CodemodContext

from paged_attention_migrate import codemod
from paged_attention_migrate.codemod import MigrateCommand
from paged_attention_migrate.project import Options, rewrite
from paged_attention_migrate.settings import SettingsError

CASES = Path(__file__).parent / "cases"
FOLDERS = sorted(each for each in CASES.glob("bytes_*/before") if (each.parent / "after").is_dir())
CALL = "ops.paged_attention_v1(out, q, kc, vc, 8, scale, tables, lens, 16, longest, None, 'auto', ks, vs)"
PYTHON = f"from vllm import _custom_ops as ops\n\n\ndef step(out, q, kc, vc, *, scale, tables, lens):\n    {CALL}\n"
UNSAFE = "from vllm import _custom_ops as ops\n\n\ndef step(all):\n    ops.paged_attention_v2(*all)\n"


@pytest.fixture(autouse=True)
def new_process() -> None:
    """What one process of the runner remembers is not there for the next test."""
    codemod._run.cache_clear()


def run(path: str | None, data: bytes, **options: bool | str | None) -> tuple[bytes, list[str]]:
    context = CodemodContext(filename=path)
    command = MigrateCommand(context, **options)  # type: ignore[arg-type]
    return command.transform_module(parse_module(data)).bytes, list(context.warnings)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_any_bytes_come_out_as_those_of_a_rewrite(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for path in folder.rglob("*.py"):
        name = str(path.relative_to(folder))
        after, _ = run(name, path.read_bytes())
        assert after == (folder.parent / "after" / name).read_bytes()


@pytest.mark.slow
def test_the_runner_leaves_a_tree_as_a_rewrite_does(checkout: Path, tmp_path: Path) -> None:
    for name in ("one", "other"):
        shutil.copytree(checkout / "examples" / "serving-backend", tmp_path / name)
    command = ["codemod", "-x", "paged_attention_migrate.codemod.MigrateCommand", "--no-format", "-j", "2", "."]
    runner = [sys.executable, "-m", "libcst.tool", *command]
    path = ":".join(str(checkout / each) for each in ("migrate", "shim"))
    done = subprocess.run(
        runner, cwd=tmp_path / "one", env={"PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING: serving/capabilities.py:12:47: PAM105" in done.stderr
    tool = [sys.executable, "-m", "paged_attention_migrate", "rewrite", "-q"]
    subprocess.run(tool, cwd=tmp_path / "other", env={"PYTHONPATH": path}, capture_output=True, check=False)
    changed = 0
    for file in sorted((tmp_path / "one").rglob("*.py")):
        within = file.relative_to(tmp_path / "one")
        assert file.read_bytes() == (tmp_path / "other" / within).read_bytes(), within
        changed += file.read_bytes() != (checkout / "examples" / "serving-backend" / within).read_bytes()
    assert changed > 5


def test_what_other_files_say_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scratch = (
        "from vllm import _custom_ops as ops\n\n\ndef step(box, *, out, q, kc, vc, scale, tables, lens, n):\n"
        "    ops.paged_attention_v2(out, box.sums, box.logits, box.tmp, "
        "q, kc, vc, 8, scale, tables, lens, 16, n, None, 'auto', 1.0, 1.0)\n"
    )
    Path("step.py").write_text(scratch, encoding="utf-8")
    Path("reader.py").write_text("def show(box):\n    print(box.sums)\n", encoding="utf-8")
    after, warnings = run("step.py", scratch.encode())
    expected = next((each.after for each in rewrite(Options()).changes), scratch.encode())
    assert after == expected
    assert any("reader.py:2" in each for each in warnings)


def test_a_tree_that_defines_the_functions_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("vllm").mkdir()
    Path("vllm/_custom_ops.py").write_text("def paged_attention_v1(out, query): ...\n", encoding="utf-8")
    Path("vllm/step.py").write_text(PYTHON, encoding="utf-8")
    assert run("vllm/step.py", PYTHON.encode()) == (PYTHON.encode(), [])


@pytest.mark.parametrize("path", [None, "gone.py"])
def test_text_that_is_in_no_file(path: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    after, warnings = run(path, PYTHON.encode())
    assert b"\n    paged_attention(out, q," in after
    assert warnings == []
    assert run(path, b"import os\n") == (b"import os\n", [])


def test_stubs_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("step.pyi").write_text(PYTHON, encoding="utf-8")
    assert run("step.pyi", PYTHON.encode())[0] == PYTHON.encode()


def test_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    after, [warning] = run(None, UNSAFE.encode())
    assert after == UNSAFE.encode()
    assert warning.startswith("stdin:5:5: PAM405 ")
    after, warnings = run(None, UNSAFE.encode(), unsafe=True)
    assert b"paged_attention(all[0], *all[4:])" in after
    assert warnings == []
    with pytest.raises(ValueError, match="is no release of vLLM"):
        run(None, b"", from_version="99")


def test_settings_are_heeded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("step.py").write_text(PYTHON, encoding="utf-8")
    Path("pyproject.toml").write_text('[tool.paged-attention-migrate]\nexclude = ["step.py"]\n', encoding="utf-8")
    assert run("step.py", PYTHON.encode()) == (PYTHON.encode(), [])
    Path("pyproject.toml").write_text("[tool.paged-attention-migrate]\nexcept = 3\n", encoding="utf-8")
    codemod._run.cache_clear()
    with pytest.raises(SettingsError, match="has no key 'except'"):
        run("step.py", PYTHON.encode())
