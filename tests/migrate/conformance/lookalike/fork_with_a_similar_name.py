from lmi_vllm import attention_ops
from vllm_metax_plugin import _custom_ops as ops


def attend(batch):
    attention_ops.single_query_cached_kv_attention(*batch)
    ops.paged_attention_v2(*batch)
