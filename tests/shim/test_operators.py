"""The removed operators under `torch.ops`: registered in forward mode, explained in error mode, never in the way."""

from __future__ import annotations

import ctypes
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import torch

from paged import Paged, distance, expected, paged
from paged_attention_shim import install, libraries, report, uninstall
from paged_attention_shim.gone import RemovedAttributeError

pytestmark = pytest.mark.filterwarnings("ignore:.*this call was forwarded:DeprecationWarning")
ONE = torch.ones(1)
DENSE = (0, 0, 0, 64, 0)
# As vLLM 0.24.0 registered them.
V1 = (
    "_C::paged_attention_v1(Tensor! out, Tensor query, Tensor key_cache, Tensor value_cache, int num_kv_heads, "
    "float scale, Tensor block_tables, Tensor seq_lens, int block_size, int max_seq_len, Tensor? alibi_slopes, "
    "str kv_cache_dtype, Tensor k_scale, Tensor v_scale, int tp_rank, int blocksparse_local_blocks, "
    "int blocksparse_vert_stride, int blocksparse_block_size, int blocksparse_head_sliding_step) -> ()"
)
V2 = V1.replace("_v1(Tensor! out, ", "_v2(Tensor! out, Tensor! exp_sums, Tensor! max_logits, Tensor! tmp_out, ")


@pytest.fixture
def library() -> Iterator[Any]:
    """Somebody else's registrations."""
    made = torch.library.Library("_C", "FRAGMENT")  # type: ignore[no-untyped-call]
    yield made
    made._destroy()  # type: ignore[no-untyped-call]


def three(out: torch.Tensor) -> None:
    out.fill_(3.0)


def first(batch: Paged) -> tuple[Any, ...]:
    """The arguments up to the type of the cache."""
    out = torch.full(batch.query.shape, float("nan"), dtype=batch.query.dtype)
    most = max(batch.seq_lens.tolist())
    return (
        out, batch.query, batch.key_cache, batch.value_cache, batch.num_kv_heads, batch.scale, batch.block_tables,
        batch.seq_lens, batch.block_size, most, None, "auto",
    )  # fmt: skip


def scratch(batch: Paged, partitions: int = 1) -> tuple[torch.Tensor, ...]:
    num_seqs, num_heads, head_size = batch.query.shape
    sums = torch.full((num_seqs, num_heads, partitions), 7.0)
    return sums, sums.clone(), torch.full((num_seqs, num_heads, partitions, head_size), 7.0)


# Forward mode.


@pytest.mark.parametrize(("name", "schema"), [("paged_attention_v1", V1), ("paged_attention_v2", V2)])
def test_the_schema_is_the_last_one(name: str, schema: str) -> None:
    install("forward")
    registered = getattr(torch.ops._C, name).default._schema
    assert registered == torch._C.parse_schema(schema)
    assert [each.name for each in registered.arguments if each.alias_info is not None] == [
        part.split()[-1].rstrip(",") for part in schema.split("(")[1].split(", ") if part.startswith("Tensor!")
    ]


def test_calls_of_every_generation() -> None:
    install("forward")
    batch = paged([37, 5])
    operator = torch.ops._C.paged_attention_v1
    for tail in ((ONE, ONE, *DENSE), (1.0, 1.0, *DENSE), (1.0, *DENSE)):
        arguments = first(batch)
        assert operator(*arguments, *tail) is None
        assert distance(arguments[0], expected(batch)[0]) <= 1e-6
    arguments, buffers = first(batch), scratch(batch)
    names = [each.name for each in torch.ops._C.paged_attention_v2.default._schema.arguments]
    everything = (arguments[0], *buffers, *arguments[1:], 1.0, 1.0, *DENSE)
    torch.ops._C.paged_attention_v2(**dict(zip(names, everything, strict=True)))
    assert distance(arguments[0], expected(batch)[0]) <= 1e-6
    assert all(torch.equal(each, torch.full_like(each, 7.0)) for each in buffers)
    operator.default(*first(batch), ONE, ONE, *DENSE)


def test_scales_of_the_older_generations() -> None:
    install("forward")
    batch = paged([37, 5], stored=torch.float8_e4m3fn)
    for tail, v_scale in (((0.5, 0.25, *DENSE), 0.25), ((0.5, *DENSE), 0.5), ((ONE / 2, ONE / 4, *DENSE), 0.25)):
        arguments = (*first(batch)[:-1], "fp8")
        torch.ops._C.paged_attention_v1(*arguments, *tail)
        assert distance(arguments[0], expected(batch, k_scale=0.5, v_scale=v_scale)[0]) <= 1e-6


def test_a_list_that_no_release_took() -> None:
    install("forward")
    with pytest.raises(TypeError, match=r"^paged_attention_v1\(\) was given 12 positional arguments, which no release"):
        torch.ops._C.paged_attention_v1(*first(paged([3])))


def test_opcheck() -> None:
    install("forward")
    batch = paged([37, 5])
    arguments = first(batch)
    for operator in (torch.ops._C.paged_attention_v1, torch.ops._C.paged_attention_v1.default):
        torch.library.opcheck(operator, (*arguments, ONE, ONE, *DENSE))
    second = (arguments[0], *scratch(batch), *arguments[1:], ONE, ONE, *DENSE)
    torch.library.opcheck(torch.ops._C.paged_attention_v2.default, second)


def test_meta_tensors_are_taken() -> None:
    install("forward")
    batch = paged([37, 5])
    arguments = [each.to("meta") if isinstance(each, torch.Tensor) else each for each in (*first(batch), ONE, ONE)]
    assert torch.ops._C.paged_attention_v1(*arguments, *DENSE) is None


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_compiled_code_holds_the_calls_whole_and_they_count(custom_ops: Any, backend: str) -> None:
    install("forward")
    ops, batch = custom_ops(), paged([37, 5])
    arguments = first(batch)

    def attend(query: torch.Tensor) -> torch.Tensor:
        one, two = torch.empty_like(query), torch.empty_like(query)
        ops.paged_attention_v1(one, query * 1.0, *arguments[2:], 1.0, 1.0)
        torch.ops._C.paged_attention_v1(two, query * 1.0, *arguments[2:], ONE, ONE, *DENSE)
        return one + two

    compiled = torch.compile(attend, fullgraph=True, backend=backend)
    for _ in range(2):
        assert distance(compiled(batch.query), expected(batch)[0] * 2) <= 1e-6
    assert sum(site.calls for site in report().sites) == 4
    assert {site.path for site in report().sites} == {__file__}


def test_an_operator_that_exists_is_left_alone(library: Any) -> None:
    library.define("paged_attention_v1(Tensor! out) -> ()")
    library.impl("paged_attention_v1", three, "CPU")
    install("forward")
    out = torch.zeros(1)
    torch.ops._C.paged_attention_v1(out)
    assert out == 3.0
    assert hasattr(torch.ops._C, "paged_attention_v2")
    uninstall()
    torch.ops._C.paged_attention_v1(out)
    assert report().sites == ()


@pytest.mark.parametrize("mode", ["error", "forward"])
def test_uninstalling(mode: Any) -> None:
    namespace = torch.ops._C
    before = type(namespace), {*dir(namespace)}
    install(mode)
    hasattr(torch.ops._C, "paged_attention_v1")
    uninstall()
    assert (type(namespace), {*dir(namespace)}) == before
    with pytest.raises(AttributeError, match=r"^'_OpNamespace' '_C' object has no attribute 'paged_attention_v1'$"):
        torch.ops._C.paged_attention_v1  # noqa: B018


def test_installing_again_registers_again() -> None:
    batch = paged([37, 5])
    for _ in range(3):
        install("forward")
        arguments = first(batch)
        torch.ops._C.paged_attention_v1(*arguments, 1.0, 1.0, *DENSE)
        assert distance(arguments[0], expected(batch)[0]) <= 1e-6
        uninstall()


# Error mode.


def test_a_use_says_what_became_of_it() -> None:
    install("error")
    with pytest.raises(
        RemovedAttributeError, match=r"^paged_attention_v2 is gone since vLLM 0\.25\.0 .* without exp_sum"
    ):
        torch.ops._C.paged_attention_v2(1)
    assert not hasattr(torch.ops._C, "paged_attention_v1")
    assert getattr(torch.ops._C, "paged_attention_v1", None) is None
    with pytest.raises(AttributeError, match=r"^'_OpNamespace' '_C' object has no attribute 'paged_attention_v3'$"):
        torch.ops._C.paged_attention_v3  # noqa: B018


def test_another_namespace_is_not_ours() -> None:
    install("forward")
    for namespace in (torch.ops._C_cache_ops, torch.ops.aiter, torch.ops._rocm_C):
        assert not hasattr(namespace, "paged_attention_v1")
        assert type(namespace) is torch._ops._OpNamespace
    assert not hasattr(torch.ops._rocm_C, "paged_attention")


# The ROCm operator, on request.


def test_the_rocm_operator() -> None:
    install("forward", rocm=True)
    batch = paged([37, 5])
    arguments = first(batch)
    out, query, key_cache, value_cache, heads, scale, tables, lengths, block_size, most, _, kind = arguments
    torch.ops._rocm_C.paged_attention(
        out, *scratch(batch), query, key_cache, value_cache, heads, scale, tables, lengths, None, block_size, most,
        None, kind, ONE, ONE, None, "f16",
    )  # fmt: skip
    assert distance(out, expected(batch)[0]) <= 1e-6
    schema = torch.ops._rocm_C.paged_attention.default._schema
    assert [each.name for each in schema.arguments if each.alias_info is not None] == ["out"]
    assert len(schema.arguments) == 21
    uninstall()
    assert not hasattr(torch.ops._rocm_C, "paged_attention")


# Libraries that bring operators of their own.


@pytest.fixture
def loaded() -> Iterator[Any]:
    """Tries to load a file that is no library: what listens hears of it before."""

    def load(way: str, path: Path) -> None:
        if way == "ctypes":
            with pytest.raises(OSError, match=re.escape(path.name)):
                ctypes.CDLL(str(path))
        else:
            spec = spec_from_file_location("module", path, loader=ExtensionFileLoader("module", str(path)))
            assert spec is not None
            with pytest.raises(ImportError):
                module_from_spec(spec)

    yield load
    libraries.before_loading(None)


@pytest.mark.parametrize("way", ["ctypes", "import"])
def test_ours_give_way_to_a_library(
    loaded: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture, way: str, library: Any
) -> None:
    install("forward")
    assert hasattr(torch.ops._C, "paged_attention_v1")
    path = tmp_path / "_C_stable_libtorch.abi3.so"
    path.write_bytes(b"\x7fELF\0paged_attention_v1(Tensor! out\0")
    with caplog.at_level(logging.WARNING):
        loaded(way, path)
    library.define("paged_attention_v1(Tensor! out) -> ()")  # it would have ended the process
    library.impl("paged_attention_v1", three, "CPU")
    (record,) = caplog.records
    assert record.getMessage() == (
        f"{path} brings _C::paged_attention_v1 of its own, and the operators of paged-attention-shim gave way to it: "
        "look them up again where torch.ops._C.paged_attention_v1 is held under another name."
    )
    out = torch.zeros(1)
    torch.ops._C.paged_attention_v1(out)
    assert out == 3.0
    assert hasattr(torch.ops._C, "paged_attention_v2")  # registered again, for nothing else brought it


def test_ours_come_back_when_a_library_only_named_them(loaded: Any, tmp_path: Path) -> None:
    install("forward")
    path = tmp_path / "lib.so"
    path.write_bytes(b"see paged_attention_v2")
    loaded("import", path)
    assert hasattr(torch.ops._C, "paged_attention_v1")
    assert hasattr(torch.ops._C, "paged_attention_v2")


def test_other_libraries_change_nothing(loaded: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    install("forward")
    packet = torch.ops._C.paged_attention_v1
    (tmp_path / "libother.so").write_bytes(b"\x7fELF")
    (tmp_path / "empty.so").write_bytes(b"")
    for path in ("libother.so", "empty.so", "missing.so"):
        loaded("ctypes", tmp_path / path)
    assert ctypes.CDLL(None)._name is None  # the program itself
    assert torch.ops._C.paged_attention_v1 is packet
    assert not caplog.records


def test_python_loads_libraries_as_before_when_nothing_listens() -> None:
    usual = vars(ctypes.CDLL)["__init__"], vars(ExtensionFileLoader)["create_module"]
    install("forward")
    assert vars(ctypes.CDLL)["__init__"] is not usual[0]
    install("forward", from_version="0.8.5")
    uninstall()
    assert (vars(ctypes.CDLL)["__init__"], vars(ExtensionFileLoader)["create_module"]) == usual


def test_who_listens_in_front_of_the_shim_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    install("forward")
    ours = vars(ctypes.CDLL)["__init__"]

    def theirs(self: Any, *arguments: Any) -> None:
        ours(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(ctypes.CDLL, "__init__", theirs)
        uninstall()
        assert vars(ctypes.CDLL)["__init__"] is theirs
        assert ctypes.CDLL(None)._name is None
    libraries.before_loading(None)


@pytest.mark.slow
def test_a_real_library(tmp_path: Path) -> None:
    """Built and loaded in another process, which would not survive two registrations."""
    source = tmp_path / "library.cpp"
    source.write_text(
        "#include <torch/library.h>\n#include <ATen/core/Tensor.h>\n"
        "void seven(at::Tensor& out) { out.fill_(7); }\n"
        "TORCH_LIBRARY(_C, ops) {\n"
        '  ops.def("paged_attention_v1(Tensor! out) -> ()");\n'
        '  ops.impl("paged_attention_v1", c10::DispatchKey::CPU, &seven);\n}\n'
    )
    folder = Path(torch.__file__).parent
    includes = [f"-I{folder / 'include'}", f"-I{folder / 'include/torch/csrc/api/include'}"]
    built = tmp_path / "library.so"
    command = ["c++", "-std=c++20", "-fPIC", "-shared", str(source), *includes, f"-L{folder / 'lib'}"]
    try:
        subprocess.run([*command, "-ltorch_cpu", "-lc10", "-o", str(built)], check=True, capture_output=True)
    except (FileNotFoundError, subprocess.CalledProcessError) as problem:
        pytest.skip(f"no C++ compiler that builds for torch: {problem}")
    program = (
        "import torch; from paged_attention_shim import install; install('forward'); "
        "assert hasattr(torch.ops._C, 'paged_attention_v1'); "
        f"torch.ops.load_library({str(built)!r}); out = torch.zeros(1); "
        "torch.ops._C.paged_attention_v1(out); assert out == 7, out"
    )
    environment = {"PYTHONPATH": ":".join(sys.path), "PATH": ""}
    done = subprocess.run((sys.executable, "-c", program), env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "brings _C::paged_attention_v1 of its own" in done.stderr
