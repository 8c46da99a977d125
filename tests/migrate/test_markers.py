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
    b"getattr(ops, 'paged_attention_' 'v1')",
    b"getattr(ops, 'paged_attention_v%d' % v)",
    b"getattr(ops, 'paged_attention_{}'.format(v))",
    b"getattr(ops, 'paged_attention_' + v)",
    b"from vllm._C import (\n    ops,\n)",
    b"from vllm._C import (  # a) first\n    x,  # b)\n    cache_ops,\n)",
    b"from vllm._C import (  # a)\r    ops,\r)",
    b"from vllm._C import \\\n    ops",
    b"from vllm._C \\\r\n    import ops",
    b"from vllm import (\n    attention_ops,\n)",
    b"from vllm import cache_ops",
    b"import vllm.cache_ops",
    b"from vllm import _C\n_C.ops.rms_norm(x)",
    b"from vllm import (\n    other,\n    _C as extension,\n)\nextension.cache_ops.swap_blocks(x)",
    b"# needs vllm._C\nimport torch, vllm._C as c\nc.ops.rms_norm(x)",
    b"from vllm.attention.ops import (\n    paged_attn,\n)",
    b"from vllm.attention.ops import \\\n    paged_attn",
    b"importlib.import_module('vllm.attention.ops.paged_attn')",
)
NO = (
    b"",
    b"ops.paged_attention_v3(x)",
    b"fused_paged_attention_v1(x)",
    b"paged_attention_v1_kernel",
    b"paged_attention_rocm(x)",
    b"from vllm import _custom_ops as ops\nops.rms_norm(x)",
    b"import vllm._C  # noqa: F401",
    b"import vllm._C  # noqa: F401\ntorch.ops._C.rms_norm(x)\nops.rms_norm(x)",
    b"from vllm import _C as c\ntorch.ops._C_cache_ops.swap_blocks(x)",
    b"from aphrodite import _C\n_C.ops.rms_norm(x)",
    b"from vllm.v1.attention.ops.paged_attn import PagedAttention",
    b"from vllm.model_executor.layers.attention import Attention",
    b"from lmi_vllm import my_attention_ops",
    b"ref_single_query_cached_kv_attention(x)",
    b"    # as in paged_attention_v1",
    b"torch.ops.aiter.paged_attention_v1(x)",
    b"paged_attention_v10(x)",
    b"paged_attention_v2_rocm",
    b"paged_attention_v(x)",
    b"xpaged_attention_v1",
    b"Paged_Attention_V1",
    b"paged_attention",
    b"single_query_cached_kv_attention_kernel",
    b"from vllm._C import (\n    rms_norm,\n)\nops = 1",
    b"from vllm._C import (\n    rms_norm,  # not ops\n)",
    b"from vllm._C import rms_norm\nfrom mine import ops",
    b"from vllm import (\n    my_attention_ops,\n)",
    b"from vllm import LLM\nfrom mine import attention_ops, cache_ops",
    b"from vllm.v1.attention.ops.paged_attn import (\n    PagedAttention,\n)",
)


@pytest.mark.parametrize("data", YES)
def test_a_file_that_may_matter_is_parsed(data: bytes) -> None:
    assert may_hold_removed_name(b"import os\n" + data + b"\n")


@pytest.mark.parametrize("data", NO)
def test_a_look_alike_costs_nothing(data: bytes) -> None:
    assert not may_hold_removed_name(b"import os\n" + data + b"\n")


def test_an_import_without_an_end_takes_no_time() -> None:
    for opening in (b"from vllm._C import (", b"from vllm._C import ", b"from vllm._C ", b"from vllm import (_C, "):
        for piece in (b"# a\n", b"a,\\\n", b" \\\n", b"a "):
            assert not may_hold_removed_name(opening + piece * 20_000 + b"\nno_ops")


def test_the_line_of_the_first_name() -> None:
    assert first_line_of_name(b"a\nb paged_attention_v1_kernel\nc paged_attention_v2\n") == 3
    assert first_line_of_name(b"from vllm._C import ops\n") == 1


def test_an_account_wants_every_name() -> None:
    for data in (b"# as in paged_attention_v1", b"torch.ops.aiter.paged_attention_v1(x)"):
        assert may_hold_removed_name(data, every_name=True)
