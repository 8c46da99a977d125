from vllm._custom_ops import paged_attention_v2 as split_attention  # expect: PAM101
from vllm._custom_ops import reshape_and_cache


def attend(out, sums, peaks, partial, rest, cached):
    reshape_and_cache(*cached)
    split_attention(out, sums, peaks, partial, *rest)  # expect: PAM102
