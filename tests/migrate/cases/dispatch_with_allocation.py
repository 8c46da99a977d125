import torch
from vllm import _custom_ops as ops

_PARTITION_SIZE = 512


def attend(q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    output = torch.empty_like(q)
    num_seqs, num_heads, head_size = q.shape
    max_num_partitions = (m + _PARTITION_SIZE - 1) // _PARTITION_SIZE
    # NOTE: the heuristic of the paper.
    use_v1 = m <= 8192 and (max_num_partitions == 1 or num_seqs * num_heads > 512)
    if use_v1:
        # Run PagedAttention V1.
        ops.paged_attention_v1(output, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    else:
        # Run PagedAttention V2.
        assert _PARTITION_SIZE % b == 0
        tmp_output = torch.empty(size=(num_seqs, num_heads, max_num_partitions, head_size), dtype=output.dtype, device=output.device)
        exp_sums = torch.empty(size=(num_seqs, num_heads, max_num_partitions), dtype=torch.float32, device=output.device)
        max_logits = torch.empty_like(exp_sums)
        ops.paged_attention_v2(output, exp_sums, max_logits, tmp_output, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    return output
# output
import torch
from paged_attention_shim import paged_attention

_PARTITION_SIZE = 512


def attend(q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    output = torch.empty_like(q)
    # NOTE: the heuristic of the paper.
    # Run PagedAttention V1.
    paged_attention(output, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    return output
# findings
# 15:9 PAM102 safe
# 22:9 PAM102 safe
