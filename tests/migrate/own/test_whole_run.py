"""The commands over a repository whose settings call names removed."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from paged_attention_migrate import project
from paged_attention_migrate.cli import main
from paged_attention_migrate.settings import load

TABLE = """\
[[tool.paged-attention-migrate.removed]]
name = "fused_add_norm"
homes = ["oldlib.ops"]
signature = "(out, x, scratch, eps=1e-6)"
replacement = "newlib.ops.add_norm"
replacement-signature = "(out, input, eps=1e-6)"
renamed = { x = "input" }
dropped = ["scratch"]
since = "oldlib 2.0"
reason = "merged into add_norm"

[[tool.paged-attention-migrate.removed]]
name = "load"
homes = ["oldlib.io"]
replacement = "newlib.io.load"
"""
CALL = "from oldlib import ops\n\n\ndef f(o, x, s):\n    ops.fused_add_norm(o, x=x, scratch=s)\n"
MOVED = "from newlib.ops import add_norm\n\n\ndef f(o, x, s):\n    add_norm(o, input=x)\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"pyproject.toml": TABLE, "a.py": CALL})
    return tmp_path


def write(root: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def texts(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in sorted(root.rglob("*.py"))}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def found(*arguments: str) -> list[str]:
    report = json.loads(run("check", "--output-format", "json", *arguments).stdout)
    return [f"{each['path']}:{each['line']} {each['code']} {each['fix']}" for each in report["findings"]]


def test_rewrite_then_nothing_then_undo(root: Path) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "add", "."], check=True)
    subprocess.run(["git", "commit", "-qm", "before"], check=True)
    patch = run("rewrite", "--diff")
    assert (patch.exit_code, texts(root)) == (1, {"a.py": CALL})
    assert "-    ops.fused_add_norm(o, x=x, scratch=s)\n+    add_norm(o, input=x)\n" in patch.stdout
    assert run("rewrite").exit_code == 0
    assert texts(root) == {"a.py": MOVED}
    again = run("rewrite", "--allow-dirty")
    assert (again.exit_code, again.stdout, texts(root)) == (0, "", {"a.py": MOVED})
    assert run("check").exit_code == 0
    assert run("undo").exit_code == 0
    assert texts(root) == {"a.py": CALL}


def test_the_first_line_says_what_and_since_when_and_why(root: Path) -> None:
    checked = run("check")
    assert checked.exit_code == 1
    assert checked.stdout.splitlines()[0] == (
        "a.py:5:5: PAM502 `oldlib.ops.fused_add_norm` is gone since oldlib 2.0 (merged into add_norm): "
        "call `newlib.ops.add_norm` without `s`"
    )
    assert texts(root) == {"a.py": CALL}


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize(
    ("form", "wanted"), [("github", "::error title=PAM502 own-call,file=a.py,line=5,"), ("html", "PAM502")]
)
def test_other_formats_have_it(form: str, wanted: str) -> None:
    assert wanted in run("check", "--output-format", form).stdout


@pytest.mark.usefixtures("root")
def test_sarif_has_the_rule_and_the_fix() -> None:
    log = json.loads(run("check", "--output-format", "sarif").stdout)["runs"][0]
    assert "PAM502" in [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    (result,) = log["results"]
    assert result["ruleId"] == "PAM502"
    edits = [each["insertedContent"]["text"] for each in result["fixes"][0]["artifactChanges"][0]["replacements"]]
    assert edits[0] == "newlib.ops import add_norm"
    assert "input=x" in edits[-1]


def test_in_several_processes(root: Path) -> None:
    write(root, {f"b{number}.py": CALL for number in range(4)})
    assert found("--jobs", "2") == [f"{name}:5 PAM502 safe" for name in ("a.py", "b0.py", "b1.py", "b2.py", "b3.py")]


def test_a_baseline_and_ignored_codes(root: Path) -> None:
    assert run("baseline").exit_code == 0
    assert run("check", "--baseline", ".paged-attention-baseline.json").exit_code == 0
    write(root, {"pyproject.toml": f"[tool.paged-attention-migrate.per-file-ignores]\n'a.py' = ['PAM5']\n{TABLE}"})
    assert run("check").exit_code == 0
    assert run("rewrite").exit_code == 0
    assert texts(root) == {"a.py": CALL}


def test_a_name_that_another_file_hands_on(root: Path) -> None:
    use = "def f(o, s):\n    compat.ops.fused_add_norm(o, compat.read(o), s)\n"
    write(
        root,
        {
            "pkg/__init__.py": "",
            "pkg/compat.py": "from oldlib.io import load as read\nfrom oldlib import ops\n",
            "pkg/use.py": f"from pkg import compat\n\n\n{use}",
            "pkg/star.py": "from pkg.compat import *\n\nread(1)\n",
        },
    )
    assert found("pkg") == ["pkg/compat.py:1 PAM501 safe", "pkg/use.py:5 PAM502 safe"]
    run("rewrite", "pkg")
    after = texts(root)
    assert after["pkg/compat.py"] == "from newlib.io import load as read\nfrom oldlib import ops\n"
    assert after["pkg/use.py"] == (
        "from newlib.ops import add_norm\nfrom pkg import compat\n\n\ndef f(o, s):\n    add_norm(o, compat.read(o))\n"
    )
    assert after["pkg/star.py"] == "from pkg.compat import *\n\nread(1)\n"


def test_a_module_of_the_repository_that_was_a_home(root: Path) -> None:
    write(
        root,
        {
            "oldlib/__init__.py": "",
            "oldlib/io.py": "def load(path):\n    return path\n",
            "oldlib/use.py": "from .io import load\n\nload(1)\n",
            "other/io.py": "def load(path):\n    return path\n",
            "other/use.py": "from io import load\n\nload(1)\n",
        },
    )
    assert found("oldlib", "other") == ["oldlib/use.py:1 PAM501 safe", "oldlib/use.py:3 PAM502 safe"]
    run("rewrite", "oldlib", "other")
    after = texts(root)
    assert after["oldlib/use.py"] == "from newlib.io import load\n\nload(1)\n"
    assert after["oldlib/io.py"] == "def load(path):\n    return path\n"


def test_both_kinds_of_names_in_one_file(root: Path) -> None:
    call = "    kernels.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, 'auto', ks, vs)\n"
    head = "from vllm import _custom_ops as kernels\nfrom oldlib import ops\n\n\n"
    parameters = "o, x, q, kc, vc, n, s, bt, sl, b, m, ks, vs"
    write(root, {"a.py": f"{head}def f({parameters}):\n    ops.fused_add_norm(o, x, s)\n{call}"})
    assert found() == ["a.py:6 PAM502 None", "a.py:7 PAM102 safe"]  # `s` is read by what follows
    write(root, {"a.py": f"{head}def f({parameters}):\n    ops.fused_add_norm(o, x, None)\n{call}"})
    run("rewrite")
    assert texts(root)["a.py"] == (
        "from paged_attention_shim import paged_attention\nfrom newlib.ops import add_norm\n\n\n"
        f"def f({parameters}):\n    add_norm(o, x)\n"
        f"{call.replace('kernels.paged_attention_v1', 'paged_attention')}"
    )


def test_in_a_tree_that_defines_the_functions_only_these_names_count(root: Path) -> None:
    wrapper = "def paged_attention_v1(*a):\n    pass\n\n\ndef paged_attention_v2(*a):\n    pass\n"
    probe = "def h():\n    from vllm._custom_ops import paged_attention_v1\n"
    call = "def g():\n    from vllm._custom_ops import paged_attention_v1\n\n    paged_attention_v1(1)\n"
    both = f"{CALL}\n\n{call}\n\n{probe}"
    write(root, {"vllm/__init__.py": "", "vllm/_custom_ops.py": wrapper, "vllm/layers.py": both})
    account = run("check", "--account").stdout
    assert "vllm/layers.py:15:34: left alone: paged_attention_v1: it belongs to a vLLM that defines" in account
    checked = run("check")
    assert [line.split(" ")[:2] for line in checked.stdout.splitlines() if line.startswith(("a.py", "vllm"))] == [
        ["a.py:5:5:", "PAM502"],
        ["vllm/layers.py:5:5:", "PAM502"],
    ]
    run("rewrite")
    after = texts(root)
    assert after["vllm/layers.py"] == both.replace(CALL, MOVED)
    assert after["vllm/_custom_ops.py"] == wrapper


def test_an_account_of_what_was_left_alone(root: Path) -> None:
    write(root, {"b.py": "# fused_add_norm\nload = 1\nthing = fused_add_norm\nfused_add_norm = 2\n"})
    told = run("check", "--account", "b.py").stdout
    assert "b.py:1:3: left alone: fused_add_norm: a comment" in told
    assert "b.py:2:1: left alone: load: a parameter, keyword or variable of this file" in told


def test_a_fault_in_the_settings_is_one_sentence_and_exit_code_2(root: Path) -> None:
    write(root, {"pyproject.toml": TABLE.replace('"scratch"]', '"buffer"]')})
    for command in ("check", "rewrite", "explain", "baseline"):
        failed = run(command)
        assert (failed.exit_code, failed.stdout) == (2, "")
        assert failed.stderr.count("\n") == 1
        told = "removed, entry 1 (fused_add_norm): dropped has 'buffer', which is no parameter of signature"
        assert f"{told} (out, x, scratch" in failed.stderr


@pytest.mark.usefixtures("root")
def test_explain_a_name() -> None:
    page = """\
fused_add_norm
Gone since oldlib 2.0: merged into add_norm
One of your own names: [[tool.paged-attention-migrate.removed]] in pyproject.toml tells of it.
`paged-attention-migrate rewrite` makes the edits that can be proved.

Where it was
  oldlib.ops.fused_add_norm(out, x, scratch, eps=1e-6)

What to call instead
  newlib.ops.add_norm(out, input, eps=1e-6)
  x becomes input
  scratch is dropped

Before
  oldlib.ops.fused_add_norm(out, x, scratch)

After
  newlib.ops.add_norm(out, x)
"""
    for subject in ("fused_add_norm", "ops.fused_add_norm", "oldlib.ops.fused_add_norm"):
        assert run("explain", subject).stdout == page


@pytest.mark.usefixtures("root")
def test_explain_a_code_lists_the_names() -> None:
    told = run("explain", "PAM502").stdout
    assert told.startswith("PAM502 own-call: a function that the settings call removed is called\n")
    assert "\n\nfused_add_norm\nGone since oldlib 2.0" in told
    assert "newlib.io.load\n  with the same arguments" in told
    assert "fused_add_norm" not in run("explain", "PAM102").stdout
    assert "Your own names\n  oldlib.ops.fused_add_norm  gone since oldlib 2.0\n" in run("explain").stdout
    assert "the nearest are fused_add_norm" in run("explain", "fused_add_nrom").stderr


def test_a_variable_and_its_calls_are_one_choice(root: Path) -> None:
    before = "from oldlib import ops\n\n\ndef f(o, x, s):\n    g = ops.fused_add_norm\n    g(o, x, None)\n"
    write(root, {"a.py": before})
    (choice,) = project.rewrite(project.Options(settings=load(), choose=True)).choices
    assert choice.places == ((5, 9), (6, 5))
    after = before.replace("from oldlib import ops", "from newlib.ops import add_norm")
    assert choice.after == after.replace("ops.fused_add_norm", "add_norm").replace("x, None", "x").encode()


def test_edits_are_chosen_one_by_one(root: Path) -> None:
    write(root, {"b.py": "from oldlib import io, ops\n\nio.load(1)\nops.fused_add_norm(1, 2, 3)\n"})
    options = project.Options(settings=load(), choose=True)
    first, second = [each for each in project.rewrite(options).choices if each.path == "b.py"]
    start, more = "from newlib", "from oldlib import"
    assert first.after == f"{start}.io import load\n{more} ops\n\nload(1)\nops.fused_add_norm(1, 2, 3)\n".encode()
    assert second.after == f"{start}.ops import add_norm\n{more} io\n\nio.load(1)\nadd_norm(1, 2)\n".encode()
    declined = project.rewrite(options._replace(declined=frozenset({("b.py", 3, 1), ("a.py", 5, 5)})))
    assert [(each.path, each.after) for each in declined.changes] == [("b.py", second.after)]
