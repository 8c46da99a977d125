from vllm import _custom_ops as ops

def f(o, q):
    ops.paged_attention_v1(o, q)
    ops.paged_attention_v1(o, q, window=3)
# findings
# 4:5 PAM404
# 5:5 PAM404
