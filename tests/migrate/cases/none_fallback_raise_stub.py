try:
    from vllm._custom_ops import paged_attention_v1
    HAS_VLLM = True
except ImportError:
    HAS_VLLM = False

    def paged_attention_v1(*args, **kwargs):
        raise ImportError("vllm is required")


def f(batch):
    paged_attention_v1(*batch)
# findings
# 2:34 PAM101
# 4:1 PAM108
# 12:5 PAM109
