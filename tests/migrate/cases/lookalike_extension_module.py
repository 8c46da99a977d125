from paged_attention_cuda import paged_attention_v1

paged_attention_v1(1)
