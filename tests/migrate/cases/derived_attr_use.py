from vllm import _custom_ops as ops

fn = ops.paged_attention_v1
print(fn.__name__, fn.__doc__)
# findings
# 3:6 PAM111
