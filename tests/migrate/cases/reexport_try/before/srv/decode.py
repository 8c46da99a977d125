from .kernels import paged_attention_v1


def run(batch):
    if paged_attention_v1 is None:
        raise RuntimeError("no kernels")
    paged_attention_v1(*batch)
