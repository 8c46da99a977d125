import wrappers


def attend(batch):
    wrappers.ops.paged_attention_v1(*batch)  # expect: PAM102
