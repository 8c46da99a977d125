class Test:
    def test_paged_attention_v1(self):
        self.check_paged_attention_v1()

    def check_paged_attention_v1(self):
        call_paged_attention_v2(paged_attention_v1_core=1)


def call_paged_attention_v2(**options):
    return options
