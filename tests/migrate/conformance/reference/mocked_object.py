from unittest import mock

from vllm import _custom_ops as ops


def test_decode():
    with mock.patch.object(ops, "paged_attention_v2") as attend:  # expect: PAM106
        attend.assert_not_called()
