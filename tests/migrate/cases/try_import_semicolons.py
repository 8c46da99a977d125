try: from vllm import _custom_ops as ops; OK = True
except ImportError: OK = False


def f(batch):
    ops.paged_attention_v1(*batch)
# output
try: from paged_attention_shim import paged_attention; OK = True
except ImportError: OK = False


def f(batch):
    paged_attention(*batch)
# findings
# 6:5 PAM102 safe
