from vllm import _custom_ops as ops


@ops.paged_attention_v1.register
def f(batch):
    return batch
# findings
# 4:2 PAM111
