"""Every wrong argument is named before anything is launched, with what came and what is accepted."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from paged import paged
from paged_attention_kernels import paged_attention

BATCH = paged([37, 5])
NHD = paged([37, 5], layout="NHD")
META = torch.device("meta")
TURNED = BATCH.key_cache.transpose(3, 4).contiguous().transpose(3, 4)
GAPS = torch.zeros(*NHD.key_cache.shape[:3], 64)[..., ::2]


def wrong(message: str, **changed: Any) -> Any:
    return pytest.param(changed, message, id=f"{next(iter(changed))}: {message[:40]}")


CASES = [
    wrong("query is list; a tensor is accepted", query=[1.0]),
    wrong(r"query has shape \[2, 128\]; \[num_tokens, num_heads, head_size\] is accepted", query=torch.zeros(2, 128)),
    wrong("query is torch.float64; float16, bfloat16 and float32 are accepted", query=BATCH.query.double()),
    wrong("query has head_size 40 and key_cache 32", query=torch.zeros(2, 4, 40)),
    wrong("query has 3 heads; a multiple of num_kv_heads, here 2, is accepted", query=torch.zeros(2, 3, 32)),
    wrong("requires grad, and this function has no gradient", query=BATCH.query.clone().requires_grad_()),
    wrong("key_cache is NoneType; a tensor is accepted", key_cache=None),
    wrong("key_cache is on meta and query on cpu", key_cache=BATCH.key_cache.to(META)),
    wrong(r"key_cache has shape .*; \[num_blocks, num_kv_heads, head", key_cache=BATCH.key_cache.flatten(2, 3)),
    wrong("here 4, is accepted", key_cache=torch.zeros(8, 2, 4, 16, 8)),
    wrong("key_cache has strides .*pass key_cache.contiguous", key_cache=TURNED),
    wrong("value_cache is on meta and query on cpu", value_cache=BATCH.value_cache.to(META)),
    wrong(r"value_cache has shape \[\d+, 2, 512\]", value_cache=BATCH.value_cache.flatten(2)),
    wrong("goes with this key_cache", value_cache=BATCH.value_cache.transpose(2, 3)),
    wrong("value_cache is torch.float16 and key_cache torch.float32", value_cache=BATCH.value_cache.half()),
    wrong("pass value_cache.contiguous", value_cache=BATCH.value_cache.transpose(2, 3).contiguous().transpose(2, 3)),
    wrong("num_kv_heads is 4 and key_cache .legacy. has 2 KV heads", num_kv_heads=4),
    wrong("scale is '0.1'; a finite number is accepted", scale="0.1"),
    wrong("scale is nan", scale=float("nan")),
    wrong("scale is True", scale=True),
    wrong("block_tables is list; a tensor is accepted", block_tables=[[0]]),
    wrong("block_tables is on meta", block_tables=BATCH.block_tables.to(META)),
    wrong("block_tables is torch.float32; int32 is accepted, and int64", block_tables=BATCH.block_tables.float()),
    wrong(r"block_tables has shape \[\d+\]; 2 dimensions are accepted", block_tables=BATCH.block_tables.flatten()),
    wrong("block_tables has 1 rows; 2 are accepted", block_tables=BATCH.block_tables[:1]),
    wrong("seq_lens is list; a tensor is accepted", seq_lens=[37, 5]),
    wrong("seq_lens is on meta", seq_lens=BATCH.seq_lens.to(META)),
    wrong("seq_lens is torch.int16; int32 is accepted", seq_lens=BATCH.seq_lens.short()),
    wrong("seq_lens has 1 entries; 2 are accepted", seq_lens=BATCH.seq_lens[:1]),
    wrong("block_size is 32 and key_cache .legacy. has blocks of 16 tokens", block_size=32),
    wrong("max_seq_len is -1; an int of 0 or more is accepted", max_seq_len=-1),
    wrong("max_seq_len is 37.0", max_seq_len=37.0),
    wrong(r"alibi_slopes has shape \[2\]; \[4\] is accepted, one a query head", alibi_slopes=torch.ones(2)),
    wrong("alibi_slopes is torch.int64; a floating-point type", alibi_slopes=torch.ones(4, dtype=torch.int64)),
    wrong("alibi_slopes is list; a tensor is accepted", alibi_slopes=[1.0] * 4),
    wrong("alibi_slopes is on meta", alibi_slopes=torch.ones(4, device=META)),
    wrong("kv_cache_dtype is 'fp4'; 'auto', 'float16', 'bfloat16', 'fp8'", kv_cache_dtype="fp4"),
    wrong("key_cache is torch.float32 with kv_cache_dtype 'fp8'; torch.uint8", kv_cache_dtype="fp8"),
    wrong("with kv_cache_dtype 'float16', and query is torch.float32", kv_cache_dtype="float16"),
    wrong("with kv_cache_dtype 'auto', and query is torch.float16", query=BATCH.query.half()),
    wrong("k_scale is str; a number or a tensor of one element", k_scale="1"),
    wrong("k_scale is bool", k_scale=True),
    wrong("v_scale has 2 elements", v_scale=torch.ones(2)),
    wrong("v_scale is torch.int64; a floating-point type", v_scale=torch.tensor(1)),
    wrong("tp_rank is -1; an int of 0 or more is accepted", tp_rank=-1),
    wrong("blocksparse_local_blocks is -1", blocksparse_local_blocks=-1),
    wrong("blocksparse_vert_stride is -1", blocksparse_vert_stride=-1),
    wrong("blocksparse_vert_stride is 2.0", blocksparse_vert_stride=2.0),
    wrong("blocksparse_block_size is 0", blocksparse_block_size=0, blocksparse_vert_stride=2),
    wrong("blocksparse_head_sliding_step is 0.5; an int is accepted", blocksparse_head_sliding_step=0.5),
    wrong("cache_layout is 'nhd'; 'legacy', 'NHD', 'HND' are accepted", cache_layout="nhd"),
    wrong(r"key_cache has shape .*; \[num_blocks, block_size, num_kv_heads, head_size\]", cache_layout="NHD"),
    wrong("sliding_window is 0; None or a number of tokens from 1 on", sliding_window=0),
    wrong("sliding_window is 2.5", sliding_window=2.5),
    wrong("softcap is -1.0; 0.0 .none. or a positive number is accepted", softcap=-1.0),
    wrong("softcap is inf", softcap=float("inf")),
    wrong(r"sinks has shape \[1\]; \[4\] is accepted", sinks=torch.ones(1)),
    wrong(r"lse has shape \[4, 2\]; \[2, 4\], tokens and heads, is accepted", lse=torch.zeros(4, 2)),
    wrong("lse is torch.float16; float32 is accepted", lse=torch.zeros(2, 4).half()),
    wrong("lse is on meta", lse=torch.zeros(2, 4, device=META)),
    wrong("query_start_loc is list", query_start_loc=[0, 1, 2]),
    wrong("query_start_loc is empty", query_start_loc=torch.zeros(0, dtype=torch.int32)),
    wrong("query_start_loc is torch.float32", query_start_loc=torch.zeros(3)),
    wrong("seq_lens has 2 entries; 3 are accepted", query_start_loc=torch.zeros(4, dtype=torch.int32)),
    wrong("output_scale is given and out is None", output_scale=0.5, out=None),
    wrong("out is list", out=[0.0]),
    wrong("out is on meta", out=torch.zeros(2, 4, 32, device=META)),
    wrong(r"out has shape \[2, 4, 16\]; \[2, 4, 32\], as query, is accepted", out=torch.zeros(2, 4, 16)),
    wrong("out is torch.float16 and query torch.float32", out=torch.zeros(2, 4, 32).half()),
    wrong("out is torch.int8; with output_scale", out=torch.zeros(2, 4, 32).to(torch.int8), output_scale=1.0),
    wrong("out has stride 4 in its last dimension; 1 is accepted", out=torch.zeros(2, 32, 4).transpose(1, 2)),
    wrong("backend is 'cuda'; None, 'torch' and 'triton' are accepted", backend="cuda"),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "message"), CASES)
def test_wrong_arguments(changed: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        paged_attention(**(BATCH.arguments() | changed))


OTHER_LAYOUTS = [
    wrong("both must be", value_cache=NHD.value_cache[..., :16]),
    wrong("key_cache has stride 2 in its last dimension", key_cache=GAPS),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "message"), OTHER_LAYOUTS)
def test_wrong_arguments_in_the_other_layouts(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        paged_attention(**(NHD.arguments() | changed))


@pytest.mark.parametrize(
    ("head_size", "block_size", "message"),
    [
        (12, 16, "query has head_size 12; multiples of 8 from 8 to 256 are accepted"),
        (264, 16, "query has head_size 264"),
        (32, 24, "block_size is 24; 8, 16, 32, 64, 128, 256 are accepted"),
        (32, 4, "block_size is 4"),
    ],
)
def test_sizes_that_no_kernel_is_made_for(head_size: int, block_size: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        paged_attention(**paged([5], head_size=head_size, block_size=block_size, layout="NHD").arguments())


def test_gradients_are_no_concern_where_none_are_recorded() -> None:
    query = BATCH.query.clone().requires_grad_()
    with torch.no_grad():
        assert paged_attention(**BATCH.arguments(query=query)).isfinite().all()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seq_lens": torch.tensor([37, -1])}, r"seq_lens\[1\] is -1; 0 to 80"),
        ({"seq_lens": torch.tensor([81, 5])}, r"seq_lens\[0\] is 81; 0 to 80, what block_tables has room for"),
        ({"seq_lens": torch.tensor([37, 17])}, r"block_tables\[1, 1\] is 1007; 0 to 6, blocks of key_cache"),
        ({"query_start_loc": torch.tensor([0, 3, 2])}, r"query_start_loc is \[0, 3, 2\]; entries that never fall"),
        ({"query_start_loc": torch.tensor([0, 1, 1])}, "from 0 to num_tokens, here 2"),
    ],
)
def test_contents_are_checked_on_request(
    changed: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    paged_attention(**(BATCH.arguments() | changed))
    monkeypatch.setenv("PAGED_ATTENTION_CHECK", "1")
    paged_attention(**BATCH.arguments())
    paged_attention(**BATCH.arguments(query_start_loc=torch.tensor([0, 0, 2])))
    with pytest.raises(ValueError, match=message):
        paged_attention(**(BATCH.arguments() | changed))
