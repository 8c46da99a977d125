def outer():
    ops = None

    def load():
        nonlocal ops
        from vllm import _custom_ops as ops

    def run(batch):
        load()
        ops.paged_attention_v1(*batch)

    return run
# findings
# 10:9 PAM109
