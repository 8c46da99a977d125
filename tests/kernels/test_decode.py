"""Paged attention by both backends, against attention over the plain keys and values in float64."""

from __future__ import annotations

import itertools
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paged import TOLERANCES, Paged, distance, expected, paged
from paged_attention_kernels import decode, paged_attention, plan

BACKENDS = ("torch", "triton")
HEAD_SIZES = (8, 32, 64, 80, 96, 112, 120, 128, 192, 200, 256)
FLOAT8 = {
    torch.float8_e4m3fn: "fp8",
    torch.float8_e5m2: "fp8_e5m2",
    torch.float8_e4m3fnuz: "fp8_e4m3",
    torch.float8_e5m2fnuz: "fp8_e5m2",
}


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def is_right(batch: Paged, backend: str, given: dict[str, Any] | None = None, **wanted: Any) -> None:
    """Call it with `given`, and compare output and log-sum-exp with what `wanted` says is to be computed.

    A logarithm may be near zero where its sum is near one, so its error counts beside one at least.
    """
    lse = torch.full(batch.query.shape[:2], float("nan"))
    out = paged_attention(**batch.arguments(lse=lse, backend=backend, **(given or {})))
    wanted_out, wanted_lse = expected(batch, **wanted)
    assert distance(out, wanted_out) <= TOLERANCES[batch.query.dtype]
    assert distance(lse, wanted_lse) * min(1.0, float(wanted_lse[wanted_lse.isfinite()].norm())) <= 1e-6


@pytest.mark.parametrize("layout", ["legacy", "NHD", "HND"])
@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("head_size", HEAD_SIZES)
def test_head_sizes(head_size: int, dtype: torch.dtype, layout: str, backend: str) -> None:
    is_right(paged([37, 5], head_size=head_size, dtype=dtype, layout=layout), backend)


@pytest.mark.parametrize("layout", ["legacy", "NHD", "HND"])
@pytest.mark.parametrize("block_size", [8, 16, 32, 64, 128, 256])
@pytest.mark.parametrize("head_size", [40, 64, 256])
def test_block_sizes(block_size: int, head_size: int, layout: str, backend: str) -> None:
    lengths = [block_size + 3, block_size, 1]
    is_right(paged(lengths, block_size=block_size, head_size=head_size, layout=layout, dtype=torch.float16), backend)


@pytest.mark.parametrize(("num_heads", "num_kv_heads"), [(1, 1), (3, 3), (4, 1), (6, 2), (7, 1), (20, 1), (40, 2)])
def test_head_groups(num_heads: int, num_kv_heads: int, backend: str) -> None:
    is_right(paged([50, 17], num_heads=num_heads, num_kv_heads=num_kv_heads), backend)


@pytest.mark.parametrize("stored", FLOAT8)
@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("layout", ["legacy", "NHD"])
def test_float8_caches(stored: torch.dtype, dtype: torch.dtype, layout: str, backend: str) -> None:
    batch = paged([45, 16, 1], dtype=dtype, stored=stored, layout=layout, head_size=48)
    given = {"kv_cache_dtype": FLOAT8[stored], "k_scale": 0.75, "v_scale": torch.tensor([1.5])}
    is_right(batch, backend, given, k_scale=0.75, v_scale=1.5)


@pytest.mark.parametrize("stored", [torch.float8_e4m3fn, torch.float8_e5m2])
@pytest.mark.parametrize("scale", [0.5, torch.tensor(0.5), torch.tensor([0.5], dtype=torch.float64), None])
def test_bytes_are_read_as_float8(stored: torch.dtype, scale: Any, backend: str) -> None:
    batch = paged([45, 16], stored=stored)
    batch = batch._replace(key_cache=batch.key_cache.view(torch.uint8), value_cache=batch.value_cache.view(torch.uint8))
    given = {"kv_cache_dtype": FLOAT8[stored], "k_scale": scale, "v_scale": scale}
    factor = 1.0 if scale is None else 0.5
    is_right(batch, backend, given, k_scale=factor, v_scale=factor)


def test_every_float8_is_the_number_that_torch_reads(backend: str) -> None:
    """One token a sequence, whose output is its value: sixteen bytes each."""
    every = torch.arange(256, dtype=torch.uint8)
    for stored, name in FLOAT8.items():
        is_number = every.view(stored).float().isfinite()
        bytes_ = torch.where(is_number, every, 0).view(16, 1, 16, 1)
        values = bytes_.expand(-1, -1, -1, 8).contiguous()
        keys = torch.zeros(16, 1, 1, 8, 16, dtype=torch.uint8)
        blocks = torch.arange(16, dtype=torch.int32).view(16, 1)
        out = paged_attention(
            None, torch.zeros(16, 1, 16), keys.view(stored), values.view(stored), 1, 1.0,
            blocks, torch.ones(16, dtype=torch.int32), 8, 1, kv_cache_dtype=name, backend=backend,
        )  # fmt: skip
        assert torch.equal(out.flatten(), bytes_.flatten().view(stored).float())


def test_a_large_bfloat16_query_meets_float8_keys(backend: str) -> None:
    batch = paged([30], dtype=torch.bfloat16, stored=torch.float8_e4m3fn)
    batch = batch._replace(query=batch.query * 2.0**20, scale=batch.scale / 2.0**20)  # float16 ends at 65,504
    is_right(batch, backend, {"kv_cache_dtype": "fp8"})


FEATURES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "alibi": ({"alibi_slopes": torch.tensor([0.5, 0.0, -0.25, 0.01])},) * 2,
    "alibi in half precision": (
        {"alibi_slopes": torch.tensor([0.5, 0.0, -0.25, 0.01]).half()},
        {"alibi_slopes": torch.tensor([0.5, 0.0, -0.25, 0.01]).half()},
    ),
    "softcap": ({"softcap": 1.5},) * 2,
    "sinks": ({"sinks": torch.tensor([0.5, -3.0, 4.0, 0.0])},) * 2,
    "window": ({"sliding_window": 20},) * 2,
    "window of one": ({"sliding_window": 1},) * 2,
    "window over a block": ({"sliding_window": 33},) * 2,
    "window over all": ({"sliding_window": 1000},) * 2,
    "everything": (
        {"alibi_slopes": torch.ones(4) / 8, "softcap": 4.0, "sinks": torch.ones(4), "sliding_window": 50},
    ) * 2,
}  # fmt: skip


@pytest.mark.parametrize("name", FEATURES)
@pytest.mark.parametrize("layout", ["legacy", "NHD"])
def test_features(name: str, layout: str, backend: str) -> None:
    given, wanted = FEATURES[name]
    is_right(paged([130, 0, 64, 1, 33], layout=layout), backend, given, **wanted)


@pytest.mark.parametrize("name", FEATURES)
def test_features_with_several_query_tokens(name: str, backend: str) -> None:
    given, wanted = FEATURES[name]
    starts = [0, 3, 3, 4, 13, 15]
    batch = paged([130, 20, 64, 70, 1], num_tokens=15)
    given = given | {"query_start_loc": torch.tensor(starts)}
    is_right(batch, backend, given, query_start_loc=starts, **wanted)


@pytest.mark.parametrize(
    "sparse",
    [(0, 1, 2, 16, 0), (0, 1, 3, 32, 1), (1, 2, 4, 16, 2), (3, 1, 3, 16, -1), (2, 1, 8, 64, -3), (0, 0, 5, 16, 1)],
)
def test_block_sparse(sparse: tuple[int, int, int, int, int], backend: str) -> None:
    tp_rank, local_blocks, vert_stride, block_size, step = sparse
    given = {
        "tp_rank": tp_rank,
        "blocksparse_local_blocks": local_blocks,
        "blocksparse_vert_stride": vert_stride,
        "blocksparse_block_size": block_size,
        "blocksparse_head_sliding_step": step,
    }
    is_right(paged([200, 64, 1, 0, 97]), backend, given, sparse=sparse)
    starts = [0, 2, 2, 3, 3, 9]
    batch = paged([200, 64, 1, 0, 97], num_tokens=9)
    is_right(batch, backend, given | {"query_start_loc": torch.tensor(starts)}, sparse=sparse, query_start_loc=starts)


@pytest.mark.parametrize("vert_stride", [0, 1])
def test_a_stride_up_to_one_is_dense(vert_stride: int, backend: str) -> None:
    is_right(paged([70]), backend, {"blocksparse_vert_stride": vert_stride, "blocksparse_local_blocks": 1})


def test_more_query_tokens_than_keys(backend: str) -> None:
    starts = [0, 5, 7]
    is_right(paged([2, 40], num_tokens=7), backend, {"query_start_loc": torch.tensor(starts)}, query_start_loc=starts)


@pytest.mark.parametrize("several", [7, 16, 40])
def test_many_query_tokens(several: int, backend: str) -> None:
    starts = [0, several]
    batch = paged([60], num_tokens=several)
    is_right(batch, backend, {"query_start_loc": torch.tensor(starts)}, query_start_loc=starts)


def test_what_is_not_a_sequences_own_is_never_seen(backend: str) -> None:
    """Slots without a token are NaN, tables end in entries outside the cache; a neighbour's blocks change nothing."""
    batch = paged([20, 35])
    first = paged_attention(**batch.arguments(backend=backend))
    other = batch.block_tables[1, :3].long()
    for cache in (batch.key_cache, batch.value_cache):
        cache[other] = float("nan")
    second = paged_attention(**batch.arguments(backend=backend))
    assert torch.equal(first[0], second[0])
    assert second[1].isnan().all()


def test_a_swapped_key_is_seen_far_beyond_the_tolerance(backend: str) -> None:
    batch = paged([40], dtype=torch.bfloat16)
    wanted, _ = expected(batch)
    key = batch.keys[0]
    key[[3, 21]] = key[[21, 3]]  # the values stay where they are
    swapped, _ = expected(batch)
    assert distance(swapped, wanted) > 20 * TOLERANCES[torch.bfloat16]
    assert distance(paged_attention(**batch.arguments(backend=backend)), wanted) <= TOLERANCES[torch.bfloat16]


def test_strides(backend: str) -> None:
    batch = paged([37, 5, 64], layout="legacy")
    wide = torch.zeros(3, 4, 3 * 32)
    wide[:, :, 32:64] = batch.query
    is_right(batch._replace(query=wide[:, :, 32:64]), backend)
    turned = batch.query.permute(2, 0, 1).contiguous().permute(1, 2, 0)
    assert turned.stride(2) != 1
    is_right(batch._replace(query=turned), backend)
    both = torch.zeros(2, *batch.value_cache.shape)
    both[1] = batch.value_cache
    apart = torch.stack([batch.key_cache, batch.key_cache * 0], dim=1)[:, 0]
    heads_first = batch.value_cache.transpose(0, 1).contiguous().transpose(0, 1)
    assert apart.stride(0) != batch.key_cache.stride(0)
    assert heads_first.stride(0) != batch.value_cache.stride(0)
    is_right(batch._replace(key_cache=apart, value_cache=heads_first), backend)
    out = torch.full((3, 4, 96), float("nan"))
    paged_attention(**batch.arguments(out=out[:, :, 32:64], backend=backend))
    assert distance(out[:, :, 32:64], expected(batch)[0]) <= 1e-6
    assert out[:, :, :32].isnan().all()
    assert out[:, :, 64:].isnan().all()


@pytest.mark.parametrize("layout", ["NHD", "HND"])
def test_strides_of_the_other_layouts(layout: str, backend: str) -> None:
    batch = paged([37, 5, 64], layout=layout)
    together = torch.stack([batch.key_cache, batch.value_cache], dim=1)  # [num_blocks, 2, ...], as vLLM keeps it
    is_right(batch._replace(key_cache=together[:, 0], value_cache=together[:, 1]), backend)
    padded = torch.zeros(*batch.key_cache.shape[:3], 40)
    padded[..., :32] = batch.key_cache
    is_right(batch._replace(key_cache=padded[..., :32]), backend)


def test_int64_tables_and_lengths(backend: str) -> None:
    batch = paged([37, 5])
    is_right(batch._replace(block_tables=batch.block_tables.long(), seq_lens=batch.seq_lens.long()), backend)
    columns = torch.full((2, 2 * batch.block_tables.shape[1]), -1, dtype=torch.int32)
    columns[:, ::2] = batch.block_tables
    is_right(batch._replace(block_tables=columns[:, ::2]), backend)


def test_without_an_output_one_is_made(backend: str) -> None:
    batch = paged([37, 5], dtype=torch.float16)
    out = paged_attention(**batch.arguments(out=None, backend=backend))
    assert out.dtype == torch.float16
    assert distance(out, expected(batch)[0]) <= 1e-3


def test_an_output_scale_and_a_float8_output(backend: str) -> None:
    batch = paged([37, 5])
    wanted, _ = expected(batch)
    out = paged_attention(**batch.arguments(output_scale=0.25, backend=backend))
    assert distance(out, wanted * 4.0) <= 1e-6
    small = torch.zeros(batch.query.shape, dtype=torch.float8_e4m3fn)
    paged_attention(**batch.arguments(out=small, output_scale=torch.tensor(0.25), backend=backend))
    assert distance(small.float(), wanted * 4.0) <= 9e-2  # the interpreter cuts off where a GPU rounds
    paged_attention(**batch.arguments(out=small, output_scale=1e-9, backend=backend))
    assert small.float().abs().max() == 448.0


def test_nothing_to_do(backend: str) -> None:
    batch = paged([], num_tokens=0)
    assert paged_attention(**batch.arguments(num_kv_heads=2, backend=backend)).shape == (0, 4, 32)
    none = paged([0, 0])
    is_right(none, backend)
    is_right(none, backend, {"sinks": torch.ones(4)}, sinks=torch.ones(4))
    bare = none._replace(block_tables=none.block_tables[:, :0])
    is_right(bare, backend)
    is_right(bare, backend, {"sinks": torch.ones(4)}, sinks=torch.ones(4))


def test_the_longest_length_may_be_anything_larger(backend: str) -> None:
    is_right(paged([37, 5]), backend, {"max_seq_len": 1 << 20})


def test_a_length_past_its_table_ends_there(backend: str) -> None:
    batch = paged([64, 32])
    wanted, _ = expected(batch)
    out = paged_attention(
        **batch.arguments(seq_lens=torch.tensor([10**6, 32]), block_tables=batch.block_tables[:, :4], backend=backend)
    )
    assert distance(out, wanted) <= 1e-6
    negative = paged_attention(**batch.arguments(seq_lens=torch.tensor([-5, 32]), backend=backend))
    assert (negative[0] == 0.0).all()
    assert distance(negative[1], wanted[1]) <= 1e-6


def test_an_entry_outside_the_cache_reads_inside_it(backend: str) -> None:
    batch = paged([64, 32])
    batch.block_tables[0, 1] = 1 << 30
    batch.block_tables[0, 2] = -(1 << 30)
    out = paged_attention(**batch.arguments(backend=backend))
    assert distance(out[1], expected(batch)[0][1]) <= 1e-6


def test_query_starts_that_make_no_sense_stay_inside_the_query(backend: str) -> None:
    batch = paged([37, 20, 5], num_tokens=3)
    for starts in ([0, 3, 2, 3], [-5, 1, 1000, 3], [2, 2, 2, 2], [7, 9, 11, 13], [3, 2, 1, 0]):
        out = paged_attention(**batch.arguments(query_start_loc=torch.tensor(starts), backend=backend))
        assert out.shape == batch.query.shape


# How the work is cut


@pytest.mark.parametrize("merge_here", [True, False], ids=["merged in place", "merged by a second launch"])
@pytest.mark.parametrize("programs", [1, 2, 3, 7, 64])
def test_any_number_of_programs(programs: int, merge_here: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = plan.plan_for

    def cut(**sizes: Any) -> plan.Plan:
        return usual(**sizes)._replace(programs=programs, merge_here=merge_here, min_tiles=1, scan=4)

    monkeypatch.setattr(decode, "plan_for", cut)
    slopes, sinks = torch.ones(4) / 16, torch.ones(4)
    more = {"alibi_slopes": slopes, "sinks": sinks}
    is_right(paged([300, 0, 64, 1, 33, 129, 7]), "triton", more, alibi_slopes=slopes, sinks=sinks)
    starts = [0, 3, 3, 4, 13, 15]
    batch = paged([130, 20, 64, 70, 1], num_tokens=15)
    window = {"sliding_window": 40}
    given = window | {"query_start_loc": torch.tensor(starts)}
    is_right(batch, "triton", given, query_start_loc=starts, sliding_window=40)


@pytest.mark.parametrize("merge_here", [True, False], ids=["merged in place", "merged by a second launch"])
@pytest.mark.parametrize("programs", [1, 4, 6, 8, 40])
def test_sequences_that_differ_little_are_cut_alike(
    programs: int, merge_here: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 40 programs the last part of the shorter ones holds nothing."""
    usual = plan.plan_for

    def cut(**sizes: Any) -> plan.Plan:
        return usual(**sizes)._replace(tile=32, programs=programs, merge_here=merge_here, min_tiles=1, scan=4)

    monkeypatch.setattr(decode, "plan_for", cut)
    sinks = torch.ones(4)
    is_right(paged([320, 319, 288]), "triton", {"sinks": sinks}, sinks=sinks)
    is_right(paged([320, 288]), "triton", {"sliding_window": 250}, sliding_window=250)
    starts = [0, 4, 8]
    given = {"query_start_loc": torch.tensor(starts)}
    is_right(paged([320, 290], num_tokens=8), "triton", given, query_start_loc=starts)


@pytest.mark.slow
def test_more_sequences_than_one_scan() -> None:
    batch = paged([index % 40 for index in range(1100)], num_heads=2, num_kv_heads=1, head_size=16, block_size=8)
    is_right(batch, "triton")


def test_one_long_sequence_is_merged_by_a_second_launch() -> None:
    is_right(paged([1500], num_heads=2, num_kv_heads=1), "triton")


def test_calls_share_a_workspace_and_leave_it_ready() -> None:
    for lengths in ([300, 40], [40], [700, 3, 300], [300, 40]):
        is_right(paged(lengths), "triton")


def test_threads_share_a_stream() -> None:
    """Two launches a call, whose parts lie in memory that the threads share."""
    batches = [paged([1500], num_heads=2, num_kv_heads=1, seed=seed) for seed in range(3)]
    wanted = [expected(batch)[0] for batch in batches]

    def attend(number: int) -> float:
        out = paged_attention(**batches[number % 3].arguments(backend="triton"))
        return distance(out, wanted[number % 3])

    with ThreadPoolExecutor(3) as pool:
        assert max(pool.map(attend, range(9))) <= 2e-6


def test_tokens_of_no_sequence_stay(backend: str) -> None:
    batch = paged([37, 20], num_tokens=5)
    out = torch.full(batch.query.shape, 7.0)
    paged_attention(**batch.arguments(out=out, query_start_loc=torch.tensor([0, 2, 3]), backend=backend))
    assert distance(out[:3], expected(batch, query_start_loc=[0, 2, 3])[0][:3]) <= 1e-6
    assert (out[3:] == 7.0).all()


def test_results_are_the_same_from_run_to_run() -> None:
    batch = paged([300, 40, 700])
    first = paged_attention(**batch.arguments(backend="triton"))
    assert torch.equal(first, paged_attention(**batch.arguments(backend="triton")))


# Ways to call it


def test_a_compiled_function_holds_the_call_whole(backend: str) -> None:
    batch = paged([37, 5])
    scale = torch.tensor(2.0)

    def attend(query: torch.Tensor) -> torch.Tensor:
        lse = torch.empty(query.shape[:2])
        out = paged_attention(
            **batch.arguments(out=None, query=query * 2.0, lse=lse, v_scale=scale, k_scale=1.0, backend=backend)
        )
        return out + lse[:, :, None]

    compiled = torch.compile(attend, fullgraph=True, backend="aot_eager")
    doubled = batch._replace(query=batch.query * 2.0)
    wanted, lse = expected(doubled, v_scale=2.0)
    assert distance(compiled(batch.query), wanted + lse[:, :, None]) <= 2e-6
    assert distance(attend(batch.query), wanted + lse[:, :, None]) <= 2e-6


def test_the_operator_passes_opcheck() -> None:
    from paged_attention_kernels.compiled import _paged_attention

    batch = paged([37, 5])
    given = batch.arguments()
    order = (*list(given)[:10], None, "auto", None, None, None, None, 0, 0, 0, 64, 0)
    positional = [given[name] if isinstance(name, str) and name in given else name for name in order]
    rest = ["legacy", None, 0.0, None, torch.zeros(2, 4), None, None, None, "torch"]
    torch.library.opcheck(_paged_attention, (*positional, *rest))


def test_a_missing_triton_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(RuntimeError, match="Triton is not installed: pip install triton"):
        paged_attention(**paged([5]).arguments(backend="triton"))


def test_triton_on_the_cpu_needs_its_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRITON_INTERPRET")
    with pytest.raises(ValueError, match="set TRITON_INTERPRET=1"):
        paged_attention(**paged([5]).arguments(backend="triton"))


def test_the_torch_path_imports_no_triton() -> None:
    code = (
        "import sys, torch; from paged_attention_kernels import paged_attention; "
        "k = torch.zeros(1, 1, 4, 16, 4); v = torch.ones(1, 1, 16, 16); one = torch.ones(1, dtype=torch.int32); "
        "out = paged_attention(None, torch.zeros(1, 1, 16), k, v, 1, 1.0, 0 * one.view(1, 1), one, 16, 1); "
        "assert (out == 1).all(); assert 'triton' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


LENGTHS = st.sampled_from([0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200])


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_batch(data: st.DataObject) -> None:
    lengths = data.draw(st.lists(LENGTHS, min_size=1, max_size=5), "lengths")
    num_kv_heads = data.draw(st.integers(1, 3), "num_kv_heads")
    query_lens = data.draw(
        st.none() | st.lists(st.integers(0, 4), min_size=len(lengths), max_size=len(lengths)), "query_lens"
    )
    starts = None if query_lens is None else [0, *itertools.accumulate(query_lens)]
    batch = paged(
        lengths,
        num_kv_heads=num_kv_heads,
        num_heads=num_kv_heads * data.draw(st.integers(1, 5), "group"),
        head_size=8 * data.draw(st.integers(1, 9), "head_size / 8"),
        block_size=data.draw(st.sampled_from([8, 16, 32, 64]), "block_size"),
        dtype=data.draw(st.sampled_from(list(TOLERANCES)), "dtype"),
        layout=data.draw(st.sampled_from(["legacy", "NHD", "HND"]), "layout"),
        num_tokens=None if starts is None else starts[-1],
        seed=data.draw(st.integers(0, 1000), "seed"),
    )
    window = data.draw(st.none() | st.integers(1, 150), "sliding_window")
    given_: dict[str, Any] = {"sliding_window": window}
    if starts is not None:
        given_["query_start_loc"] = torch.tensor(starts)
    for backend in BACKENDS:
        is_right(batch, backend, given_, sliding_window=window, query_start_loc=starts)
