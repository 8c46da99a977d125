try:
    from vllm._C import ops as vk
    READY = True
except BaseException:
    READY = False

def ref(version, o, q, kc, vc, n, s, bt, cl, bs, mx, sums, peaks, buf):
    if version == 1:
        vk.paged_attention_v1(o, q, kc, vc, n, s, bt, cl, bs, mx, None, "auto")
    elif version == 2:
        vk.paged_attention_v2(o, sums, peaks, buf, q, kc, vc, n, s, bt, cl, bs, mx, None, "auto")
    else:
        raise AssertionError(version)
# output
try:
    from paged_attention_shim import paged_attention
    READY = True
except BaseException:
    READY = False

def ref(version, o, q, kc, vc, n, s, bt, cl, bs, mx, sums, peaks, buf):
    if version == 1:
        paged_attention(o, q, kc, vc, n, s, bt, cl, bs, mx, None, "auto")
    elif version == 2:
        paged_attention(o, q, kc, vc, n, s, bt, cl, bs, mx, None, "auto")
    else:
        raise AssertionError(version)
# findings
# 2:25 PAM203 safe
# 4:1 PAM108
# 9:9 PAM102 safe
# 11:9 PAM102 safe
