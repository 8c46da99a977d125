from vllm._custom_ops import *
from mylib import *


def f(batch):
    paged_attention_v1(*batch)
# findings
# 6:5 PAM110
