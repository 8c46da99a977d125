from vllm._C import ops

FN = ops.paged_attention_v1
# findings
# 1:21 PAM203 unsafe
# 3:6 PAM103 unsafe
