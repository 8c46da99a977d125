class D:
    def __init__(self, ops):
        self.ops = ops

    def attend(self, b):
        self.ops.paged_attention_v1(*b)
# findings
# 6:9 PAM109
