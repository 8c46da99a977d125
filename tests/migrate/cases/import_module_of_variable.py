import importlib


def run(backend, batch):
    importlib.import_module(f"{backend}._custom_ops").paged_attention_v1(*batch)
# findings
# 5:5 PAM109
