from dataclasses import dataclass


@dataclass
class Timings:
    paged_attention_v1: float = 0.0
    paged_attention_v2: float = 0.0


def total(timings: Timings):
    return Timings(paged_attention_v1=1.0).paged_attention_v1
