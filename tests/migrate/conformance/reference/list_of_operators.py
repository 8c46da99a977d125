OPERATORS = ["rms_norm", "paged_attention_v1", "silu_and_mul"]  # expect: PAM104
