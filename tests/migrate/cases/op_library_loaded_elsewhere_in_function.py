import torch


def load(path):
    torch.ops.load_library(path)


def run(o, q, kc, vc, bt, sl, one):
    torch.ops._C.paged_attention_v1(o, q, kc, vc, 8, 0.09, bt, sl, 16, 2048, None, "auto", one, one, 0, 0, 0, 64, 0)
# findings
# 9:5 PAM406
