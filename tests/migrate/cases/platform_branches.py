import sys

if sys.platform == "xpu":
    from vllm._ipex_ops import ipex_ops as ops
else:
    from vllm import _custom_ops as ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 4:32 PAM202
# 9:5 PAM109
