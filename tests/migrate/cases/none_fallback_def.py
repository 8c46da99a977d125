try:
    from vllm._custom_ops import paged_attention_v1
except ImportError:
    def paged_attention_v1(*batch):
        raise RuntimeError("no vLLM")


def attend(batch):
    paged_attention_v1(*batch)
# findings
# 2:34 PAM101
# 3:1 PAM108
# 9:5 PAM109
