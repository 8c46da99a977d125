from vllm import _custom_ops as ops

def f(out, tmp_out, exp_sums, max_logits, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v2(out, tmp_out, exp_sums, max_logits, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
from paged_attention_shim import paged_attention

def f(out, tmp_out, exp_sums, max_logits, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    paged_attention(out, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 4:5 PAM102 safe
# 4:5 PAM402
