"""The call that survives vLLM's removed paged attention functions, and the table of what was removed."""
