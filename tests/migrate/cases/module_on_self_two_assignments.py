from vllm import _custom_ops as vllm_ops


class Decoder:
    def __init__(self, ops=None):
        self.ops = vllm_ops
        if ops is not None:
            self.ops = ops

    def run(self, batch):
        self.ops.paged_attention_v1(*batch)
# findings
# 11:9 PAM109
