"""Runs what vLLM's sources hold for paged attention without vLLM's compiled library."""
