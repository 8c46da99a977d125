import vllm
import vllm._C
import vllm._C as extension


class Norm:
    def __init__(self):
        self.extension = extension
        self.ops = extension.ops

    def forward(self, out, x, weight, epsilon):
        self.ops.rms_norm(out, x, weight, epsilon)
        self.extension.ops.gelu_new(out, x)


def copy(keys, values, mapping):
    vllm._C.cache_ops.copy_blocks(keys, values, mapping)
    return extension.ops.rms_norm if mapping else None
# findings
# 9:20 PAM203
# 13:9 PAM203
# 17:5 PAM203
# 18:12 PAM203
