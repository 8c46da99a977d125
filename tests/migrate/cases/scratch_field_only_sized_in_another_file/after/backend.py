from paged_attention_shim import paged_attention


class Backend:
    def attend(self, o, rest):
        paged_attention(o, *rest)
