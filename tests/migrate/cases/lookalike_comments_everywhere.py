from vllm import _custom_ops as ops  # paged_attention_v1 lived here


# from vllm._custom_ops import paged_attention_v1
def decode(batch):  # paged_attention_v2(batch)
    # ops.paged_attention_v1(*batch)
    return ops.rms_norm(*batch)  # not torch.ops._C.paged_attention_v1
