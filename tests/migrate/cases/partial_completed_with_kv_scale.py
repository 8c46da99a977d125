from functools import partial
from vllm import _custom_ops as ops

def f(o, q, kc, vc, n, s, bt, sl, b, m, kv):
    run = partial(ops.paged_attention_v1, o, q)
    run(kc, vc, n, s, bt, sl, b, m, None, "auto", kv)
# findings
# 5:19 PAM404
