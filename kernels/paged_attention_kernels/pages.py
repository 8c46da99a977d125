"""What pages hold as plain tensors, and which of it a query token sees."""

from __future__ import annotations

import torch

from paged_attention_kernels.arguments import Request

# Gathered keys of one step, in elements: what fits a few levels of cache on a laptop, and its memory on a server.
MOST_ELEMENTS = 1 << 24


def gathered(request: Request, cache: torch.Tensor, blocks: torch.Tensor, *, is_key: bool) -> torch.Tensor:
    """Keys or values of some pages as float32 [sequence, token, KV head, head_size], not yet scaled."""
    if request.float8 is not None:
        cache = cache.view(torch.uint8)  # indexing knows no float8
    taken = cache[blocks]
    if request.float8 is not None:
        taken = taken.view(request.float8)
    if request.layout == "legacy":
        # A key's elements lie in packs around its token, a value's before it.
        order = (0, 1, 4, 2, 3, 5) if is_key else (0, 1, 4, 2, 3)
        taken = taken.float().permute(order)
        taken = taken.flatten(4) if is_key else taken
    else:
        taken = taken.float() if request.layout == "NHD" else taken.float().transpose(2, 3)
    return taken.flatten(1, 2)


def seen(request: Request, token: torch.Tensor, position: torch.Tensor, group: int) -> torch.Tensor:
    """Which keys each query token sees: [sequence, query token, KV head or 1, head of group or 1, key]."""
    at = position[:, :, None]
    reached = token <= at
    if request.sliding_window:
        reached = reached & (token > at - request.sliding_window)
    reached = reached[:, :, None, None, :]
    sparsity = request.sparsity
    if sparsity.vert_stride <= 1:
        return reached
    kv_heads, block_size = request.geometry.num_kv_heads, request.geometry.block_size
    head = torch.arange(kv_heads * group, device=token.device).view(kv_heads, group)
    if sparsity.head_sliding_step >= 0:
        offset = (sparsity.tp_rank * kv_heads * group + head) * sparsity.head_sliding_step + 1
    else:
        offset = (sparsity.tp_rank * kv_heads + head // group) * -sparsity.head_sliding_step + 1
    key_block = (token // block_size * block_size) // sparsity.block_size
    query_block = torch.div(at, sparsity.block_size, rounding_mode="floor")[:, :, None, None, :]
    strided = (key_block + offset[None, None, :, :, None]) % sparsity.vert_stride == 0
    return reached & (strided | (key_block > query_block - sparsity.local_blocks))
