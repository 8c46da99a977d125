import torch
from vllm._custom_ops import (  # noqa: E402
    paged_attention_v1,  # noqa: F401
    paged_attention_v2,  # noqa: F401  taken by the plugins
    reshape_and_cache, rms_norm,  # noqa: F401
    paged_attention_v1 as again, swap_blocks,  # noqa: F811
)
from typing import (
    Any,
    Optional  # noqa: UP007
)


def attend(out, sums, logits, tmp, batch, blocks):
    scratch: Optional[torch.Tensor] = None
    paged_attention_v1(*batch)
    again(*batch)
    paged_attention_v2(out, scratch, logits, tmp, *batch)
    return blocks


def first() -> Any:
    from vllm._custom_ops import (
        # The one for short sequences.
        paged_attention_v1,  # noqa: F401  # and for long ones
    )

    return paged_attention_v1


def second(batch):
    from vllm._custom_ops import (
        copy_blocks,  # not this one
        paged_attention_v1  # noqa: PLC0415
    )

    paged_attention_v1(*batch)
    copy_blocks(*batch)
# output
from paged_attention_shim import paged_attention as again, paged_attention
from vllm._custom_ops import (  # noqa: E402
    # taken by the plugins
    reshape_and_cache, rms_norm,  # noqa: F401
    swap_blocks,  # noqa: F811
)
from typing import (
    Any
)


def attend(out, sums, logits, tmp, batch, blocks):
    paged_attention(*batch)
    again(*batch)
    paged_attention(out, *batch)
    return blocks


def first() -> Any:
    # The one for short sequences.
    # and for long ones
    from paged_attention_shim import paged_attention

    return paged_attention


def second(batch):
    from paged_attention_shim import paged_attention
    from vllm._custom_ops import (
        copy_blocks  # not this one
    )

    paged_attention(*batch)
    copy_blocks(*batch)
# findings
# 3:5 PAM101 safe
# 4:5 PAM101 safe
# 6:5 PAM101 safe
# 16:5 PAM102 safe
# 17:5 PAM102 safe
# 18:5 PAM102 safe
# 25:9 PAM101 safe
# 28:12 PAM103 safe
# 34:9 PAM101 safe
# 37:5 PAM102 safe
