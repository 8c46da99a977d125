from torch.utils.cpp_extension import load

extension = load("mine", ["csrc/mine.cu"])


def decode(batch):
    extension.paged_attention_v1(*batch)
