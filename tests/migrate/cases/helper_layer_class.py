from vllm.model_executor.layers.attention import PagedAttention


class Attention(torch.nn.Module):
    def __init__(self, heads, size, scale):
        self.attn = PagedAttention(heads, size, scale)
# findings
# 1:50 PAM201
