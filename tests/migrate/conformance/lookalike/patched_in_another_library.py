from unittest import mock

import mykernels


@mock.patch("mykernels.ops.paged_attention_v1")
def test_attend(attend):
    with mock.patch.object(mykernels, "paged_attention_v2"):
        attend.assert_not_called()
