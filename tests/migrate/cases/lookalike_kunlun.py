from vllm_kunlun.ops import KunlunOps as ops

ops.paged_attention_v1(1)
