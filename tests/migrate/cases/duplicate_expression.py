from vllm._C import ops

def f(o, q, kc, vc, n, s, bt, cl, b, m, scales):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, cl, b, m, None, "auto", scales.pop())
# findings
# 1:21 PAM203
# 4:5 PAM409
