from runner import platform


def attend(batch):
    platform.ops.paged_attention_v1(*batch)  # expect: PAM102
