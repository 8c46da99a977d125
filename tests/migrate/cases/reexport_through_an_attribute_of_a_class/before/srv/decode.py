from srv.platform import Platform


def run(batch):
    Platform.ops.paged_attention_v1(*batch)
