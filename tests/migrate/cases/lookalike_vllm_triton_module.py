import vllm.kernels.triton.paged_attention as triton_attention


def decode(batch):
    triton_attention.paged_attention_v1(*batch)
