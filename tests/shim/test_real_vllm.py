"""The shim in real releases of vLLM, imported from their sources without a build, each in a process of its own.

PAGED_ATTENTION_VLLM_SOURCES names a folder that holds them as `vllm-0.24.0` and so on; `fetch_vllm_sources.py` beside
this file fills one.
"""

from __future__ import annotations

import importlib.util
import os
import runpy
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

VARIABLE = "PAGED_ATTENTION_VLLM_SOURCES"
SOURCES = os.environ.get(VARIABLE)
RELEASES: tuple[str, ...] = runpy.run_path(str(Path(__file__).with_name("fetch_vllm_sources.py")))["RELEASES"]
WITH, *WITHOUT = RELEASES
NEEDED = ("torch", "numpy", "regex", "requests", "psutil", "zmq")
CHECKOUT = Path(__file__).parents[2]
ATTENTION = """
    from paged import distance, expected, paged

    batch = paged([70, 5, 0, 600])
    alibi_slopes = torch.tensor([0.02, 0.0, -0.01, 0.3])
    right, _ = expected(batch, alibi_slopes=alibi_slopes)
    out = torch.full_like(batch.query, float("nan"))
    scratch = torch.empty(4, 4, 2), torch.empty(4, 4, 2), torch.empty(4, 4, 2, 32)
    one = torch.tensor(1.0)
    rest = (
        batch.query, batch.key_cache, batch.value_cache, 2, batch.scale, batch.block_tables, batch.seq_lens, 16, 600,
        alibi_slopes, "auto", one, one,
    )
    in_full = (*rest, 0, 0, 0, 64, 0)

    def is_right():
        assert distance(out, right) <= 1e-6
        out.fill_(float("nan"))
"""

pytestmark = pytest.mark.real


@pytest.fixture(params=RELEASES)
def release(request: pytest.FixtureRequest) -> str:
    return there(request.param)


@pytest.fixture(params=WITHOUT)
def release_without(request: pytest.FixtureRequest) -> str:
    return there(request.param)


def there(release: str) -> str:
    """A release whose sources can be imported, or a skip that says why not."""
    if SOURCES is None:
        pytest.skip(f"{VARIABLE} names no folder with the sources of vLLM")
    if not (Path(SOURCES) / f"vllm-{release}" / "vllm").is_dir():
        pytest.skip(f"{VARIABLE} is {SOURCES}, where vllm-{release} is missing")
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"vLLM's sources import {', '.join(missing)}, which {sys.executable} does not have")
    return release


class Client:
    """A program beside one release of vLLM."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "client.py"

    def run(self, release: str, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a program, which must succeed."""
        self.path.write_text(textwrap.dedent(code))
        roots = [self.folder, Path(str(SOURCES)) / f"vllm-{release}"]
        roots += [CHECKOUT / root for root in ("migrate", "shim", "kernels", "tests/kernels")]
        done = subprocess.run(
            [sys.executable, self.path],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(map(str, roots)),
                "PYTHONWARNINGS": "always::DeprecationWarning:__main__",
                "VLLM_LOGGING_LEVEL": "ERROR",
                "VLLM_PLUGINS": "paged_attention_shim",
                **environment,
            },
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done

    def line(self, text: str) -> int:
        """The number of the one line that has this text."""
        (found,) = [number for number, line in enumerate(self.path.read_text().splitlines(), 1) if text in line]
        return found

    def says_what_is_gone(self, text: str, version: int) -> None:
        """`text` says what is gone, since when, what to call and the command."""
        for part in (
            f"paged_attention_v{version} is gone since vLLM 0.25.0",
            "https://github.com/vllm-project/vllm/pull/47361",
            "paged_attention_shim.paged_attention",
            "paged-attention-migrate rewrite",
        ):
            assert part in text


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(tmp_path)


ORDERS = (("install", "from vllm import _custom_ops as ops"), ("from vllm import _custom_ops as ops", "install"))
BEFORE_AND_AFTER = pytest.mark.parametrize(
    ("first", "second"), ORDERS, ids=["installed before vLLM", "installed after vLLM"]
)


def begin(mode: str, first: str, second: str) -> str:
    """The first lines of a client, which install the shim before or after vLLM is imported."""
    install = f'paged_attention_shim.install("{mode}")'
    lines = [
        "import torch, paged_attention_shim",
        first.replace("install", install),
        second.replace("install", install),
    ]
    return "\n".join(f"    {line}" for line in lines) + "\n"


@BEFORE_AND_AFTER
def test_questions_hear_that_it_is_not_there(client: Client, release_without: str, first: str, second: str) -> None:
    client.run(
        release_without,
        begin("error", first, second)
        + """
    for name in ("paged_attention_v1", "paged_attention_v2"):
        for home in (ops, torch.ops._C):
            assert not hasattr(home, name)
            assert getattr(home, name, None) is None
            assert name not in dir(home)
            assert name not in vars(home)
            try:
                getattr(home, name)
            except AttributeError:
                continue
            raise SystemExit("found")
    try:
        from vllm._custom_ops import paged_attention_v1
    except ImportError:
        paged_attention_v1 = None
    assert paged_attention_v1 is None
    try:
        from vllm._custom_ops import *
        paged_attention_v2
    except NameError:
        raise SystemExit(0)
    raise SystemExit("found")
    """,
    )


@BEFORE_AND_AFTER
def test_uses_say_what_is_gone(client: Client, release_without: str, first: str, second: str) -> None:
    done = client.run(
        release_without,
        begin("error", first, second)
        + """
    def import_it():
        from vllm._custom_ops import paged_attention_v1

    uses = {
        "v1": lambda: ops.paged_attention_v1(),
        "v2": lambda: ops.paged_attention_v2(),
        "v1 imported": import_it,
        "v2 registered": lambda: torch.ops._C.paged_attention_v2(),
    }
    for use, run in uses.items():
        try:
            run()
        except paged_attention_shim.RemovedAPIError as problem:
            print(f"{use}: {problem}")
    """,
    )
    messages = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert list(messages) == ["v1", "v2", "v1 imported", "v2 registered"]
    for use, message in messages.items():
        client.says_what_is_gone(message, int(use[1]))


@pytest.mark.parametrize("mode", ["error", "forward"])
def test_functions_that_vllm_still_has_are_its_own(client: Client, release: str, mode: str) -> None:
    client.run(
        release,
        begin(mode, *ORDERS[0])
        + """
    import ast, inspect
    defined = {each.name for each in ast.parse(open(ops.__file__).read()).body if isinstance(each, ast.FunctionDef)}
    functions = [found for name, found in vars(ops).items() if name in defined and inspect.isfunction(found)]
    assert len(functions) > 100
    assert {function.__code__.co_filename for function in functions} == {ops.__file__}
    """,
    )


@BEFORE_AND_AFTER
def test_wrappers_of_the_last_release_that_has_them_say_it_too(client: Client, first: str, second: str) -> None:
    done = client.run(
        there(WITH),
        begin("error", first, second)
        + ATTENTION
        + """
    assert not hasattr(torch.ops._C, "paged_attention_v1")
    assert hasattr(ops, "paged_attention_v1")
    try:
        ops.paged_attention_v1(out, *rest)
    except paged_attention_shim.RemovedAPIError as problem:
        print(problem)
    """,
    )
    client.says_what_is_gone(done.stdout, 1)


@BEFORE_AND_AFTER
def test_forwarded_calls_compute_attention(client: Client, release: str, first: str, second: str) -> None:
    done = client.run(
        release,
        begin("forward", first, second)
        + ATTENTION
        + """
    from vllm._custom_ops import paged_attention_v1, paged_attention_v2

    for turn in range(2):
        assert ops.paged_attention_v1(out, *rest) is None  # first
        is_right()
    ops.paged_attention_v2(out, *scratch, *rest)
    is_right()
    paged_attention_v1(out, *in_full)
    is_right()
    paged_attention_v2(
        out, exp_sum=scratch[0], max_logits=scratch[1], tmp_out=scratch[2], query=rest[0], key_cache=rest[1],
        value_cache=rest[2], num_kv_heads=2, scale=batch.scale, block_tables=rest[5], seq_lens=rest[6], block_size=16,
        max_seq_len=600, alibi_slopes=alibi_slopes, kv_cache_dtype="auto", k_scale=one, v_scale=one,
    )
    is_right()
    torch.ops._C.paged_attention_v1(out, *in_full)
    is_right()
    torch.ops._C.paged_attention_v2(out, *scratch, *in_full)  # last
    is_right()
    for site in paged_attention_shim.report().sites:
        print(site.path, site.line, site.name, site.calls)
    """,
    )
    sites = [line.split() for line in done.stdout.splitlines()]
    assert len(sites) == 6
    assert sites[0] == [str(client.path), str(client.line("# first")), "paged_attention_v1", "2"]
    assert {(path, calls) for path, _, _, calls in sites[1:]} == {(str(client.path), "1")}
    last = client.line("# last")
    assert [str(client.path), str(last), "paged_attention_v2", "1"] in sites
    assert done.stderr.count("DeprecationWarning: paged_attention_v") == 6
    assert f"{client.path}:{last}: DeprecationWarning: paged_attention_v2 is gone since vLLM 0.25.0" in done.stderr
    assert "6 lines still called removed names, 7 calls" in done.stderr


STATE = """
    import os, sys
    from vllm import _custom_ops as ops
    print(sorted(vars(ops)))
    print([hasattr(ops, name) for name in ("paged_attention_v1", "paged_attention_v2")])
    print(sorted(vars(torch.ops._C)), dir(torch.ops._C), type(torch.ops._C))
    for name in ("paged_attention_v1", "paged_attention_v2"):
        try:
            getattr(torch.ops._C, name)
        except AttributeError as problem:
            print(type(problem), problem)
        print(torch._C._jit_get_operation(f"_C::{name}"))
    print([type(each) for each in sys.meta_path], os.environ.get("PAGED_ATTENTION_SHIM"))
"""


@pytest.mark.parametrize("mode", ["error", "forward"])
def test_uninstall_restores_everything(client: Client, release: str, mode: str) -> None:
    """Modules, operators, finders and environment are as in a process that never installed it."""
    uses = """
    for home, name, given in (ops, "paged_attention_v1", ()), (torch.ops._C, "paged_attention_v2", scratch):
        try:
            getattr(home, name)(out, *given, *in_full)
            is_right()
        except paged_attention_shim.RemovedAPIError:
            pass
    paged_attention_shim.uninstall()
"""
    untouched = client.run(release, "    import torch" + STATE).stdout
    assert len(untouched.splitlines()) == 8
    for order in ORDERS:
        assert client.run(release, begin(mode, *order) + ATTENTION + uses + STATE).stdout == untouched


def test_it_can_be_installed_again_in_another_mode(client: Client, release: str) -> None:
    client.run(
        release,
        begin("forward", *ORDERS[1])
        + ATTENTION
        + """
    ops.paged_attention_v1(out, *rest)
    is_right()
    paged_attention_shim.install("error")
    assert not hasattr(torch.ops._C, "paged_attention_v1")
    try:
        ops.paged_attention_v1(out, *rest)
    except paged_attention_shim.RemovedAPIError:
        paged_attention_shim.install("forward")
    ops.paged_attention_v1(out, *rest)
    is_right()
    """,
    )


def as_installed(folder: Path) -> None:
    """What an installer leaves beside the packages, with the entry points that pyproject.toml declares."""
    declared = (CHECKOUT / "pyproject.toml").read_text()
    _, header, rest = declared.partition('[project.entry-points."vllm.general_plugins"]')
    assert header
    lines = rest.partition("\n")[2].partition("\n\n")[0].replace('"', "")
    info = folder / "paged_attention_migrate-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: paged-attention-migrate\nVersion: 0\n")
    (info / "entry_points.txt").write_text(f"[vllm.general_plugins]\n{lines}\n")


LOADED = """
    from vllm.plugins import load_general_plugins
    load_general_plugins()
    load_general_plugins()
    import torch
    from vllm import _custom_ops as ops
    try:
        function = torch.ops._C.paged_attention_v1
    except AttributeError as problem:
        print("error" if "is gone since vLLM" in str(problem) else "off")
    else:
        print("forward")
"""


@pytest.mark.parametrize(
    ("environment", "answer"),
    [
        ({}, "error"),
        ({"PAGED_ATTENTION_SHIM": "error"}, "error"),
        ({"PAGED_ATTENTION_SHIM": "forward"}, "forward"),
        ({"PAGED_ATTENTION_SHIM": "forward,fill_scratch,from=0.4.2"}, "forward"),
        ({"PAGED_ATTENTION_SHIM": "off"}, "off"),
        ({"VLLM_PLUGINS": "another"}, "off"),
        ({"VLLM_PLUGINS": "another,paged_attention_shim"}, "error"),
    ],
    ids=lambda given: " ".join(given.values()) or "no variable" if isinstance(given, dict) else given,
)
def test_vllm_loads_it_as_its_plugin(client: Client, release: str, environment: dict[str, str], answer: str) -> None:
    as_installed(client.folder)
    done = client.run(release, LOADED, **environment)
    assert done.stdout.splitlines()[-1] == answer
    assert "Failed to load plugin" not in done.stdout + done.stderr
