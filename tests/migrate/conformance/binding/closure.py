def make(batch):
    from vllm import _custom_ops as ops

    def run():
        def once():
            ops.paged_attention_v1(*batch)  # expect: PAM102

        return once

    return run()
