import torch
import vllm._C  # noqa: F401


def normalise(out, value, weight):
    torch.ops._C.rms_norm(out, value, weight, 1e-6)
