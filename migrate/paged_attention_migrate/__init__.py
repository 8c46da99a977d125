"""Rewrites repositories that call vLLM's removed paged attention functions."""

__version__ = "0.1.0"
