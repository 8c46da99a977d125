import inspect

from vllm import _custom_ops as ops

HAS_SPARSE = "blocksparse_vert_stride" in inspect.signature(ops.paged_attention_v1).parameters
# findings
# 5:61 PAM111
