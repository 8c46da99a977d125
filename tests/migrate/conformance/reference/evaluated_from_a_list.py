import torch  # noqa: F401

OPERATORS = []
for name in [
    "torch.ops._C.rms_norm",
    "torch.ops._C.paged_attention_v1",  # expect: PAM104
]:
    try:
        OPERATORS.append(eval(name))
    except AttributeError:  # may: PAM108
        pass
