import os

if os.environ.get("DEVICE_KIND") == "xpu":
    import intel_extension_for_pytorch as ipex
else:
    try:
        import vllm._custom_ops as vk
    except Exception as err:
        raise ImportError(f"attention kernels missing: {err}") from err

def attend(o, q, kc, vc, nkv, s, bt, sl, bs, m):
    if os.environ.get("DEVICE_KIND") == "xpu":
        ipex.llm.modules.PagedAttention.single_query_cached_kv_attention(o, q, kc, vc, nkv, s, bt, sl, bs, m, None)
        return o
    vk.paged_attention_v1(o, q, kc, vc, nkv, s, bt, sl, bs, m, None, "auto", 1.0, 1.0)
    return o
# output
import os

if os.environ.get("DEVICE_KIND") == "xpu":
    import intel_extension_for_pytorch as ipex
else:
    try:
        from paged_attention_shim import paged_attention
    except Exception as err:
        raise ImportError(f"attention kernels missing: {err}") from err

def attend(o, q, kc, vc, nkv, s, bt, sl, bs, m):
    if os.environ.get("DEVICE_KIND") == "xpu":
        ipex.llm.modules.PagedAttention.single_query_cached_kv_attention(o, q, kc, vc, nkv, s, bt, sl, bs, m, None)
        return o
    paged_attention(o, q, kc, vc, nkv, s, bt, sl, bs, m, None, "auto", 1.0, 1.0)
    return o
# findings
# 15:5 PAM102 safe
