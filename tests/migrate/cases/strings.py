import importlib
from unittest import mock

import torch
from vllm import _custom_ops as ops

mod = importlib.import_module("vllm._custom_ops")
a = getattr(mod, "paged_attention_v1", None)
b = getattr(ops, "paged_attention_v2")
for v in (1, 2):
    getattr(ops, f"paged_attention_v{v}")
c = hasattr(torch.ops.aiter, "paged_attention_v1")
d = {"paged_attention_v1": 1}
e = eval("torch.ops._C.paged_attention_v1")
with mock.patch("vllm._custom_ops.paged_attention_v1"), mock.patch.object(ops, "paged_attention_v2"):
    print("paged_attention_v1 is slow")
# findings
# 8:18 PAM105
# 9:18 PAM104
# 11:18 PAM104
# 13:6 PAM104
# 14:10 PAM104
# 15:17 PAM106
# 15:80 PAM106
