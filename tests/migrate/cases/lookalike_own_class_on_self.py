class Ops:
    @classmethod
    def paged_attention_v1(cls, batch):
        return batch


class Decoder:
    def __init__(self):
        self.ops = Ops()

    def run(self, batch):
        return self.ops.paged_attention_v1(batch)
