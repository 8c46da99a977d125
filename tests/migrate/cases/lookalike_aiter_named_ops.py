import aiter as ops


class Decoder:
    def run(self, out, workspace, batch):
        ops.paged_attn.paged_attention_v1(out, workspace, *batch)
