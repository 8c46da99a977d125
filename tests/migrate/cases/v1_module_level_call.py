import torch
import vllm._custom_ops as ops

batch = torch.load("batch.pt")
ops.paged_attention_v1(*batch)
torch.save(batch[0], "out.pt")
# output
import torch
from paged_attention_shim import paged_attention

batch = torch.load("batch.pt")
paged_attention(*batch)
torch.save(batch[0], "out.pt")
# findings
# 5:1 PAM102 safe
