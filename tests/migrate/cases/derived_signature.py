import inspect
from vllm import _custom_ops as ops

fn = ops.paged_attention_v1
print(inspect.signature(fn))
# findings
# 4:6 PAM111
