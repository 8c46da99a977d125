import vllm._custom_ops as ops
from engine.reference import decode

setattr(ops, "paged_attention_v1", decode)  # expect: PAM106
