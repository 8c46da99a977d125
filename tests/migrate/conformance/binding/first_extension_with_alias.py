import vllm.attention_ops as vllm_attention_ops  # expect: PAM203


def attend(out, query, keys, values, mapping, scale, tables, lens, longest):
    vllm_attention_ops.paged_attention_v1(out, query, keys, values, mapping, scale, tables, lens, 16, longest, None)  # expect: PAM403
