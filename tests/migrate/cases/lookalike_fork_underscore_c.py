import vllm_C

attend = vllm_C.ops.paged_attention_v1
