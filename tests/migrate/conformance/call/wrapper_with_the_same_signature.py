import vllm._custom_ops as vllm_ops
from tracing import traced


@traced("attention")
def paged_attention_v1(out, query, keys, values, heads, scale, tables, lens, size, longest, slopes, kind, ks, vs):
    vllm_ops.paged_attention_v1(  # expect: PAM102
        out, query, keys, values, heads, scale, tables, lens, size, longest, slopes, kind, ks, vs
    )
