from srv.kernels import ops


def test_run(batch):
    ops.paged_attention_v1(*batch)
