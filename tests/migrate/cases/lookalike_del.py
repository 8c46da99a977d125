from vllm import _custom_ops as ops

del ops
from mylib import ops

ops.paged_attention_v1(1)
