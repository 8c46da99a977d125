"""The proof of the mapping: what an old call passed, and what its rewrite gives a recorder with the new signature.

The parameter lists stand here as vLLM's releases had them, apart from the table that the code under test reads.
"""

from __future__ import annotations

import math
import re
import types
from typing import Any, NamedTuple

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from paged_attention_migrate.module import Facts
from paged_attention_migrate.settings import Settings
from paged_attention_migrate.study import Wanted, study

try:
    import torch
except ModuleNotFoundError:  # the codemod runs without it, and so do its other tests
    torch = None  # type: ignore[assignment]

_HEAD = "out query key_cache value_cache"
_OLD = "block_tables context_lens block_size max_context_len"
_NEW = "block_tables seq_lens block_size max_seq_len"
_TAIL = (
    "tp_rank=0, blocksparse_local_blocks=0, blocksparse_vert_stride=0, blocksparse_block_size=64, "
    "blocksparse_head_sliding_step=0"
)
_SURVIVING = (
    f"out, query, key_cache, value_cache, num_kv_heads, scale, {_NEW.replace(' ', ', ')}, alibi_slopes=None, "
    f"kv_cache_dtype='auto', k_scale=None, v_scale=None, {_TAIL}, *, cache_layout='legacy', sliding_window=None, "
    "softcap=0.0, sinks=None, lse=None, query_start_loc=None, output_scale=None"
)


DEFAULTS = {
    "kv_cache_dtype": "auto",
    "tp_rank": 0,
    "blocksparse_local_blocks": 0,
    "blocksparse_vert_stride": 0,
    "blocksparse_block_size": 64,
    "blocksparse_head_sliding_step": 0,
    "cache_layout": "legacy",
    "softcap": 0.0,
}


class Era(NamedTuple):
    """One parameter list of v1, a release that had it, and where it was called from."""

    release: str
    parameters: str
    homes: tuple[str, ...]
    name: str = "paged_attention_v1"


ERAS = (
    Era("0.1.1", f"{_HEAD} scale {_OLD}", ("attention_ops",), "single_query_cached_kv_attention"),
    Era("0.1.2", f"{_HEAD} scale {_OLD} alibi_slopes", ("attention_ops",), "single_query_cached_kv_attention"),
    Era("0.2.5", f"{_HEAD} num_kv_heads scale {_OLD} alibi_slopes", ("_C.ops",)),
    Era("0.3.1", f"{_HEAD} num_kv_heads scale {_OLD} alibi_slopes kv_cache_dtype", ("_C.ops",)),
    Era("0.4.1", f"{_HEAD} num_kv_heads scale {_OLD} alibi_slopes kv_cache_dtype kv_scale", ("_C.ops", "_custom_ops")),
    Era("0.4.2", f"{_HEAD} num_kv_heads scale {_NEW} alibi_slopes kv_cache_dtype kv_scale", ("_C.ops", "_custom_ops")),
    Era("0.5.1", f"{_HEAD} num_kv_heads scale {_NEW} alibi_slopes kv_cache_dtype kv_scale TAIL", ("_custom_ops", "op")),
    Era(
        "0.6.0",
        f"{_HEAD} num_kv_heads scale {_NEW} alibi_slopes kv_cache_dtype k_scale v_scale TAIL",
        ("_custom_ops", "op"),
    ),
    Era(
        "0.9.2",
        f"{_HEAD} num_kv_heads scale {_NEW} alibi_slopes kv_cache_dtype k_scale v_scale TAIL",
        ("_custom_ops", "op"),
    ),
)
_IMPORTS = {
    "attention_ops": ("from vllm import attention_ops as ops", "ops"),
    "_C.ops": ("from vllm._C import ops", "ops"),
    "_custom_ops": ("from vllm import _custom_ops as ops", "ops"),
    "op": ("import torch", "torch.ops._C"),
}
_TAIL_NAMES = [part.split("=")[0].strip() for part in _TAIL.split(",")]


class Written(NamedTuple):
    """A call as text, with what the old function would have been given."""

    source: str
    era: Era
    given: dict[str, str]


@st.composite
def calls(draw: st.DrawFn) -> Written:
    era = draw(st.sampled_from(ERAS))
    home = draw(st.sampled_from(era.homes))
    takes_scratch = era.name == "paged_attention_v1" and draw(st.booleans())
    required = [name for name in era.parameters.split() if name != "TAIL"]
    if takes_scratch:
        required[1:1] = ["exp_sums" if home == "op" else "exp_sum", "max_logits", "tmp_out"]
    tail = _TAIL_NAMES if "TAIL" in era.parameters else []
    if home != "op":
        tail = tail[: draw(st.sampled_from([0, 0, len(tail)]))]
    names = required + tail
    keywords = home in ("_custom_ops", "op")
    positional = draw(st.integers(0, len(names))) if keywords else len(names)
    behind = draw(st.permutations(names[positional:]))
    arguments = [f"a_{name}" for name in names[:positional]] + [f"{name}=a_{name}" for name in behind]
    separator = draw(st.sampled_from([", ", ",\n        "]))
    text, base = _IMPORTS[home]
    function = era.name.replace("v1", "v2") if takes_scratch else era.name
    parameters = ", ".join(f"a_{name}" for name in names)
    source = f"{text}\n\ndef call({parameters}):\n    return {base}.{function}({separator.join(arguments)})\n"
    return Written(source, era, {name: f"value of {name}" for name in names})


def expected(given: dict[str, str]) -> dict[str, str]:
    """What the surviving function must be given, worked out by hand from the history of the parameters."""
    renamed = {"context_lens": "seq_lens", "max_context_len": "max_seq_len"}
    wanted = {
        renamed.get(name, name): value
        for name, value in given.items()
        if name not in ("exp_sum", "exp_sums", "max_logits", "tmp_out", "kv_scale")
    }
    if "kv_scale" in given:
        wanted["k_scale"] = wanted["v_scale"] = given["kv_scale"]
    if "num_kv_heads" not in given:
        wanted["num_kv_heads"] = "heads of the key cache"
    return wanted


class KeyCache(str):
    """A key cache whose second size is the number of heads."""

    __slots__ = ()
    shape = (None, "heads of the key cache")


def recorded(source: str, given: dict[str, str]) -> dict[str, Any]:
    """Run rewritten code against a recorder with the surviving signature."""
    space: dict[str, Any] = {}
    exec(f"def paged_attention({_SURVIVING}):\n    return dict(locals())\n", space)
    shim = types.ModuleType("paged_attention_shim")
    vars(shim)["paged_attention"] = space["paged_attention"]
    run: dict[str, Any] = {"__builtins__": {"__import__": lambda *given: {"paged_attention_shim": shim}[given[0]]}}
    exec(source, run)
    values = {f"a_{name}": KeyCache(value) if name == "key_cache" else value for name, value in given.items()}
    found: dict[str, Any] = run["call"](**values)
    return found


def rewritten(written: Written, version: str | None, target: str = "shim") -> str | None:
    settings = Settings(target=target, from_version=version)
    result = study("case.py", written.source.encode(), settings, Facts(), Wanted(rewrite=True))
    return result.after.decode() if result.after is not None else None


@settings(max_examples=400, deadline=None)
@given(calls())
def test_a_call_of_a_known_release_reaches_the_same_parameters(written: Written) -> None:
    source = rewritten(written, written.era.release)
    assert source is not None, written.source
    found = recorded(source, written.given)
    wanted = expected(written.given)
    assert {name: found[name] for name in wanted} == wanted
    assert all(found[name] == DEFAULTS.get(name) for name in found if name not in wanted)


@settings(max_examples=300, deadline=None)
@given(calls())
def test_a_call_of_an_unknown_release_is_right_or_left_alone(written: Written) -> None:
    source = rewritten(written, None)
    if source is not None:
        wanted = expected(written.given)
        found = recorded(source, written.given)
        assert {name: found[name] for name in wanted} == wanted


_ROCM = (
    "out, exp_sum, max_logits, tmp_out, query, key_cache, value_cache, num_kv_heads, scale, block_tables, seq_lens, "
    "query_start_loc, block_size, max_seq_len, alibi_slopes, kv_cache_dtype, k_scale, v_scale, fp8_out_scale=None, "
    "mfma_type='f16', use_interleaved_v_cache=False"
)
_BLOCK_SPARSE = tuple(name for name in _TAIL_NAMES if name != "tp_rank")
_LENGTH = st.integers(1, 3000)


class Rocm(NamedTuple):
    """A call with real tensors: the values of its arguments, by their old names."""

    source: str
    values: dict[str, Any]


def with_real_values(written: Written, length: int, dense: bool) -> Rocm:
    """The call with a query and lengths of real shapes; `dense` writes the block-sparse stride out as 0."""
    values: dict[str, Any] = {name: f"value of {name}" for name in written.given}
    values["query"] = torch.zeros((3, 8, 64), dtype=torch.float16)
    values["key_cache"] = KeyCache("value of key_cache")
    for name in ("max_seq_len", "max_context_len"):
        if name in values:
            values[name] = length
    for number, name in enumerate(("kv_scale", "k_scale", "v_scale"), 1):
        if name in values:
            is_tensor = written.era.release == "0.9.2"
            values[name] = torch.tensor(number / 8) if is_tensor else number / 8
    source = written.source
    if dense:
        head, call = source.split("    return ", 1)
        source = f"{head}    return {re.sub(r'a_blocksparse_vert_stride', '0', call)}"
    return Rocm(source, values)


def recorded_on_rocm(source: str, values: dict[str, Any]) -> dict[str, Any]:
    """Run code that was rewritten for ROCm against a recorder with vLLM's signature, with the real torch."""
    space: dict[str, Any] = {}
    exec(f"def paged_attention_rocm({_ROCM}):\n    return dict(locals())\n", space)
    ops = types.ModuleType("vllm._custom_ops")
    vars(ops)["paged_attention_rocm"] = space["paged_attention_rocm"]
    vllm = types.ModuleType("vllm")
    vars(vllm)["_custom_ops"] = ops
    known = {"torch": torch, "vllm": vllm, "vllm._custom_ops": ops}
    # torch imports parts of itself while it makes a tensor.
    run: dict[str, Any] = {"__builtins__": {"__import__": lambda *given: known.get(given[0]) or __import__(*given)}}
    exec(source, run)
    found: dict[str, Any] = run["call"](**{f"a_{name}": value for name, value in values.items()})
    return found


def assert_is_right_on_rocm(found: dict[str, Any], values: dict[str, Any], length: int) -> None:
    parts = math.ceil(length / 256)
    for name, shape, dtype in (
        ("exp_sum", (3, 8, parts), torch.float32),
        ("max_logits", (3, 8, parts), torch.float32),
        ("tmp_out", (3, 8, parts, 64), torch.float16),
    ):
        assert (tuple(found[name].shape), found[name].dtype) == (shape, dtype)
    scales = values.get("kv_scale", values.get("k_scale", 1.0)), values.get("kv_scale", values.get("v_scale", 1.0))
    for name, value in zip(("k_scale", "v_scale"), scales, strict=True):
        assert isinstance(found[name], torch.Tensor)
        assert (found[name].dim(), found[name].dtype, float(found[name])) == (0, torch.float32, float(value))
    assert found["query"] is values["query"]
    assert found["max_seq_len"] == length
    assert found["num_kv_heads"] == values.get("num_kv_heads", "heads of the key cache")
    assert found["seq_lens"] == values.get("seq_lens", values.get("context_lens"))
    for name in ("out", "key_cache", "value_cache", "scale", "block_tables", "block_size"):
        assert found[name] == values[name]
    assert found["alibi_slopes"] == values.get("alibi_slopes")
    assert found["kv_cache_dtype"] == values.get("kv_cache_dtype", "auto")
    assert (found["query_start_loc"], found["fp8_out_scale"]) == (None, None)
    assert (found["mfma_type"], found["use_interleaved_v_cache"]) == ("f16", False)


@pytest.mark.skipif(torch is None, reason="torch is not installed")
@settings(max_examples=400, deadline=None)
@given(calls(), _LENGTH, st.booleans(), st.booleans())
def test_a_call_reaches_the_same_parameters_on_rocm(
    written: Written, length: int, dense: bool, version_known: bool
) -> None:
    real = with_real_values(written, length, dense)
    version = written.era.release if version_known else None
    source = rewritten(written._replace(source=real.source), version, "rocm")
    sparse = not dense and any(name in written.given for name in _BLOCK_SPARSE)
    if sparse:
        assert source is None
    elif version_known:
        assert source is not None, real.source
    if source is not None:
        assert not re.search("attention_v[12]", source)
        assert_is_right_on_rocm(recorded_on_rocm(source, real.values), real.values, length)
