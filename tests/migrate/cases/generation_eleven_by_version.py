from vllm._C import ops


def attend(o, e, x, t, q, kc, vc, n, s, bt, cl, b, m):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, cl, b, m, None)
    ops.paged_attention_v2(o, e, x, t, q, kc, vc, n, s, bt, cl, b, m, None)
# output --from-version 0.2.5
from paged_attention_shim import paged_attention


def attend(o, e, x, t, q, kc, vc, n, s, bt, cl, b, m):
    paged_attention(o, q, kc, vc, n, s, bt, cl, b, m, None)
    paged_attention(o, q, kc, vc, n, s, bt, cl, b, m, None)
# output --unsafe --from-version 0.2.3
from paged_attention_shim import paged_attention


def attend(o, e, x, t, q, kc, vc, n, s, bt, cl, b, m):
    paged_attention(o, q, kc, vc, kc.shape[1], s, bt, cl, b, m, None)
    paged_attention(o, q, kc, vc, kc.shape[1], s, bt, cl, b, m, None)
# findings
# 1:21 PAM203
# 5:5 PAM404
# 6:5 PAM404
# findings --from-version 0.2.5
# 1:21 PAM203 safe
# 5:5 PAM102 safe
# 6:5 PAM102 safe
# findings --unsafe --from-version 0.2.3
# 1:21 PAM203 unsafe
# 5:5 PAM403 unsafe
# 6:5 PAM403 unsafe
