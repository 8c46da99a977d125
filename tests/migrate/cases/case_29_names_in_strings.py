# PARTITION must equal the constant in paged_attention_v2_launcher
OPS_TO_TIME = ["rms_norm", "paged_attention_v1"]
DOC = "calls vllm._custom_ops.paged_attention_v2 under the hood"
# findings
# 2:28 PAM104
