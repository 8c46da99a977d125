class Decoder:
    def __init__(self):
        from vllm import _custom_ops as ops
        self.k = ops

    def write(self, *a):
        self.k.reshape_and_cache(*a)

    def run(self, o, e, m, t, q, kc, vc, n, s, bt, sl, b, mx, ks, vs):
        self.k.paged_attention_v2(o, e, m, t, q, kc, vc, n, s, bt, sl, b, mx, None, "auto", ks, vs)
        return o
# output
class Decoder:
    def __init__(self):
        from vllm import _custom_ops as ops
        self.k = ops

    def write(self, *a):
        self.k.reshape_and_cache(*a)

    def run(self, o, e, m, t, q, kc, vc, n, s, bt, sl, b, mx, ks, vs):
        from paged_attention_shim import paged_attention
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, mx, None, "auto", ks, vs)
        return o
# findings
# 10:9 PAM102 safe
