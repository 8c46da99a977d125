from vllm import _custom_ops as ops


def f(o, exp_sums, max_logits, tmp_out, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v1(o, exp_sums, max_logits, tmp_out, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 5:5 PAM404
