class Kernels:
    from vllm._custom_ops import paged_attention_v1

    def run(self, batch):
        type(self).paged_attention_v1(*batch)
# output
class Kernels:
    from paged_attention_shim import paged_attention as paged_attention_v1

    def run(self, batch):
        type(self).paged_attention_v1(*batch)
# findings
# 2:34 PAM101 safe
