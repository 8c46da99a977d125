class Op:
    try:
        from vllm._C import ops as _ops
    except ImportError:
        _ops = None

    def run(self, o, q, kc, vc, n, s, bt, cl, b, longest):
        self._ops.paged_attention_v1(o, q, kc, vc, n, s, bt, cl, b, longest, None, "auto")
# output
class Op:
    try:
        from vllm._C import ops as _ops
    except ImportError:
        _ops = None

    def run(self, o, q, kc, vc, n, s, bt, cl, b, longest):
        from paged_attention_shim import paged_attention
        paged_attention(o, q, kc, vc, n, s, bt, cl, b, longest, None, "auto")
# findings
# 3:29 PAM203
# 4:5 PAM108
# 8:9 PAM102 safe
