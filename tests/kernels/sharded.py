"""What each of two processes does with its part of the keys, or of the heads; here, a new process can import it."""

from __future__ import annotations

import torch
import torch.distributed

from paged import distance, expected, paged
from paged_attention_kernels import merge_attention_states, paged_attention

LENGTHS = [90, 17, 1, 0, 33]


def shard_keys(rank: int, store: str) -> None:
    """Context parallel: each rank holds every second page, and the parts are gathered and merged."""
    torch.distributed.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    batch = paged(LENGTHS)
    pages = batch.block_tables[:, rank::2].contiguous()
    kept = [sum(min(16, length - page * 16) for page in range(rank, -(-length // 16), 2)) for length in LENGTHS]
    lse = torch.full(batch.query.shape[:2], float("nan"))
    out = paged_attention(
        **batch.arguments(block_tables=pages, seq_lens=torch.tensor(kept, dtype=torch.int32), lse=lse)
    )
    outputs, logarithms = ([torch.empty_like(each) for _ in range(2)] for each in (out, lse))
    torch.distributed.all_gather(outputs, out)
    torch.distributed.all_gather(logarithms, lse)
    merged, logarithm = merge_attention_states(outputs, logarithms)
    wanted, wanted_lse = expected(batch)
    assert distance(merged, wanted) <= 2e-6
    assert distance(logarithm, wanted_lse) <= 1e-6
    torch.distributed.destroy_process_group()


def shard_heads(rank: int, store: str) -> None:
    """Tensor parallel: each rank has half of the heads; block-sparse offsets count the heads before it."""
    torch.distributed.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    batch = paged(LENGTHS, num_heads=8, num_kv_heads=2)
    sparse = {
        "blocksparse_vert_stride": 3,
        "blocksparse_local_blocks": 1,
        "blocksparse_block_size": 16,
        "blocksparse_head_sliding_step": 1,
    }
    own = slice(rank, rank + 1)
    out = paged_attention(
        **batch.arguments(
            out=None,
            query=batch.query[:, 4 * rank : 4 * rank + 4],
            key_cache=batch.key_cache[:, own],
            value_cache=batch.value_cache[:, own],
            num_kv_heads=1,
            tp_rank=rank,
            **sparse,
        )
    )
    halves = [torch.empty_like(out) for _ in range(2)]
    torch.distributed.all_gather(halves, out)
    wanted, _ = expected(batch, sparse=(0, 1, 3, 16, 1))
    assert distance(torch.cat(halves, dim=1), wanted) <= 1e-6
    torch.distributed.destroy_process_group()
