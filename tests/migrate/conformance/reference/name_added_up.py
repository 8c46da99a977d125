from vllm import _custom_ops as ops


def attend(version, batch):
    getattr(ops, "paged_attention_" + version)(*batch)  # expect: PAM104
