from vllm import _custom_ops as ops


class Decoder:
    def __init__(self):
        self.ops = ops

    def run(self, batch):
        self.ops.paged_attention_v1(*batch)


def patch(decoder, other):
    decoder.ops = other
# findings
# 9:9 PAM109
