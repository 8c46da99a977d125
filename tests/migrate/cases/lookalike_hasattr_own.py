import mylib

ok = hasattr(mylib, "paged_attention_v1")
