import vllm._custom_ops as ops

for name in ("paged_attention_v1", "paged_attention_v2"):
    setattr(ops, name, None)
# findings
# 3:14 PAM104
# 3:36 PAM104
