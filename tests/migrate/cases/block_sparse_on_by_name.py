from vllm import _custom_ops as ops


def run(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs, tp_rank=0,
                           blocksparse_local_blocks=16, blocksparse_vert_stride=8, blocksparse_head_sliding_step=-1)
# output
from paged_attention_shim import paged_attention


def run(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs, tp_rank=0,
                           blocksparse_local_blocks=16, blocksparse_vert_stride=8, blocksparse_head_sliding_step=-1)
# findings
# 5:5 PAM102 safe
