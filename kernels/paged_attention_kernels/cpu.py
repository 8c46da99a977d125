"""Paged attention in vectorised torch, for CPU tensors and for devices without Triton."""

from __future__ import annotations

import torch

from paged_attention_kernels.arguments import Request
from paged_attention_kernels.formats import largest_of
from paged_attention_kernels.pages import MOST_ELEMENTS, gathered, seen


def attend(request: Request) -> None:
    """Fill `out` (and `lse`), a few sequences at a time."""
    lengths = request.seq_lens.clamp(0, request.block_tables.shape[1] * request.geometry.block_size).tolist()
    starts = list(range(len(lengths) + 1))
    if request.query_start_loc is not None:
        starts = request.query_start_loc.clamp(0, request.query.shape[0]).tolist()
    per_token = request.geometry.num_kv_heads * request.query.shape[2]
    # Sequences of like length share a step, so that little of it is padding.
    waiting = sorted(
        (index for index in range(len(lengths)) if starts[index + 1] > starts[index]),
        key=lambda index: (starts[index + 1] - starts[index], lengths[index]),
    )
    while waiting:
        longest, query_len = lengths[waiting[-1]], starts[waiting[-1] + 1] - starts[waiting[-1]]
        most = max(MOST_ELEMENTS // max(longest * per_token, 1), 1)
        step = [index for index in waiting[-most:] if starts[index + 1] - starts[index] == query_len]
        waiting = waiting[: len(waiting) - len(step)]
        _step(request, step, [lengths[index] for index in step], [starts[index] for index in step], query_len)


def _step(request: Request, sequences: list[int], lengths: list[int], starts: list[int], query_len: int) -> None:
    """Sequences with the same number of query tokens."""
    device, geometry = request.query.device, request.geometry
    length = torch.tensor(lengths, device=device)
    rows = torch.tensor(starts, device=device)[:, None] + torch.arange(query_len, device=device)
    pages = -(-max(lengths) // geometry.block_size)
    num_heads = request.query.shape[1]
    group = num_heads // geometry.num_kv_heads
    # [sequence, query token, KV head, head of group, head_size]
    query = request.query[rows].float().view(*rows.shape, geometry.num_kv_heads, group, -1)
    position = length[:, None] - query_len + torch.arange(query_len, device=device)
    token = torch.arange(pages * geometry.block_size, device=device)
    blocks = request.block_tables[sequences, :pages].long().clamp(0, geometry.num_blocks - 1)
    # An entry past a sequence's end may be anything, and a slot past it may hold NaN.
    there = token < length[:, None]
    key = gathered(request, request.key_cache, blocks, is_key=True).masked_fill(~there[:, :, None, None], 0.0)
    value = gathered(request, request.value_cache, blocks, is_key=False).masked_fill(~there[:, :, None, None], 0.0)
    scale = torch.as_tensor(request.key_scale, dtype=torch.float32, device=device) * request.scale
    score = torch.einsum("bqhgd,bthd->bqhgt", query, key) * scale
    if request.softcap:
        score = request.softcap * torch.tanh(score / request.softcap)
    if request.alibi_slopes is not None:
        distance = (token - position[:, :, None])[:, :, None, None, :]
        score = score + request.alibi_slopes.view(1, 1, geometry.num_kv_heads, group, 1) * distance
    score = score.masked_fill(~seen(request, token, position, group), float("-inf"))
    log_sum_exp = torch.logsumexp(score, dim=-1) if pages else score.new_full(score.shape[:-1], float("-inf"))
    if request.sinks is not None:
        sinks = request.sinks.view(1, 1, geometry.num_kv_heads, group)
        log_sum_exp = torch.logaddexp(log_sum_exp, sinks.expand_as(log_sum_exp))
    weight = torch.exp(score - log_sum_exp.masked_fill(log_sum_exp == float("-inf"), 0.0)[..., None])
    result = torch.einsum("bqhgt,bthd->bqhgd", weight, value)
    result = result * torch.as_tensor(request.value_scale, dtype=torch.float32, device=device)
    if request.output_scale is not None:
        result = result / torch.as_tensor(request.output_scale, device=device)
        if largest := largest_of(request.out.dtype):
            result = result.clamp(-largest, largest)
    request.out[rows] = result.flatten(2, 3).to(request.out.dtype)
    if request.lse is not None:
        request.lse[rows] = log_sum_exp.flatten(2, 3)
