import importlib

ops = importlib.import_module("vllm._custom_ops")


def attend(batch):
    ops.paged_attention_v1(*batch)  # expect: PAM102
