def attend(batch):
    import attention_kernels

    attention_kernels.paged_attention_v1(*batch)
