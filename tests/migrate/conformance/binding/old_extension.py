from vllm._C import ops  # expect: PAM203


def attend(out, query, keys, values, heads, scale, tables, lens, longest):
    ops.paged_attention_v1(out, query, keys, values, heads, scale, tables, lens, 16, longest, None, "auto")  # expect: PAM102
