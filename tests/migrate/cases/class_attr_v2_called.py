from vllm import _custom_ops as ops


class A:
    attend = staticmethod(ops.paged_attention_v2)

    def run(self, o, e, x, t, rest):
        self.attend(o, e, x, t, *rest)
        A.attend(o, e, x, t, *rest)
# findings
# 5:27 PAM103
