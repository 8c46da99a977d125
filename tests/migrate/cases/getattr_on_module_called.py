from vllm import _custom_ops as ops


def run(batch):
    getattr(ops, "paged_attention_v1")(*batch)
# findings
# 5:18 PAM104
