import aiter  # noqa: F401
import torch


def attend(out, workspace, query, batch):
    torch.ops.aiter.paged_attention_v1(out, workspace, query, *batch)
