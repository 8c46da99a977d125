"""What a Python file must hold to be parsed."""

from __future__ import annotations

import pytest

from paged_attention_migrate.markers import first_line_of_name, may_hold_removed_name

YES = (
    b"ops.paged_attention_v1(x)",
    b"paged_attention_v2",
    b"x.single_query_cached_kv_attention()",
    b"getattr(ops, f'paged_attention_{v}')",
    b"getattr(ops, 'paged_attention_v' + v)",
    b"from vllm.attention.ops.paged_attn import PagedAttention",
    b"from vllm.attention.ops import paged_attn",
    b"from vllm._ipex_ops import ipex_ops",
    b"from vllm._C import ops",
    b"from vllm._C import cache_ops, ops as o",
    b"import vllm._C.ops",
    b"from vllm import attention_ops",
    b"import vllm.attention_ops as a",
    b"from vllm.model_executor.layers.attention import PagedAttention",
    b"from vllm.model_executor.layers.attention import (\n    Other,\n    PagedAttentionWithALiBi,\n)",
)
NO = (
    b"",
    b"ops.paged_attention_v3(x)",
    b"fused_paged_attention_v1(x)",
    b"paged_attention_v1_kernel",
    b"paged_attention_rocm(x)",
    b"from vllm import _custom_ops as ops\nops.rms_norm(x)",
    b"import vllm._C  # noqa: F401",
    b"from vllm.v1.attention.ops.paged_attn import PagedAttention",
    b"from vllm.model_executor.layers.attention import Attention",
    b"from lmi_vllm import my_attention_ops",
    b"ref_single_query_cached_kv_attention(x)",
    b"    # as in paged_attention_v1",
    b"torch.ops.aiter.paged_attention_v1(x)",
)


@pytest.mark.parametrize("data", YES)
def test_a_file_that_may_matter_is_parsed(data: bytes) -> None:
    assert may_hold_removed_name(b"import os\n" + data + b"\n")


@pytest.mark.parametrize("data", NO)
def test_a_look_alike_costs_nothing(data: bytes) -> None:
    assert not may_hold_removed_name(b"import os\n" + data + b"\n")


def test_the_line_of_the_first_name() -> None:
    assert first_line_of_name(b"a\nb paged_attention_v1_kernel\nc paged_attention_v2\n") == 3
    assert first_line_of_name(b"from vllm._C import ops\n") == 1


def test_an_account_wants_every_name() -> None:
    for data in (b"# as in paged_attention_v1", b"torch.ops.aiter.paged_attention_v1(x)"):
        assert may_hold_removed_name(data, every_name=True)
