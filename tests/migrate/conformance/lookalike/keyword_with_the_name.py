timings = dict(paged_attention_v1=1.0, paged_attention_v2=2.0)


def report(*, paged_attention_v1):
    return paged_attention_v1


report(paged_attention_v1=timings)
