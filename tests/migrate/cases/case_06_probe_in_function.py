def kernel_is_usable(make):
    try:
        from vllm._custom_ops import paged_attention_v1
        paged_attention_v1(*make())
        return True
    except Exception as why:
        print("no fused kernel:", why)
        return False
# output
def kernel_is_usable(make):
    try:
        from paged_attention_shim import paged_attention
        paged_attention(*make())
        return True
    except Exception as why:
        print("no fused kernel:", why)
        return False
# findings
# 3:38 PAM101 safe
# 4:9 PAM102 safe
# 6:5 PAM108
