from vllm.attention.ops.paged_attn import PagedAttention


def pre(*batch):
    return PagedAttention.forward_prefix(*batch)
# findings
# 5:12 PAM201
