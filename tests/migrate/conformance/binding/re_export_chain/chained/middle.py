from .low import paged_attention_v2 as attend_long
