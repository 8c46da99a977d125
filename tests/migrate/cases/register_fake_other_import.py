from torch.library import register_fake


@register_fake("_C::paged_attention_v2")
def _(*batch):
    return None
# findings
# 4:16 PAM107
