try:
    from aiter.ops import paged_attention_v1
except ImportError:
    paged_attention_v1 = None


def decode(batch):
    if paged_attention_v1 is None:
        raise RuntimeError("no aiter")
    paged_attention_v1(*batch)
