"""Attention over a paged cache in the layout that vLLM's removed functions read."""
