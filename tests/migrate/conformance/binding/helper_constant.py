from vllm.attention.ops.paged_attn import _PARTITION_SIZE  # expect: PAM201

PARTITIONS = 4096 // _PARTITION_SIZE  # may: PAM201
