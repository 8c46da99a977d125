def run(batches):
    for batch in batches:
        from vllm import _custom_ops as ops
        ops.paged_attention_v1(*batch)
# output
def run(batches):
    for batch in batches:
        from paged_attention_shim import paged_attention
        paged_attention(*batch)
# findings
# 4:9 PAM102 safe
