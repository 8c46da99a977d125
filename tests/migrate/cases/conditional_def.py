import vllm

if hasattr(vllm, "_custom_ops"):
    def run(b):
        vllm._custom_ops.paged_attention_v1(*b)
else:
    def run(b):
        raise RuntimeError
# output
import vllm
from paged_attention_shim import paged_attention

if hasattr(vllm, "_custom_ops"):
    def run(b):
        paged_attention(*b)
else:
    def run(b):
        raise RuntimeError
# findings
# 5:9 PAM102 safe
