from vllm._C import cache_ops, ops  # expect: PAM203


def attend(out, query, keys, values, heads, scale, tables, lens, longest, moves):
    cache_ops.copy_blocks(keys, values, moves)  # may: PAM203
    ops.paged_attention_v1(out, query, keys, values, heads, scale, tables, lens, 16, longest, None, "auto")  # expect: PAM102
