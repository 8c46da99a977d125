class Kernels:
    @staticmethod
    def paged_attention_v1(*batch):
        return batch


def attend(batch):
    Kernels.paged_attention_v1(*batch)
    return Kernels().paged_attention_v1(*batch)
