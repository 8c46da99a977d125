import vllm._C  # noqa: F401
import torch

assert hasattr(torch.ops._C, "paged_attention_v2"), "vLLM is too new"  # expect: PAM105
