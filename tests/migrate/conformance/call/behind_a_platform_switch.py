import os

SYSTEM = os.environ["SYSTEM"]
if SYSTEM == "xpu":
    import intel_extension_for_pytorch as ipex
else:
    from vllm import _custom_ops as ops


def attend(out, batch):
    if SYSTEM == "xpu":
        ipex.llm.modules.PagedAttention.single_query_cached_kv_attention(out, *batch)
        return out
    ops.paged_attention_v1(out, *batch)  # expect: PAM102
    return out
