import torch


def launch(launcher, batch):
    return launcher.run(torch.ops._C.paged_attention_v2, *batch)  # expect: PAM103
