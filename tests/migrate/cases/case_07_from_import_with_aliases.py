from vllm._custom_ops import (
    paged_attention_v1 as pa_one,
    paged_attention_v2 as pa_two,
    reshape_and_cache,  # still alive
)

def go(args1, args2, ra):
    reshape_and_cache(*ra)
    pa_one(*args1)
    pa_two(*args2)
# output
from paged_attention_shim import paged_attention as pa_one
from vllm._custom_ops import (
    paged_attention_v2 as pa_two,
    reshape_and_cache,  # still alive
)

def go(args1, args2, ra):
    reshape_and_cache(*ra)
    pa_one(*args1)
    pa_two(*args2)
# output --unsafe
from paged_attention_shim import paged_attention as pa_one, paged_attention as pa_two
from vllm._custom_ops import (
    reshape_and_cache,  # still alive
)

def go(args1, args2, ra):
    reshape_and_cache(*ra)
    pa_one(*args1)
    pa_two(args2[0], *args2[4:])
# findings
# 2:5 PAM101 safe
# 3:5 PAM101 unsafe
# 9:5 PAM102 safe
# 10:5 PAM405 unsafe
