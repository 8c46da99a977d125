from vllm import _custom_ops as ops


def f(o, q, buf, rest):
    ops.paged_attention_v2(o, buf.exp_sums.view(-1), buf.max_logits[: q.shape[0]], buf.tmp.narrow(0, 0, 4), q, *rest)
# findings
# 5:5 PAM410
