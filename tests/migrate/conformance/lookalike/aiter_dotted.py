import aiter


def attend(out, workspace, batch):
    aiter.paged_attn.paged_attention_v1(out, workspace, *batch)
