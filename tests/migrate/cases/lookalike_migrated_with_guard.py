try:
    from paged_attention_shim import paged_attention
except ImportError:
    paged_attention = None


def decode(batch):
    if paged_attention is None:
        raise RuntimeError("pip install paged-attention-migrate[kernels]")
    paged_attention(*batch)
