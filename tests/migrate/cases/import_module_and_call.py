import importlib


def run(batch):
    ops = importlib.import_module("vllm._custom_ops")
    ops.paged_attention_v1(*batch)
# output
import importlib


def run(batch):
    from paged_attention_shim import paged_attention
    ops = importlib.import_module("vllm._custom_ops")
    paged_attention(*batch)
# findings
# 6:5 PAM102 safe
