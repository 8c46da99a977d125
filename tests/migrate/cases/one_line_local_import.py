def f(batch): from vllm import _custom_ops as ops; ops.paged_attention_v1(*batch)
# output
def f(batch): from paged_attention_shim import paged_attention; paged_attention(*batch)
# findings
# 1:52 PAM102 safe
