import vllm._custom_ops

kernels = vllm._custom_ops
fast = kernels


def attend(batch):
    fast.paged_attention_v1(*batch)  # expect: PAM102
