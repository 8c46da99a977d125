from vllm.attention.ops.paged_attn import PagedAttention  # may: PAM204


def attend(query, keys, values, tables, lens, longest, heads, scale, k_scale, v_scale):
    return PagedAttention.forward_decode(  # expect: PAM201
        query, keys, values, tables, lens, longest, "auto", heads, scale, None, k_scale, v_scale
    )
