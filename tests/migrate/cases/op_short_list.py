import torch


def run(o, q, kc, vc, bt, sl, one):
    torch.ops._C.paged_attention_v1(o, q, kc, vc, 8, 0.09, bt, sl, 16, 2048, None, "auto", one, one)
# findings
# 5:5 PAM404
