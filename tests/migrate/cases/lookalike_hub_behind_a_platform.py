import torch
from server.kernels import load_kernel

if torch.cuda.is_available():
    paged_attention = load_kernel(module="paged_attention", repo_id="kernels-community/paged-attention")
else:
    paged_attention = None


def decode(batch):
    paged_attention.paged_attention_v1(*batch)
