from vllm._C import ops


class A:
    def f(self, o, q, kc, vc, s, bt, cl, b, m):
        ops.paged_attention_v1(o, q, kc, vc, self.head_mapping, s, bt, cl, b, m, None)
# findings
# 1:21 PAM203 unsafe
# 6:9 PAM403 unsafe
