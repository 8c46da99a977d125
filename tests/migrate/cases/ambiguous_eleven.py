from vllm._C import ops

def f(o, q, kc, vc, h, s, bt, cl, b, m):
    ops.paged_attention_v1(o, q, kc, vc, h, s, bt, cl, b, m, None)
# findings
# 1:21 PAM203
# 4:5 PAM404
