try:
    import attention_kernels
except ImportError as error:
    raise ImportError("build the kernels") from error


def decode(batch):
    attention_kernels.paged_attention_v2(*batch)
