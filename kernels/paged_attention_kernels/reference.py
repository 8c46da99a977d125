"""The definition of correct: attention over a paged cache, one query token and one head at a time.

Written from what the removed kernels computed (vLLM 0.24.0) and from what later kernels added to it, with two holes
closed: there is no 1e-6 in the denominator, and a token that sees nothing gives zeros.
"""

from __future__ import annotations

import torch

_FLOAT8 = {"fp8": torch.float8_e4m3fn, "fp8_e4m3": torch.float8_e4m3fn, "fp8_e5m2": torch.float8_e5m2}


def paged_attention(  # noqa: PLR0913  # the signature of the removed function, and what came later
    query: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    num_kv_heads: int,
    scale: float,
    block_tables: torch.Tensor,
    seq_lens: torch.Tensor,
    block_size: int,
    *,
    alibi_slopes: torch.Tensor | None = None,
    kv_cache_dtype: str = "auto",
    k_scale: float = 1.0,
    v_scale: float = 1.0,
    tp_rank: int = 0,
    blocksparse_local_blocks: int = 0,
    blocksparse_vert_stride: int = 0,
    blocksparse_block_size: int = 64,
    blocksparse_head_sliding_step: int = 0,
    cache_layout: str = "legacy",
    sliding_window: int | None = None,
    softcap: float = 0.0,
    sinks: torch.Tensor | None = None,
    query_start_loc: torch.Tensor | None = None,
    dtype: torch.dtype = torch.float32,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Output [num_tokens, num_heads, head_size] and log-sum-exp [num_tokens, num_heads], computed in `dtype`.

    Arguments are those of `paged_attention_kernels.paged_attention`, unchecked; the log-sum-exp is natural.
    """
    num_tokens, num_heads, _ = query.shape
    out = torch.zeros(query.shape, dtype=dtype, device=query.device)
    lse = torch.full((num_tokens, num_heads), float("-inf"), dtype=dtype, device=query.device)
    starts = list(range(num_tokens + 1)) if query_start_loc is None else query_start_loc.tolist()
    for sequence, length in enumerate(seq_lens.tolist()):
        first, last = starts[sequence], starts[sequence + 1]
        keys, values = (
            tokens_of(cache, block_tables[sequence], length, block_size, cache_layout, kv_cache_dtype, is_key).to(dtype)
            * factor
            for cache, is_key, factor in ((key_cache, True, k_scale), (value_cache, False, v_scale))
        )
        index = torch.arange(length, device=query.device)
        for token in range(first, last):
            position = length - (last - token)
            for head in range(num_heads):
                kv_head = head // (num_heads // num_kv_heads)
                seen = index <= position
                if sliding_window is not None:
                    seen &= index > position - sliding_window
                if blocksparse_vert_stride > 1:
                    # csrc/attention/attention_kernels.cuh of vLLM 0.24.0; the sequence ends at this token.
                    if blocksparse_head_sliding_step >= 0:
                        offset = (tp_rank * num_heads + head) * blocksparse_head_sliding_step + 1
                    else:
                        offset = (tp_rank * num_kv_heads + kv_head) * -blocksparse_head_sliding_step + 1
                    key_block = (index // block_size * block_size) // blocksparse_block_size
                    query_block = position // blocksparse_block_size
                    strided = (key_block + offset) % blocksparse_vert_stride == 0
                    seen &= strided | (key_block > query_block - blocksparse_local_blocks)
                score = scale * (keys[seen, kv_head] @ query[token, head].to(dtype))
                if softcap > 0.0:
                    score = softcap * torch.tanh(score / softcap)
                if alibi_slopes is not None:
                    score = score + alibi_slopes[head].to(dtype) * (index[seen] - position)
                logits = score if sinks is None else torch.cat([score, sinks[head].to(dtype).view(1)])
                if logits.numel() == 0:
                    continue
                lse[token, head] = torch.logsumexp(logits, 0)
                out[token, head] = torch.exp(score - lse[token, head]) @ values[seen, kv_head]
    return out, lse


def tokens_of(  # what a cache is read with
    cache: torch.Tensor,
    blocks: torch.Tensor,
    length: int,
    block_size: int,
    cache_layout: str,
    kv_cache_dtype: str,
    is_key: bool,
) -> torch.Tensor:
    """The keys or values [length, num_kv_heads, head_size] of one sequence as float32, before their scale."""
    num_kv_heads = cache.shape[2] if cache_layout == "NHD" else cache.shape[1]
    tokens = []
    for index in range(length):
        block, slot = int(blocks[index // block_size]), index % block_size
        if cache_layout == "NHD":
            token = cache[block, slot]
        elif cache_layout == "HND":
            token = cache[block, :, slot]
        else:
            token = (cache[block, :, :, slot, :] if is_key else cache[block, :, :, slot]).reshape(num_kv_heads, -1)
        if cache.dtype == torch.uint8:
            token = token.contiguous().view(_FLOAT8[kv_cache_dtype])
        tokens.append(token.float())
    if not tokens:
        head_size = cache.shape[3] if cache_layout != "legacy" else cache[0, 0].numel() // block_size
        return torch.zeros(0, num_kv_heads, head_size, device=cache.device)
    return torch.stack(tokens)
