from unittest import mock


def test_it():
    with mock.patch("srv.kernels.ops.paged_attention_v1") as attend:
        attend()
