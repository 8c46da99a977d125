import importlib

ops = importlib.import_module("mylib.ops")
ops.paged_attention_v1(1)
attend = getattr(importlib.import_module("aiter"), "paged_attention_v1")
