from srv.kunlun import KunlunOps as ops


def attend(batch):
    ops.paged_attention_v1(*batch)
