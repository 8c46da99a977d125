from vllm import _custom_ops as ops


class Backend:
    def attend(self, o, q, rest):
        n = q.shape[0]
        ops.paged_attention_v2(o, self.sums[:n], self.peaks[:n], self.tmp[:n], q, *rest)

    def log_sum_exp(self):
        return self.peaks + self.sums.log()
# findings
# 7:9 PAM401
