import torch  # noqa: F401


def lookup():
    return eval("torch.ops._C.paged_attention_v1")  # expect: PAM104
