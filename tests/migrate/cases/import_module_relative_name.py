import importlib


def run(batch):
    importlib.import_module("._custom_ops", "vllm").paged_attention_v1(*batch)
# findings
# 5:5 PAM109
