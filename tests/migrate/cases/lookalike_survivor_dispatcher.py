import torch
import vllm._C_stable_libtorch  # noqa: F401

HAVE = hasattr(torch.ops._rocm_C, "paged_attention")
torch.ops._C.silu_and_mul.default
