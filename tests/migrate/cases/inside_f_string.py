from vllm import _custom_ops as ops


def f(batch):
    print(f"{ops.paged_attention_v1(*batch)!r}")
# findings
# 5:14 PAM111
