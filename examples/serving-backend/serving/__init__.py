"""A small serving backend on top of vLLM's paged KV cache."""
