from functools import partial

from aiter.paged_attn import paged_attention_v1

attend = partial(paged_attention_v1, 1)
attend(2)
