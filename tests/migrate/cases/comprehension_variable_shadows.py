from mylib import backends
from vllm import _custom_ops as ops

runs = [ops.paged_attention_v1 for ops in backends]
ops.rms_norm(1)
# findings
# 4:9 PAM109
