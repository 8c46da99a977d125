class Timings:
    def __init__(self):
        self.paged_attention_v1 = 0.0

    def add(self, seconds):
        self.paged_attention_v1 += seconds
        return self.paged_attention_v1
