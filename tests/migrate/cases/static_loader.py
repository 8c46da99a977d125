class A:
    @staticmethod
    def ops():
        from vllm import _custom_ops
        return _custom_ops

    def f(self, b):
        self.ops().paged_attention_v1(*b)
        A.ops().paged_attention_v1(*b)
# output
class A:
    @staticmethod
    def ops():
        from vllm import _custom_ops
        return _custom_ops

    def f(self, b):
        from paged_attention_shim import paged_attention
        paged_attention(*b)
        paged_attention(*b)
# findings
# 8:9 PAM102 safe
# 9:9 PAM102 safe
