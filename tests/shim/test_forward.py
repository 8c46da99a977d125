"""Calls in the old signatures: every generation, at every home, computes what the surviving call does."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
import torch

from paged import Paged, distance, expected, paged
from paged_attention_shim import install
from paged_attention_shim.forward import Options, forwarder
from paged_attention_shim.removed import entry_point

HERE = Path(__file__).parent
KEYWORDS = ("vllm._custom_ops.", "vllm.attention.ops.paged_attn.")
SPARSE = (
    "blocksparse_local_blocks",
    "blocksparse_vert_stride",
    "blocksparse_block_size",
    "blocksparse_head_sliding_step",
)
pytestmark = pytest.mark.filterwarnings("ignore:.*this call was forwarded:DeprecationWarning")


class Listed(NamedTuple):
    """One parameter list of the releases' own sources."""

    path: str
    first: str
    names: tuple[str, ...]
    kinds: tuple[str, ...]


def signatures() -> list[Listed]:
    """Every list of an attention function, but of `torch.ops`, whose operators have a test of their own."""
    found, path = [], ""
    for line in (HERE / "removed_signatures.txt").read_text().splitlines():
        if line and not line.startswith((" ", "#")):
            path = line
        elif line.startswith(" ") and re.search(r"attention_v[12]$|cached_kv_attention$|forward_decode$", path):
            releases, _, text = line.partition(": ")
            pairs = [part.partition(": ") for part in re.split(r", (?=\w+(?:[:,]|$))", text)]
            if path.startswith("vllm.") and "ipex" not in path:
                names = tuple(name for name, _, _ in pairs)
                found.append(Listed(path, releases.split()[0], names, tuple(kind for _, _, kind in pairs)))
    return found


LISTED = signatures()
PLAIN = Options()


def given(batch: Paged, listed: Listed, **more: Any) -> dict[str, Any]:
    """Arguments by the names of one list; scales are tensors where the list wants tensors."""
    num_seqs, num_heads, _ = batch.query.shape
    most = max(batch.seq_lens.tolist())
    scales = {
        name: torch.tensor(1.0) if kind == "" else 1.0 for name, kind in zip(listed.names, listed.kinds, strict=True)
        if name in {"kv_scale", "k_scale", "v_scale"}
    }  # fmt: skip
    everything = {
        **batch.arguments(),
        "exp_sum": torch.full((num_seqs, num_heads, 1), 7.0),
        "max_logits": torch.full((num_seqs, num_heads, 1), 7.0),
        "tmp_out": torch.full((num_seqs, num_heads, 1, batch.query.shape[2]), 7.0),
        "head_mapping": torch.arange(num_heads, dtype=torch.int32) // (num_heads // batch.num_kv_heads),
        "context_lens": batch.seq_lens,
        "max_context_len": most,
        "alibi_slopes": None,
        "kv_cache_dtype": "auto",
        "tp_rank": 0,
        **dict(zip(SPARSE, (0, 0, 64, 0), strict=True)),
        **scales,
        **more,
    }
    return {name: everything[name] for name in listed.names}


def call(listed: Listed, options: Options = PLAIN) -> Callable[..., Any]:
    found = entry_point(listed.path)
    assert found is not None
    return forwarder(*found, options)


def few_heads(listed: Listed) -> dict[str, Any]:
    """The oldest releases had as many KV heads as query heads."""
    return {} if {"head_mapping", "num_kv_heads"} & set(listed.names) else {"num_heads": 2}


def test_the_list_of_the_sources_is_read() -> None:
    assert len({listed.path for listed in LISTED}) == 8
    assert {len(listed.names) for listed in LISTED} >= {9, 10, 11, 12, 13, 14, 15, 16, 18, 19, 21, 22}


STYLES = [
    pytest.param(listed, style, id=f"{listed.path} {listed.first} {style}")
    for listed in LISTED
    for style in (("positions", "keywords", "both") if listed.path.startswith(KEYWORDS) else ("positions",))
]


@pytest.mark.parametrize(("listed", "style"), STYLES)
def test_every_generation_at_every_home(listed: Listed, style: str) -> None:
    """Twice, for a list that is known is read another way."""
    forwarded = call(listed)
    for seed, lengths in enumerate(([37, 5, 0], [4, 50, 1])):
        batch = paged(lengths, seed=seed, **few_heads(listed))
        arguments = given(batch, listed)
        positions = {"positions": len(listed.names), "keywords": 0, "both": 6}[style]
        by_name = {name: arguments[name] for name in listed.names[positions:]}
        result = forwarded(*[arguments[name] for name in listed.names[:positions]], **by_name)
        if listed.path.endswith("forward_decode"):
            out = result
        else:
            out = arguments["out"]
            assert result is None
        assert distance(out, expected(batch)[0]) <= 1e-6
        for name in {"exp_sum", "max_logits", "tmp_out"} & set(arguments):
            assert torch.equal(arguments[name], torch.full_like(arguments[name], 7.0))


@pytest.mark.parametrize(
    "listed", [each for each in LISTED if SPARSE[1] in each.names], ids=lambda each: f"{each.path} {each.first}"
)
def test_every_argument_reaches_the_kernels(listed: Listed) -> None:
    batch = paged([90, 33], stored=torch.float8_e4m3fn, dtype=torch.float16)
    slopes = torch.linspace(0.05, 0.2, 4)
    scales = {"kv_scale": 0.5, "k_scale": 0.5, "v_scale": 0.25}
    if listed.kinds[listed.names.index("tp_rank") - 1] == "":
        scales = {name: torch.tensor(value) for name, value in scales.items()}  # type: ignore[misc]
    more = {"alibi_slopes": slopes, "kv_cache_dtype": "fp8_e4m3", "tp_rank": 1, **scales}
    arguments = given(batch, listed, **more, **dict(zip(SPARSE, (1, 3, 16, -1), strict=True)))
    result = call(listed)(*arguments.values())
    out = result if listed.path.endswith("forward_decode") else arguments["out"]
    v_scale = 0.25 if "v_scale" in listed.names else 0.5
    wanted = expected(batch, alibi_slopes=slopes, k_scale=0.5, v_scale=v_scale, sparse=(1, 1, 3, 16, -1))[0]
    assert distance(out, wanted) <= 1e-3


LAST = next(each for each in LISTED if each.path == "vllm._custom_ops.paged_attention_v1" and each.first == "0.7.0")
SECOND = next(each for each in LISTED if each.path == "vllm._custom_ops.paged_attention_v2" and each.first == "0.7.0")
MAPPED = next(each for each in LISTED if "head_mapping" in each.names and each.path.startswith("vllm._C"))


def check(listed: Listed, batch: Paged, **more: Any) -> None:
    arguments = given(batch, listed, **more)
    call(listed)(*arguments.values())
    assert distance(arguments["out"], expected(batch)[0]) <= 1e-6


@pytest.mark.parametrize(
    "more",
    [
        {"scale": torch.tensor(1.3 / 32**0.5)},
        {"max_seq_len": torch.tensor(37)},
        {"num_kv_heads": torch.tensor(2)},
        {"num_kv_heads": torch.tensor([0, 0, 1, 1], dtype=torch.int32)},
        {"k_scale": None, "v_scale": None},
        {"k_scale": torch.ones(4), "v_scale": torch.ones(4, dtype=torch.bfloat16)},
        {"k_scale": torch.full((1,), float("nan")), "v_scale": 0},
        {"kv_cache_dtype": "float16", "k_scale": 3.0},
        {"tp_rank": 7, "blocksparse_local_blocks": 1, "blocksparse_vert_stride": 1, "blocksparse_block_size": 0},
        {"seq_lens": torch.tensor([37, 5]), "block_tables": None},
    ],
    ids=" ".join,
)
def test_what_real_code_passes(more: dict[str, Any]) -> None:
    """Tensors for numbers, scales that an "auto" cache does not read, and dead block-sparse values."""
    batch = paged([37, 5], dtype=torch.float16 if more.get("kv_cache_dtype") == "float16" else torch.float32)
    if "block_tables" in more:
        more = {**more, "block_tables": batch.block_tables.long()}
    arguments = given(batch, LAST, **more)
    call(LAST)(*arguments.values())
    assert distance(arguments["out"], expected(batch)[0]) <= (1e-6 if batch.query.dtype == torch.float32 else 1e-3)


def test_the_first_element_of_a_scale_counts() -> None:
    batch = paged([37, 5], stored=torch.float8_e4m3fn)
    scales = {"k_scale": torch.tensor([0.5, 9.0]), "v_scale": torch.tensor([[0.25, 9.0]])}
    arguments = given(batch, LAST, kv_cache_dtype="fp8", **scales)
    call(LAST)(*arguments.values())
    assert distance(arguments["out"], expected(batch, k_scale=0.5, v_scale=0.25)[0]) <= 1e-6


# Head mappings.


def test_a_mapping_in_another_order_is_refused() -> None:
    arguments = given(paged([37, 5]), MAPPED, head_mapping=torch.tensor([0, 1, 0, 1], dtype=torch.int32))
    with pytest.raises(ValueError, match=r"^head_mapping maps 4 query heads in another order than neighbours"):
        call(MAPPED)(*arguments.values())
    assert torch.isnan(arguments["out"]).all()


def test_a_mapping_is_looked_into_once_until_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = paged([37, 5])
    arguments = given(batch, MAPPED)
    asked: list[torch.Tensor] = []
    real = torch.equal

    def equal(one: torch.Tensor, other: torch.Tensor) -> bool:
        asked.append(one)
        return real(one, other)

    monkeypatch.setattr(torch, "equal", equal)
    for _ in range(3):
        call(MAPPED)(*arguments.values())
    assert len(asked) == 1
    arguments["head_mapping"][1] = 1
    with pytest.raises(ValueError, match=r"^head_mapping maps"):
        call(MAPPED)(*arguments.values())


# The name fp8, which changed its meaning.

THIRTEEN = next(each for each in LISTED if each.path == "vllm._custom_ops.paged_attention_v1" and each.first == "0.4.2")
OLD_NAMES = next(
    each for each in LISTED if each.path == "vllm._custom_ops.paged_attention_v1" and each.first == "0.4.1"
)


def fp8(stored: torch.dtype) -> Paged:
    return paged([37, 5], stored=stored, dtype=torch.float16)


@pytest.mark.parametrize(
    ("stored", "scale"), [(torch.float8_e5m2, 1.0), (torch.float8_e4m3fn, 0.5)], ids=["e5m2", "e4m3"]
)
def test_fp8_is_what_the_cache_is(stored: torch.dtype, scale: float) -> None:
    batch = fp8(stored)
    arguments = given(batch, THIRTEEN, kv_cache_dtype="fp8", kv_scale=0.5)
    call(THIRTEEN)(*arguments.values())
    assert distance(arguments["out"], expected(batch, k_scale=scale, v_scale=scale)[0]) <= 1e-3


def test_fp8_in_bytes_is_refused_where_both_releases_fit() -> None:
    batch = fp8(torch.float8_e5m2)
    in_bytes = {"key_cache": batch.key_cache.view(torch.uint8), "value_cache": batch.value_cache.view(torch.uint8)}
    arguments = given(batch, THIRTEEN, kv_cache_dtype="fp8", **in_bytes)
    with pytest.raises(
        ValueError, match=r'^kv_cache_dtype is "fp8", which was e5m2 .* install\(from_version="0\.4\.3"\)'
    ):
        call(THIRTEEN)(*arguments.values())
    call(THIRTEEN, Options(from_version="0.4.2"))(*arguments.values())
    assert distance(arguments["out"], expected(batch)[0]) <= 1e-3


def test_the_old_keywords_say_which_fp8_it_was() -> None:
    batch = fp8(torch.float8_e5m2)
    in_bytes = {"key_cache": batch.key_cache.view(torch.uint8), "value_cache": batch.value_cache.view(torch.uint8)}
    arguments = given(batch, OLD_NAMES, kv_cache_dtype="fp8", kv_scale=0.5, **in_bytes)
    call(OLD_NAMES)(**arguments)
    assert distance(arguments["out"], expected(batch)[0]) <= 1e-3


# Lists that fit several releases, or none.


def test_fourteen_arguments_are_told_apart_by_their_types() -> None:
    batch = fp8(torch.float8_e4m3fn)
    first_twelve = list(given(batch, LAST, kv_cache_dtype="fp8_e4m3").values())[:12]
    for tail, k_scale, v_scale in (((0.5, 0.25), 0.5, 0.25), ((0.5, torch.tensor(0.25)), 0.5, 0.25)):
        first_twelve[0] = torch.full(batch.query.shape, float("nan"), dtype=torch.float16)
        call(LAST)(*first_twelve, *tail)
        assert distance(first_twelve[0], expected(batch, k_scale=k_scale, v_scale=v_scale)[0]) <= 1e-3


def test_a_known_list_is_told_apart_by_its_types_again() -> None:
    batch = fp8(torch.float8_e4m3fn)
    forwarded = call(LAST)
    plain = paged([37, 5])
    arguments = list(given(plain, LAST).values())[:12]
    forwarded(*arguments, 1.0, torch.tensor(1.0))
    forwarded(*arguments, 1.0, torch.tensor(1.0))
    assert distance(arguments[0], expected(plain)[0]) <= 1e-6
    arguments = list(given(batch, LAST, kv_cache_dtype="fp8_e4m3").values())[:12]
    with pytest.raises(TypeError, match="read diff"):
        forwarded(*arguments, 0.5, 2)
    forwarded(*arguments, 0.5, torch.tensor(0.25))
    assert distance(arguments[0], expected(batch, k_scale=0.5, v_scale=0.25)[0]) <= 1e-3


@pytest.mark.parametrize(
    "more",
    [
        {"num_kv_heads": torch.tensor(2)},
        {"max_seq_len": torch.tensor(50)},
        {"scale": torch.tensor(0.25)},
        {"scale": 1},
        {"block_size": None},
        dict(zip(SPARSE, (1, 8, 16, 0), strict=True)),
    ],
    ids=lambda more: next(iter(more)),
)
def test_a_known_list_with_other_values_is_read_with_care(more: dict[str, Any]) -> None:
    forwarded = call(LAST)
    batch = paged([37, 50])
    for _ in range(2):
        forwarded(*given(batch, LAST).values())
    arguments = given(batch, LAST, **more)
    forwarded(*arguments.values())
    sparse = (0, 1, 8, 16, 0) if SPARSE[0] in more else None
    scale = float(more.get("scale", batch.scale))
    assert distance(arguments["out"], expected(batch._replace(scale=scale), sparse=sparse)[0]) <= 1e-6


def test_two_meanings_that_compute_the_same_are_one() -> None:
    batch = paged([37, 5])
    arguments = list(given(batch, LAST).values())[:12]
    call(LAST)(*arguments, 1.0, 1)  # a rank, or a scale that an "auto" cache does not read
    assert distance(arguments[0], expected(batch)[0]) <= 1e-6


def test_two_meanings_are_refused_until_a_release_is_named() -> None:
    batch = fp8(torch.float8_e4m3fn)
    arguments = list(given(batch, LAST, kv_cache_dtype="fp8_e4m3").values())[:12]
    text = r"^paged_attention_v1\(\) was given arguments that vLLM 0\.4\.3 to 0\.5\.2 and 0\.5\.3 to 0\.24\.0 read diff"
    with pytest.raises(TypeError, match=text):
        call(LAST)(*arguments, 0.5, 2)
    assert torch.isnan(arguments[0]).all()
    call(LAST, Options(from_version="0.5.0"))(*arguments, 0.5, 2)
    assert distance(arguments[0], expected(batch, k_scale=0.5, v_scale=0.5)[0]) <= 1e-3
    call(LAST, Options(from_version="0.24.0"))(*arguments, 0.5, 2)
    assert distance(arguments[0], expected(batch, k_scale=0.5, v_scale=2.0)[0]) <= 1e-3


@pytest.mark.parametrize(
    ("count", "keywords", "given_text"),
    [
        (3, {}, "3 positional arguments"),
        (23, {}, "23 positional arguments"),
        (10, {"slopes": None}, "10 positional arguments and the keywords slopes"),
        (14, {"out": None}, "14 positional arguments and the keywords out"),
        (12, {"kv_scale": 1.0, "k_scale": 1.0, "v_scale": 1.0}, "12 positional arguments and the keywords kv_scale"),
    ],
)
def test_a_list_that_no_release_took(count: int, keywords: dict[str, Any], given_text: str) -> None:
    with pytest.raises(
        TypeError, match=rf"^paged_attention_v1\(\) was given {given_text}.* no release .* took at vllm"
    ):
        call(LAST)(*[None] * count, **keywords)


def test_keywords_where_there_were_none() -> None:
    listed = next(each for each in LISTED if each.path == "vllm._C.ops.paged_attention_v1")
    arguments = given(paged([3]), listed)
    with pytest.raises(
        TypeError, match=r"took at vllm\._C\.ops; the last one there, 0\.4\.3, took by position \(out, "
    ):
        call(listed)(**arguments)


def test_a_wrong_argument_is_named_by_the_kernels() -> None:
    arguments = given(paged([3]), LAST, block_size=32)
    with pytest.raises(ValueError, match=r"^block_size is 32 and key_cache"):
        call(LAST)(*arguments.values())


# What a stand-in looks like.


def test_it_looks_like_the_last_release(custom_ops: Callable[[], ModuleType]) -> None:
    install("forward")
    function = custom_ops().paged_attention_v1
    assert tuple(inspect.signature(function).parameters) == LAST.names
    assert inspect.signature(function).parameters["blocksparse_block_size"].default == 64
    assert (function.__name__, function.__module__) == ("paged_attention_v1", "vllm._custom_ops")
    assert "0.25.0" in (inspect.getdoc(function) or "")


def test_a_class_that_lost_its_attention(tree: Callable[[dict[str, str]], None]) -> None:
    text = "class PagedAttention:\n    @staticmethod\n    def split_kv_cache():\n        return 'alive'\n"
    packages = ("vllm", "vllm/attention", "vllm/attention/ops")
    tree({**{f"{each}/__init__.py": "" for each in packages}, "vllm/attention/ops/paged_attn.py": text})
    install("forward")
    held = importlib.import_module("vllm.attention.ops.paged_attn").PagedAttention
    listed = next(each for each in LISTED if each.path.endswith("forward_decode") and each.first == "0.7.0")
    batch = paged([37, 5])
    arguments = given(batch, listed)
    for owner in (held, held()):
        assert distance(owner.forward_decode(*arguments.values()), expected(batch)[0]) <= 1e-6
    with pytest.raises(AttributeError, match=r"^copy_blocks is gone since"):
        held.copy_blocks()


# Scratch buffers that are read afterwards.


def test_scratch_is_filled_as_the_kernel_did_when_that_is_asked_for(custom_ops: Callable[[], ModuleType]) -> None:
    """Merged, the partitions' sums give the output; over 512 tokens there are two."""
    batch = paged([700, 37])
    shape = (2, 4, 2)
    buffers = {
        "exp_sum": torch.full(shape, float("nan")),
        "max_logits": torch.full(shape, float("nan")),
        "tmp_out": torch.full((*shape, 32), float("nan")),
    }
    install("forward", fill_scratch=True)
    arguments = given(batch, SECOND, **buffers)
    custom_ops().paged_attention_v2(*arguments.values())
    wanted = expected(batch)[0]
    assert distance(arguments["out"], wanted) <= 1e-6
    for sequence, partitions in ((0, 2), (1, 1)):
        sums = buffers["exp_sum"][sequence, :, :partitions].double()
        greatest = buffers["max_logits"][sequence, :, :partitions].double()
        weights = sums * torch.exp(greatest - greatest.amax(dim=-1, keepdim=True))
        merged = (buffers["tmp_out"][sequence, :, :partitions].double() * weights[..., None]).sum(1)
        assert distance(merged / weights.sum(-1)[:, None], wanted[sequence]) <= 1e-5
    assert all(torch.isnan(buffer[1, :, 1]).all() for buffer in buffers.values())


def test_scratch_in_the_wrong_order_is_refused_only_where_it_is_filled() -> None:
    batch = paged([37, 5])
    swapped = {"exp_sum": torch.zeros(2, 4, 1, 32), "tmp_out": torch.zeros(2, 4, 1)}
    arguments = given(batch, SECOND, **swapped)
    call(SECOND)(*arguments.values())
    assert distance(arguments["out"], expected(batch)[0]) <= 1e-6
    with pytest.raises(ValueError, match=r"^exp_sums has shape \[2, 4, 1, 32\]"):
        call(SECOND, Options(fill_scratch=True))(*arguments.values())
