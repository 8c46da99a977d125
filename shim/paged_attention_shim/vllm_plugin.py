"""What vLLM's plugin loader calls, in the engine and in every worker process."""

from __future__ import annotations


def load() -> None:
    """Install what PAGED_ATTENTION_SHIM asks for; without it the removed names say what became of them."""
    from paged_attention_shim import switch

    switch.on(default="error")
