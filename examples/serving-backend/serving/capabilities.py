"""What /v1/capabilities answers about this replica."""

from __future__ import annotations

import torch


def capabilities() -> dict[str, bool]:
    """Features that the router may count on."""
    return {
        "cuda": torch.cuda.is_available(),
        "paged_decode": hasattr(torch.ops._C, "paged_attention_v1"),
        "fp8_cache": hasattr(torch.ops._C_cache_ops, "convert_fp8"),
    }
