import importlib

module = importlib.import_module("vllm._custom_ops")
kernel = getattr(module, "paged_attention_v1", None)  # expect: PAM105
