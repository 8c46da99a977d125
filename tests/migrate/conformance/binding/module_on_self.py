class Decoder:
    def __init__(self):
        from vllm import _custom_ops as ops

        self.ops = ops

    def write(self, cached):
        self.ops.reshape_and_cache(*cached)

    def attend(self, batch):
        self.ops.paged_attention_v1(*batch)  # expect: PAM102
