import srv
from srv import paged_attention_v1


def attend(q, c):
    return srv.paged_attention_v1(q, c) + paged_attention_v1(q, c)
