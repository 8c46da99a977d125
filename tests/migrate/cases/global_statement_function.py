paged_attention_v1 = None


def load():
    global paged_attention_v1
    from vllm._custom_ops import paged_attention_v1


def run(batch):
    load()
    paged_attention_v1(*batch)
# output
paged_attention_v1 = None


def load():
    global paged_attention_v1
    from paged_attention_shim import paged_attention as paged_attention_v1


def run(batch):
    load()
    paged_attention_v1(*batch)
# findings
# 6:34 PAM101 safe
# 11:5 PAM102 safe
