import vllm._C.ops


def norm(out, x, weight, epsilon):
    vllm._C.ops.rms_norm(out, x, weight, epsilon)
# findings
# 1:8 PAM203
