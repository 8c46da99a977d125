from vllm_metal.metal import get_ops


def attend(batch):
    get_ops().paged_attention_v1(*batch)
