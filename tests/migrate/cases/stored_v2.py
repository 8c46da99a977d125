from vllm import _custom_ops as ops

class Step:
    def __init__(self):
        self._attn = ops.paged_attention_v2

    def run(self, o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
        self._attn(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 5:22 PAM103
