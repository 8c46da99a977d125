import inspect

from vllm._custom_ops import paged_attention_v1  # expect: PAM101

PARAMETERS = inspect.signature(paged_attention_v1).parameters  # expect: PAM111
