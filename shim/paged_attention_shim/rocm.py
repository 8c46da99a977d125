"""vLLM's surviving paged attention call for ROCm, on every GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def paged_attention_rocm(  # noqa: PLR0913, PLR0917  # the signature of vLLM 0.33.0
    out: torch.Tensor,
    exp_sum: torch.Tensor,
    max_logits: torch.Tensor,
    tmp_out: torch.Tensor,
    query: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    num_kv_heads: int,
    scale: float,
    block_tables: torch.Tensor,
    seq_lens: torch.Tensor,
    query_start_loc: torch.Tensor | None,
    block_size: int,
    max_seq_len: int,
    alibi_slopes: torch.Tensor | None,
    kv_cache_dtype: str,
    k_scale: torch.Tensor,
    v_scale: torch.Tensor,
    fp8_out_scale: torch.Tensor | None = None,
    mfma_type: str = "f16",
    use_interleaved_v_cache: bool = False,
) -> None:
    """`vllm._custom_ops.paged_attention_rocm` as of vLLM 0.33.0, for code that is written against it.

    `exp_sum`, `max_logits` and `tmp_out` are scratch and stay as they are. `query_start_loc`, if given, is
    [num_seqs + 1]; sequences with several query tokens, which the operator leaves to another kernel, are computed, too.
    `mfma_type` chooses an instruction of AMD's and changes nothing here. Raises as `paged_attention` does, and
    ValueError for `use_interleaved_v_cache`.
    """
    del exp_sum, max_logits, tmp_out, mfma_type
    if use_interleaved_v_cache:
        raise ValueError("use_interleaved_v_cache is True; False is accepted: that layout is vLLM's for ROCm alone")
    from paged_attention_shim.attention import paged_attention

    paged_attention(
        out,
        query,
        key_cache,
        value_cache,
        num_kv_heads,
        scale,
        block_tables,
        seq_lens,
        block_size,
        max_seq_len,
        alibi_slopes,
        kv_cache_dtype,
        k_scale,
        v_scale,
        query_start_loc=query_start_loc,
        output_scale=fp8_out_scale,
    )
