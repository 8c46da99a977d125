try:
    from vllm._custom_ops import paged_attention_v1 as attend
except ImportError:
    attend = lambda *batch: None


def f(batch):
    attend(*batch)
# findings
# 2:34 PAM101
# 3:1 PAM108
# 8:5 PAM109
