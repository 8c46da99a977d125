from vllm import _custom_ops as vllm_ops


class Decoder:
    def __init__(self):
        self._attend = vllm_ops.paged_attention_v2  # expect: PAM103

    def __call__(self, batch):
        self._attend(*batch)  # may: PAM109
