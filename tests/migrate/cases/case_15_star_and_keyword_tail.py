from vllm import _custom_ops as ops

def k(a):
    ops.paged_attention_v1(*a, tp_rank=0, blocksparse_local_blocks=0, blocksparse_vert_stride=0,
                           blocksparse_block_size=64, blocksparse_head_sliding_step=0)
# output
from paged_attention_shim import paged_attention

def k(a):
    paged_attention(*a, tp_rank=0, blocksparse_local_blocks=0, blocksparse_vert_stride=0,
                           blocksparse_block_size=64, blocksparse_head_sliding_step=0)
# findings
# 4:5 PAM102 safe
