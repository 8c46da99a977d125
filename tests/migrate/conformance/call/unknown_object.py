def attend(ops, batch):
    ops.paged_attention_v1(*batch)  # expect: PAM109
