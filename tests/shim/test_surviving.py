"""The calls that survive, on the CPU: what they are given reaches the kernels, and what comes back is right."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
import torch

import paged_attention_kernels
import paged_attention_shim
from paged import Paged, distance, expected, paged
from paged_attention_shim import paged_attention, paged_attention_rocm


def given(batch: Paged, **more: Any) -> dict[str, Any]:
    return batch.arguments(**more)


def test_a_v1_call_by_position() -> None:
    batch = paged([37, 5])
    out = torch.full(batch.query.shape, float("nan"))
    result = paged_attention(
        out, batch.query, batch.key_cache, batch.value_cache, 2, batch.scale, batch.block_tables, batch.seq_lens,
        16, 37, None, "auto", 1.0, 1.0,
    )  # fmt: skip
    assert result is out
    assert distance(out, expected(batch)[0]) <= 1e-6


def test_every_keyword_reaches_the_kernels() -> None:
    batch = paged([90, 33])
    slopes, sinks = torch.ones(4) / 8, torch.ones(4)
    lse = torch.full((2, 4), float("nan"))
    more: dict[str, Any] = {"alibi_slopes": slopes, "sinks": sinks, "softcap": 4.0, "sliding_window": 50}
    sparse = {
        "tp_rank": 1,
        "blocksparse_local_blocks": 1,
        "blocksparse_vert_stride": 3,
        "blocksparse_block_size": 16,
        "blocksparse_head_sliding_step": 1,
    }
    out = paged_attention(**given(batch, lse=lse, output_scale=0.5, **more, **sparse))
    wanted, wanted_lse = expected(batch, sparse=(1, 1, 3, 16, 1), **more)
    assert distance(out, wanted * 2.0) <= 1e-6
    assert distance(lse, wanted_lse) <= 1e-6
    starts = [0, 2, 5]
    several = paged([90, 33], num_tokens=5, layout="NHD")
    out = paged_attention(**given(several, query_start_loc=torch.tensor(starts)))
    assert distance(out, expected(several, query_start_loc=starts)[0]) <= 1e-6


def test_the_rocm_call() -> None:
    batch = paged([37, 5], stored=torch.float8_e4m3fn)
    out = torch.full(batch.query.shape, float("nan"))
    scratch = torch.full((2, 4, 1), 7.0)
    nothing = paged_attention_rocm(  # type: ignore[func-returns-value]  # as vLLM's gives None
        out, scratch, scratch, scratch, batch.query, batch.key_cache, batch.value_cache, 2, batch.scale,
        batch.block_tables, batch.seq_lens, torch.tensor([0, 1, 2]), 16, 37, None, "fp8", torch.tensor(0.5),
        torch.tensor(2.0),
    )  # fmt: skip
    assert nothing is None
    assert distance(out, expected(batch, k_scale=0.5, v_scale=2.0)[0]) <= 1e-6
    assert (scratch == 7.0).all()
    with pytest.raises(ValueError, match="use_interleaved_v_cache is True; False is accepted"):
        paged_attention_rocm(
            out, scratch, scratch, scratch, batch.query, batch.key_cache, batch.value_cache, 2, batch.scale,
            batch.block_tables, batch.seq_lens, None, 16, 37, None, "fp8", scratch, scratch,
            use_interleaved_v_cache=True,
        )  # fmt: skip


def test_writes_conversions_and_merging() -> None:
    key, value = torch.randn(2, 2, 32), torch.randn(2, 2, 32)
    caches = torch.zeros(2, 2, 8, 8, 4), torch.zeros(2, 2, 32, 8)
    paged_attention_shim.reshape_and_cache(key, value, *caches, torch.tensor([3, 9]))
    rows = paged_attention_shim.convert_layout(*caches, "legacy", "NHD")
    assert torch.equal(rows[0][0, 3], key[0])
    assert torch.equal(rows[1][1, 1], value[1])
    others = torch.zeros(2, 2, 8, 32), torch.zeros(2, 2, 8, 32)
    paged_attention_shim.reshape_and_cache_flash(key, value, *others, torch.tensor([3, 9]), cache_layout="HND")
    assert torch.equal(others[0][0, :, 3], key[0])
    out, _ = paged_attention_shim.merge_attention_states([key, value], [torch.zeros(2, 2)] * 2)
    assert distance(out, (key + value) / 2) <= 1e-6


def test_a_compiled_function() -> None:
    batch = paged([37, 5])

    def attend(query: torch.Tensor) -> torch.Tensor:
        return paged_attention(**given(batch, out=None, query=query)) * 2.0

    compiled = torch.compile(attend, fullgraph=True, backend="aot_eager")
    assert distance(compiled(batch.query), expected(batch)[0] * 2.0) <= 1e-6


# Which code runs


@pytest.mark.parametrize("backend", ["torch", "triton"])
def test_a_forced_backend(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    real = paged_attention_kernels.paged_attention

    def attend(*positional: Any, **keywords: Any) -> torch.Tensor:
        asked.append(keywords["backend"])
        return real(*positional, **(keywords | {"backend": "torch"}))

    monkeypatch.setattr(paged_attention_kernels, "paged_attention", attend)
    monkeypatch.setenv("PAGED_ATTENTION_BACKEND", backend)
    paged_attention(**given(paged([5])))
    monkeypatch.delenv("PAGED_ATTENTION_BACKEND")
    paged_attention(**given(paged([5])))
    assert asked == [backend, None]


def test_a_backend_that_is_none() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAGED_ATTENTION_BACKEND", "cuda")
        with pytest.raises(ValueError, match="PAGED_ATTENTION_BACKEND is 'cuda'; 'rocm', 'triton'"):
            paged_attention(**given(paged([5])))


def test_a_forced_rocm_operator_says_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGED_ATTENTION_BACKEND", "rocm")
    with pytest.raises(RuntimeError, match=r"cannot run this: torch\.ops\._rocm_C\.paged_attention is not loaded"):
        paged_attention(**given(paged([5])))
    with pytest.raises(RuntimeError, match="cannot run this: it knows no softcap"):
        paged_attention(**given(paged([5]), softcap=1.0))
    with pytest.raises(RuntimeError, match="cache_layout is 'NHD', and it reads 'legacy' alone"):
        paged_attention(**given(paged([5], layout="NHD")))


SCHEMAS = {
    "0.6.2": "(Tensor! out, Tensor exp_sum, Tensor max_logits, Tensor tmp_out, Tensor query, Tensor key_cache, "
    "Tensor value_cache, int num_kv_heads, float scale, Tensor block_tables, Tensor context_lens, int block_size, "
    "int max_context_len, Tensor? alibi_slopes, str kv_cache_dtype, float k_scale, float v_scale) -> ()",
    "0.33.0": "(Tensor! out, Tensor exp_sum, Tensor max_logits, Tensor tmp_out, Tensor query, Tensor key_cache, "
    "Tensor value_cache, int num_kv_heads, float scale, Tensor block_tables, Tensor seq_lens, "
    "Tensor? query_start_loc, int block_size, int max_seq_len, Tensor? alibi_slopes, str kv_cache_dtype, "
    "Tensor k_scale, Tensor v_scale, Tensor? fp8_out_scale, str mfma_type, bool use_interleaved_v_cache=False) -> ()",
}


@pytest.mark.parametrize("release", SCHEMAS)
def test_the_rocm_operator_gets_its_own_parameters(release: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in with the schema of that release; no AMD GPU is needed to see what it is called with."""
    from paged_attention_shim import rocm_op

    library: Any = torch.library.Library(f"stand_in_{release.replace('.', '_')}", "DEF")  # type: ignore[no-untyped-call]
    library.define(f"paged_attention{SCHEMAS[release]}")
    seen: list[tuple[Any, ...]] = []

    def implementation(*arguments: Any) -> None:
        seen.append(arguments)
        arguments[0].fill_(3.0)

    library.impl("paged_attention", implementation, "CPU")
    namespace = getattr(torch.ops, f"stand_in_{release.replace('.', '_')}")
    monkeypatch.setattr(rocm_op, "operator", lambda: namespace.paged_attention)
    monkeypatch.setattr(torch.version, "hip", "6.4")
    batch = paged([600, 5], dtype=torch.float16, head_size=64)
    out = paged_attention(**given(batch, out=None, k_scale=0.5, v_scale=torch.tensor(2.0)))
    assert (out == 3.0).all()
    arguments = seen[0]
    assert arguments[1].shape == (2, 4, 3)  # partitions of 256
    assert arguments[3].shape == (2, 4, 3, 64)
    assert arguments[7] == 2
    assert float(arguments[15 if release == "0.6.2" else 16]) == 0.5
    # What it does not take goes to the kernels.
    assert distance(paged_attention(**given(paged([5]))), expected(paged([5]))[0]) <= 1e-6
    assert len(seen) == 1


@pytest.fixture
def on_rocm(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """As if the operator were loaded, and had to be used or say why not."""
    from paged_attention_shim import rocm_op

    monkeypatch.setattr(rocm_op, "operator", lambda: pytest.fail)
    monkeypatch.setattr(torch.version, "hip", "6.4")
    monkeypatch.setenv("PAGED_ATTENTION_BACKEND", "rocm")
    return monkeypatch


FITTING: dict[str, Any] = {"dtype": torch.float16, "head_size": 128, "num_heads": 8, "num_kv_heads": 2}


@pytest.mark.parametrize(
    ("sizes", "more", "refusal"),
    [
        ({"head_size": 80}, {}, "head_size is 80, and it takes"),
        ({"block_size": 8}, {}, "block_size is 8, and it takes"),
        ({"dtype": torch.float32}, {}, "query is torch.float32, and it takes float16 and bfloat16"),
        ({"num_heads": 34}, {}, "more than 16 query heads for a KV head"),
        ({}, {"kv_cache_dtype": "fp8_e5m2"}, "kv_cache_dtype is 'fp8_e5m2', and it takes"),
        ({}, {"max_seq_len": 200_000}, "max_seq_len is 200000, and it takes up to 131072"),
        ({}, {"output_scale": 1.0}, "without output_scale"),
        ({}, {"out": torch.zeros(1, 8, 256, dtype=torch.float16)[:, :, ::2]}, "and it reads no strides"),
        ({}, {"query": [1.0]}, "query and the caches are no tensors"),
        ({}, {"query": torch.zeros(1)}, "query has 1 dimensions"),
    ],
)
@pytest.mark.usefixtures("on_rocm")
def test_what_the_rocm_operator_does_not_fit(sizes: dict[str, Any], more: dict[str, Any], refusal: str) -> None:
    with pytest.raises(RuntimeError, match=refusal):
        paged_attention(**given(paged([20], **(FITTING | sizes)), **more))


@pytest.mark.parametrize(
    ("sizes", "more", "refusal"),
    [
        ({"block_size": 32}, {}, "on RDNA it takes head_size 128, block_size 16"),
        ({"head_size": 64}, {}, "on RDNA it takes head_size 128"),
        ({"num_heads": 2}, {}, "at least 3 query heads for a KV head"),
        ({}, {"alibi_slopes": torch.ones(8)}, "on RDNA it knows neither ALiBi nor fp8"),
        ({}, {"kv_cache_dtype": "fp8"}, "on RDNA it knows neither ALiBi nor fp8"),
    ],
)
def test_what_it_computes_wrongly_on_rdna(
    sizes: dict[str, Any], more: dict[str, Any], refusal: str, on_rocm: pytest.MonkeyPatch
) -> None:
    on_rocm.setattr("paged_attention_shim.rocm_op.is_rdna", lambda _device: True)
    with pytest.raises(RuntimeError, match=refusal):
        paged_attention(**given(paged([20], **(FITTING | sizes)), **more))


@pytest.mark.usefixtures("on_rocm")
def test_wrong_arguments_never_reach_the_rocm_operator() -> None:
    with pytest.raises(ValueError, match="seq_lens has 2 entries; 1 are accepted"):
        paged_attention(**given(paged([20], **FITTING), seq_lens=torch.tensor([1, 2])))


# What is gone


def test_importing_costs_the_standard_library() -> None:
    code = (
        "import sys, paged_attention_shim as shim; dir(shim); "
        "assert not {'torch', 'triton', 'numpy', 'paged_attention_kernels'} & set(sys.modules); "
        "shim.paged_attention; shim.paged_attention_v1; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


def test_names() -> None:
    assert set(paged_attention_shim.__all__) <= set(dir(paged_attention_shim))
    with pytest.raises(AttributeError, match="has no attribute 'paged_attention_v3'"):
        _ = paged_attention_shim.paged_attention_v3
