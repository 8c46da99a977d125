class Runner:
    def __init__(self, batch):
        import vllm._custom_ops as ops
        ops.paged_attention_v1(*batch)
        self.batch = batch
# output
class Runner:
    def __init__(self, batch):
        from paged_attention_shim import paged_attention
        paged_attention(*batch)
        self.batch = batch
# findings
# 4:9 PAM102 safe
