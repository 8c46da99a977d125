class Ops:
    @staticmethod
    def paged_attention_v1(*a):
        return a

    def run(self, *a):
        self.paged_attention_v1(*a)
        self.single_query_cached_kv_attention(*a)

Ops.paged_attention_v1(1)
Ops().paged_attention_v1(1)
