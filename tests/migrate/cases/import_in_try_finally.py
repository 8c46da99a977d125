def attend(batch):
    try:
        from vllm import _custom_ops as ops
        ops.paged_attention_v1(*batch)
    finally:
        batch.free()
# output
def attend(batch):
    try:
        from paged_attention_shim import paged_attention
        paged_attention(*batch)
    finally:
        batch.free()
# findings
# 4:9 PAM102 safe
