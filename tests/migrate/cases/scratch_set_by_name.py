import torch
from vllm import _custom_ops as ops


class Backend:
    def attend(self, o, e, x, t, rest):
        setattr(self, "sums", e)
        self.register_buffer("peaks", x)
        ops.paged_attention_v2(o, e, x, t, *rest)

    def log_sum_exp(self):
        return self.peaks.max()
# findings
# 9:9 PAM401
