from vllm.attention.ops.paged_attn import PagedAttention  # may: PAM204


class Decoder(PagedAttention):  # expect: PAM201
    pass
