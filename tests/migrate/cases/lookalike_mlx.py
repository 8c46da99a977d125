from parallax_extensions.ops import paged_attention_v1

x = paged_attention_v1(1)
