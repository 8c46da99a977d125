from vllm import _custom_ops as ops


def pick(version):
    a = getattr(ops, "paged_attention_v%d" % version)
    b = getattr(ops, "paged_attention_{}".format(version))
    return a, b
# findings
# 5:22 PAM104
# 6:22 PAM104
