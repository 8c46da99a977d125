from vllm._C import ops

def old_decode(o, q, kc, vc, nkv, s, tables, ctx, bs, longest, alibi, kvs):
    ops.paged_attention_v1(o, q, kc, vc, nkv, s, tables, ctx, bs, longest, alibi, "auto", kvs)
# output
from paged_attention_shim import paged_attention

def old_decode(o, q, kc, vc, nkv, s, tables, ctx, bs, longest, alibi, kvs):
    paged_attention(o, q, kc, vc, nkv, s, tables, ctx, bs, longest, alibi, "auto", kvs, kvs)
# findings
# 1:21 PAM203 safe
# 4:5 PAM102 safe
