class Kernels:
    from vllm import _custom_ops as ops

    def run(self, batch):
        self.ops.paged_attention_v1(*batch)
        self.ops.reshape_and_cache(*batch)
# output
class Kernels:
    from vllm import _custom_ops as ops

    def run(self, batch):
        from paged_attention_shim import paged_attention
        paged_attention(*batch)
        self.ops.reshape_and_cache(*batch)
# findings
# 5:9 PAM102 safe
