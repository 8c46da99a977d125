import torch  # noqa: F401

NAMES = ["torch.ops._C.rms_norm", "torch.ops._C.paged_attention_v1"]


def resolve():
    found = []
    for name in NAMES:
        try:
            found.append(eval(name))
        except Exception:
            pass
    return found
# findings
# 3:35 PAM104
