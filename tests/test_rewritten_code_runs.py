"""Code that called the removed functions is rewritten, imported and run, and computes attention."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

torch = pytest.importorskip("torch")

from paged import distance, expected, paged  # noqa: E402  # what needs torch
from paged_attention_migrate import project  # noqa: E402

BEFORE = """\
import torch
from vllm import _custom_ops as ops
from vllm._C import ops as old_ops


def decode(query, key_cache, value_cache, num_kv_heads, scale, tables, lens, block_size, longest):
    out = torch.empty_like(query)
    parts = (longest + 511) // 512
    tmp = torch.empty(*query.shape[:2], parts, query.shape[2])
    sums = torch.empty(*query.shape[:2], parts)
    peaks = torch.empty_like(sums)
    if parts == 1:
        ops.paged_attention_v1(
            out, query, key_cache, value_cache, num_kv_heads, scale, tables, lens, block_size, longest,
            alibi_slopes=None, kv_cache_dtype="auto", k_scale=1.0, v_scale=1.0,
        )
    else:
        ops.paged_attention_v2(
            out, sums, peaks, tmp, query, key_cache, value_cache, num_kv_heads, scale, tables, lens, block_size,
            longest, None, "auto", 1.0, 1.0,
        )
    return out


def by_the_operator(out, tmp, sums, peaks, query, key_cache, value_cache, num_kv_heads, scale, tables, lens, longest):
    torch.ops._C.paged_attention_v2(
        out, sums, peaks, tmp, query, key_cache, value_cache, num_kv_heads, scale, tables, lens, 16, longest, None,
        "auto", 1.0, 1.0, 0, 0, 0, 64, 0,
    )


def with_one_scale(out, query, key_cache, value_cache, num_kv_heads, scale, tables, lens, longest):
    old_ops.paged_attention_v1(
        out, query, key_cache, value_cache, num_kv_heads, scale, tables, lens, 16, longest, None, "auto", 1.0
    )
"""


@pytest.fixture
def rewritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.chdir(tmp_path)
    Path("decoding.py").write_text(BEFORE)
    (change,) = project.rewrite(project.Options(force_callers=True)).changes
    assert b"vllm" not in change.after
    Path("decoding.py").write_bytes(change.after)
    spec = importlib.util.spec_from_file_location("decoding", "decoding.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("longest", [37, 700])
def test_it_computes_attention(rewritten: ModuleType, longest: int) -> None:
    batch = paged([longest, 5])
    wanted, _ = expected(batch)
    usual = (batch.query, batch.key_cache, batch.value_cache, 2, batch.scale, batch.block_tables, batch.seq_lens)
    assert distance(rewritten.decode(*usual, 16, longest), wanted) <= 1e-6
    out = torch.full(batch.query.shape, float("nan"))
    rewritten.by_the_operator(out, None, None, None, *usual, longest)
    assert distance(out, wanted) <= 1e-6
    out.fill_(float("nan"))
    rewritten.with_one_scale(out, *usual, longest)
    assert distance(out, wanted) <= 1e-6
    assert "vllm" not in sys.modules
