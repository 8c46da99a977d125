import pytest
import torch

pytestmark = pytest.mark.skipif(
    getattr(torch.ops._C, "paged_attention_v1", None) is None,  # expect: PAM105
    reason="the operator is not built",
)
