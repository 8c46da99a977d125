class Decoder:
    @property
    def ops(self):
        from vllm import _custom_ops

        return _custom_ops

    def attend(self, batch):
        self.ops.paged_attention_v1(*batch)  # expect: PAM102
