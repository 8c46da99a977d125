from vllm.attention.ops import paged_attn as attention_ops  # may: PAM204


class Decoder:
    def __init__(self):
        self.impl = attention_ops.PagedAttention  # may: PAM201

    def attend(self, batch):
        return self.impl.forward_decode(*batch)  # expect: PAM201
