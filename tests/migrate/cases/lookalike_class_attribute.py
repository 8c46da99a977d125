import mylib

class A:
    ops = mylib.ops

    def run(self):
        self.ops.paged_attention_v1(1)
