from vllm import _custom_ops as ops


def attend(out, sums, peaks, partial, query, keys, longest, rest, parts):
    if longest <= 8192 and (parts == 1 or query.shape[0] * query.shape[1] > 512):
        ops.paged_attention_v1(out, query, keys, *rest)  # expect: PAM102
    else:
        ops.paged_attention_v2(out, sums, peaks, partial, query, keys, *rest)  # expect: PAM102
