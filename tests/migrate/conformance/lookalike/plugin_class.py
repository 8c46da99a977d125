from vllm_kunlun.ops import KunlunOps as ops


def attend(batch):
    ops.paged_attention_v1(*batch)
