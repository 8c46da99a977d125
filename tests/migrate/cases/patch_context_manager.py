from unittest.mock import patch

from vllm import _custom_ops as ops


def test_decode(batch):
    with patch.object(ops, "paged_attention_v1", autospec=True) as attend:
        ops.paged_attention_v1(*batch)
    attend.assert_called_once()
# output
from unittest.mock import patch

from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops


def test_decode(batch):
    with patch.object(ops, "paged_attention_v1", autospec=True) as attend:
        paged_attention(*batch)
    attend.assert_called_once()
# findings
# 7:28 PAM106
# 8:9 PAM102 safe
