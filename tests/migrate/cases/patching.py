import torch
import vllm._custom_ops as ops

ops.paged_attention_v1 = print

def f(*a):
    ops.paged_attention_v1(*a)

@torch.library.register_fake("_C::paged_attention_v1")
def fake(*a):
    return None
# findings
# 4:1 PAM106
# 7:5 PAM106
# 9:30 PAM107
