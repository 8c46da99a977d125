from vllm import _custom_ops as ops
import other

for mod in [ops, other]:
    mod.paged_attention_v1(1)
# findings
# 5:5 PAM109
