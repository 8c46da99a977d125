import os

if os.environ.get("FAST"):
    from vllm import _custom_ops as ops
else:
    from slow import ops


def attend(batch):
    ops.paged_attention_v1(*batch)
# findings
# 10:5 PAM109
