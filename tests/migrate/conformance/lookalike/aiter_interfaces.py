from csrc.cpp_itfs.pa.pa_v1 import paged_attention_v1


def attend(batch):
    paged_attention_v1(*batch)
