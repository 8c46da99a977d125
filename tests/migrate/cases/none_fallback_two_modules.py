try:
    from vllm._custom_ops import paged_attention_v1
except ImportError:
    try:
        from vllm.attention_ops import paged_attention_v1
    except ImportError:
        paged_attention_v1 = None


def attend(batch):
    if paged_attention_v1:
        paged_attention_v1(*batch)
# findings
# 2:34 PAM101 unsafe
# 3:1 PAM108
# 5:40 PAM101 unsafe
# 6:5 PAM108
# 11:8 PAM103 unsafe
# 12:9 PAM405 unsafe
