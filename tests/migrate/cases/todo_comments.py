from vllm import _custom_ops as ops
from vllm._ipex_ops import ipex_ops


HAVE = hasattr(ops, "paged_attention_v2")


class Backend:
    @staticmethod
    @register(ops.paged_attention_v2)
    def decode(out, sums, logits, tmp, *rest):
        if HAVE: ops.paged_attention_v2(out, sums, logits, tmp, *rest)
        return sums.max()

    def write(self, *cache):
        # The cache of this layer.
        return ipex_ops.reshape_and_cache(
            *cache,
            ipex_ops.swap_blocks,
        )


def attend(batch):
    ops.paged_attention_v1(*batch)
# output
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops
from vllm._ipex_ops import ipex_ops


HAVE = hasattr(ops, "paged_attention_v2")


class Backend:
    @staticmethod
    @register(ops.paged_attention_v2)
    def decode(out, sums, logits, tmp, *rest):
        if HAVE: ops.paged_attention_v2(out, sums, logits, tmp, *rest)
        return sums.max()

    def write(self, *cache):
        # The cache of this layer.
        return ipex_ops.reshape_and_cache(
            *cache,
            ipex_ops.swap_blocks,
        )


def attend(batch):
    paged_attention(*batch)
# output --add-todo
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops
# TODO(paged-attention-migrate): PAM202 `vllm._ipex_ops.ipex_ops` is gone: call intel_extension_for_pytorch ...
from vllm._ipex_ops import ipex_ops


# TODO(paged-attention-migrate): PAM105 `vllm._custom_ops` has no `paged_attention_v2`, so this is always False: ask ...
HAVE = hasattr(ops, "paged_attention_v2")


class Backend:
    # TODO(paged-attention-migrate): PAM111 `register` looks at the operator or its signature, and the replacement ...
    @staticmethod
    @register(ops.paged_attention_v2)
    def decode(out, sums, logits, tmp, *rest):
        # TODO(paged-attention-migrate): PAM401 `sums` is read at line 18, ... use `lse=`
        if HAVE: ops.paged_attention_v2(out, sums, logits, tmp, *rest)
        return sums.max()

    def write(self, *cache):
        # The cache of this layer.
        # TODO(paged-attention-migrate): PAM202 `vllm._ipex_ops.ipex_ops.reshape_and_cache` is gone: call ...
        # TODO(paged-attention-migrate): PAM202 `vllm._ipex_ops.ipex_ops.swap_blocks` is gone: ... dst[to] = src[source]
        return ipex_ops.reshape_and_cache(
            *cache,
            ipex_ops.swap_blocks,
        )


def attend(batch):
    paged_attention(*batch)
# findings
# 2:28 PAM202
# 5:21 PAM105
# 10:15 PAM111
# 12:18 PAM401
# 17:16 PAM202
# 19:13 PAM202
# 24:5 PAM102 safe
