from vllm import _custom_ops as ops


def decode(batch):
    class ops:
        @staticmethod
        def paged_attention_v1(*items):
            return items

    ops.paged_attention_v1(*batch)


ops.rms_norm(1)
