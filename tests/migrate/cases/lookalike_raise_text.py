def decode(batch):
    if not batch:
        raise NotImplementedError("paged_attention_v1 needs a batch; call paged_attention_v2 for long contexts")
    assert batch, "paged_attention_v1 expects a tuple"
