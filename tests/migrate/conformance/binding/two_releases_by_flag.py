import vllm

if vllm.__version__ >= "0.4.1":
    from vllm import _custom_ops as ops

    API = "custom_ops"
else:
    from vllm._C import ops  # expect: PAM203

    API = "_C"


def attend(out, query, keys, values, heads, scale, tables, lens, longest, k_scale, v_scale):
    if API == "custom_ops":
        ops.paged_attention_v1(  # expect: PAM102
            out, query, keys, values, heads, scale, tables, lens, 16, longest, None, "auto", k_scale, v_scale
        )
    else:
        ops.paged_attention_v1(out, query, keys, values, heads, scale, tables, lens, 16, longest, None, "auto")  # expect: PAM102
