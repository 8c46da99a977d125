from depot.kernels import ops


def attend(batch):
    ops.paged_attention_v1(*batch)
