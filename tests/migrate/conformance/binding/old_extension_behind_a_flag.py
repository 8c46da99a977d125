try:
    from vllm._C import ops as compiled  # expect: PAM203

    HAVE_VLLM = True
except BaseException:  # may: PAM108
    HAVE_VLLM = False


def attend(out, query, keys, values, heads, scale, tables, lens, longest):
    if HAVE_VLLM:
        compiled.paged_attention_v1(out, query, keys, values, heads, scale, tables, lens, 16, longest, None, "auto")  # expect: PAM102
