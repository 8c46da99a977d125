from unittest import mock


@mock.patch("vllm._custom_ops.paged_attention_v1")  # expect: PAM106
def test_decode(attend):
    attend.assert_not_called()
