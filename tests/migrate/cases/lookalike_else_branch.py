import sys

if sys.argv:
    from aiter import ops
else:
    from mylib import ops

ops.paged_attention_v1(1)
