from vllm import _custom_ops as ops


def attend(version, batch):
    getattr(ops, f"paged_attention_v{version}")(*batch)  # expect: PAM104
