from vllm_metal.metal import get_ops


class Decoder:
    def run(self, batch):
        ops = get_ops()
        ops.paged_attention_v1(*batch)
