"""Finds out at start-up which attention path this machine can take."""

from __future__ import annotations

import logging

logger = logging.getLogger(__name__)


def attention_path() -> str:
    """The fast path where vLLM is installed with its kernels, else plain PyTorch."""
    try:
        from vllm._custom_ops import paged_attention_v1

        logger.debug("found %s", paged_attention_v1)
    except ImportError:
        logger.warning("vLLM's attention kernels are missing, decoding falls back to plain PyTorch")
        return "torch"
    return "paged"
