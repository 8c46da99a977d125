from vllm._C import ops


def run(o, q, kc, vc, n, s, bt, cl, b, longest, layer):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, cl, b, longest, None, "auto", layer.scale())
# findings
# 1:21 PAM203
# 5:5 PAM409
