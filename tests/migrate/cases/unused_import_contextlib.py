import contextlib

with contextlib.suppress(ImportError):
    from vllm._custom_ops import paged_attention_v1  # noqa: F401
# output
import contextlib

with contextlib.suppress(ImportError):
    from paged_attention_shim import paged_attention as paged_attention_v1  # noqa: F401
# findings
# 3:6 PAM108
# 4:34 PAM101 safe
