from vllm import _custom_ops as ops


def attend(batch):
    ops.paged_attention_v1(  # expect: PAM102
        *batch,
        tp_rank=0,
        blocksparse_local_blocks=0,
        blocksparse_vert_stride=0,
        blocksparse_block_size=64,
        blocksparse_head_sliding_step=0,
    )
