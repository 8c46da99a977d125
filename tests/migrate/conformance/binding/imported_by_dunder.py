ops = __import__("vllm._custom_ops", fromlist=["_custom_ops"])


def attend(batch):
    ops.paged_attention_v1(*batch)  # expect: PAM102
