from paged_attention_shim import paged_attention

paged_attention(*range(14))
