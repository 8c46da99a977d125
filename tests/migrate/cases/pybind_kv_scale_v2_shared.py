from vllm._C import cache_ops
from vllm._C import ops


def run(o, e, m, t, q, kc, vc, n, s, bt, cl, b, longest, kvs, pairs):
    cache_ops.copy_blocks(kc, vc, pairs)
    ops.paged_attention_v2(o, e, m, t, q, kc, vc, n, s, bt, cl, b, longest, None, "auto", kvs)
# output
from vllm._C import cache_ops
from paged_attention_shim import paged_attention


def run(o, e, m, t, q, kc, vc, n, s, bt, cl, b, longest, kvs, pairs):
    cache_ops.copy_blocks(kc, vc, pairs)
    paged_attention(o, q, kc, vc, n, s, bt, cl, b, longest, None, "auto", kvs, kvs)
# findings
# 1:21 PAM203
# 2:21 PAM203 safe
# 7:5 PAM102 safe
