"""Whole functions of the shapes that public code has, and what a careful engineer would leave of them."""

from __future__ import annotations

from collections.abc import Callable

from paged_attention_migrate.simplify import Simplified

Becomes = Callable[..., Simplified]
Stays = Callable[..., None]


def test_canonical_scratch(becomes: Becomes) -> None:
    becomes(
        """\
        import torch
        from paged_attention_shim import paged_attention

        PART = 512

        def decode(q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs):
            out = torch.empty_like(q)
            n, h, d = q.shape
            parts = (longest + PART - 1) // PART
            buf = torch.empty(size=(n, h, parts, d), dtype=out.dtype, device=out.device)
            sums = torch.empty(size=(n, h, parts), dtype=torch.float32, device=out.device)
            peaks = torch.empty_like(sums)
            paged_attention(out, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
            return out
        """,
        """\
        import torch
        from paged_attention_shim import paged_attention

        PART = 512

        def decode(q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs):
            out = torch.empty_like(q)
            paged_attention(out, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
            return out
        """,
    )


def test_heuristic_dispatch(becomes: Becomes) -> None:
    becomes(
        """\
        from paged_attention_shim import paged_attention

        def route(o, sums, peaks, buf, q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs, parts):
            small = longest <= 8192 and (parts == 1 or q.shape[0] * q.shape[1] > 512)
            if small:
                paged_attention(o, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
            else:
                assert 512 % bs == 0
                paged_attention(o, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
        """,
        """\
        from paged_attention_shim import paged_attention

        def route(o, sums, peaks, buf, q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs, parts):
            paged_attention(o, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
        """,
    )


def test_dispatch_on_a_version_that_may_be_neither_stays(stays: Stays) -> None:
    stays(
        """\
        def ref(version, o, q, kc, vc, n, s, bt, cl, bs, mx, sums, peaks, buf):
            if version == 1:
                paged_attention(o, q, kc, vc, n, s, bt, cl, bs, mx, None, "auto")
            elif version == 2:
                paged_attention(o, q, kc, vc, n, s, bt, cl, bs, mx, None, "auto")
            else:
                raise AssertionError(version)
        """
    )


def test_an_operator_on_self_stays(stays: Stays) -> None:
    stays(
        """\
        class Decoder:
            def __init__(self):
                from vllm import _custom_ops as ops
                self.k = ops

            def run(self, o, sums, peaks, buf, q, kc, vc, n, s, bt, sl, b, mx, ks, vs):
                paged_attention(o, q, kc, vc, n, s, bt, sl, b, mx, None, "auto", ks, vs)
                return o
        """
    )


def test_scratch_that_a_third_branch_shares_stays(stays: Stays) -> None:
    stays(
        """\
        import torch

        def bench(version, q, longest):
            out = torch.empty_like(q)
            parts = (longest + 255) // 256
            sums = torch.empty(q.shape[0], parts)
            peaks = torch.empty_like(sums)
            for _ in range(10):
                if version == "v1":
                    paged_attention(out, q)
                elif version == "v2":
                    paged_attention(out, q)
                elif version == "rocm":
                    ops.paged_attention_rocm(out, sums, peaks, q)
                else:
                    raise ValueError(f"Invalid version: {version}")
        """
    )


def test_scratch_that_is_combined_afterwards_stays(stays: Stays) -> None:
    stays(
        """\
        import torch

        def tensor_parallel(q):
            sums = torch.empty(q.shape[0], 1)
            peaks = torch.empty_like(sums)
            paged_attention(q)
            return combine(gather(sums[:, 0]), gather(peaks[:, 0]))
        """
    )


def test_scratch_on_self_and_in_a_cache_stays(stays: Stays) -> None:
    stays(
        """\
        import torch

        _cache = {}

        class Backend:
            def __init__(self, n):
                self.sums = torch.empty(n)

            def run(self, q):
                if "sums" not in _cache:
                    _cache["sums"] = torch.empty(4)
                sums = _cache["sums"]
                buf = self.sums
                paged_attention(q)
        """
    )


def test_a_decode_method_with_its_heuristic(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        _PART = 512

        def forward(query, kc, vc, tables, lens, longest, scale, alibi):
            output = torch.empty_like(query)

            block_size = vc.shape[3]
            num_seqs, num_heads, head_size = query.shape
            max_parts = ((longest + _PART - 1) //
                         _PART)
            # Pick V1 while there is one partition, V2 otherwise:
            # the second has a reduction to pay for.
            # TODO: measure again.
            use_v1 = longest <= 8192 and (
                max_parts == 1 or num_seqs * num_heads > 512)
            if use_v1:
                paged_attention(
                    output,
                    query,
                    kc,
                    vc,
                    1,
                    scale,
                    tables,
                    lens,
                    block_size,
                    longest,
                    alibi,
                )
            else:
                # The kernel wants whole blocks.
                assert _PART % block_size == 0
                buf = torch.empty(
                    size=(num_seqs, num_heads, max_parts, head_size),
                    dtype=output.dtype,
                    device=output.device,
                )
                sums = torch.empty(
                    size=(num_seqs, num_heads, max_parts),
                    dtype=torch.float32,
                    device=output.device,
                )
                peaks = torch.empty_like(sums)
                paged_attention(
                    output,
                    query,
                    kc,
                    vc,
                    1,
                    scale,
                    tables,
                    lens,
                    block_size,
                    longest,
                    alibi,
                )
            return output
        """,
        """\
        import torch

        _PART = 512

        def forward(query, kc, vc, tables, lens, longest, scale, alibi):
            output = torch.empty_like(query)

            block_size = vc.shape[3]
            paged_attention(
                output,
                query,
                kc,
                vc,
                1,
                scale,
                tables,
                lens,
                block_size,
                longest,
                alibi,
            )
            return output
        """,
    )


def test_a_version_that_only_allocates(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def main(version, num_seqs, num_heads, longest, head_size, dtype, device):
            query = torch.rand(num_seqs, num_heads, head_size)

            # Prepare for the kernel.
            output = torch.empty_like(query)
            if version == "v2":
                parts = (longest + 511) // 512
                buf = torch.empty(
                    size=(num_seqs, num_heads, parts, head_size),
                    dtype=output.dtype,
                )
                sums = torch.empty(size=(num_seqs, num_heads, parts))
                peaks = torch.empty_like(sums)

            def run(iterations):
                for _ in range(iterations):
                    if version == "v1":
                        paged_attention(output, query)
                    elif version == "v2":
                        paged_attention(output, query)
                    else:
                        raise ValueError(f"Invalid version: {version}")

            run(3)
        """,
        """\
        import torch

        def main(version, num_seqs, num_heads, longest, head_size, dtype, device):
            query = torch.rand(num_seqs, num_heads, head_size)

            # Prepare for the kernel.
            output = torch.empty_like(query)

            def run(iterations):
                for _ in range(iterations):
                    if version == "v1":
                        paged_attention(output, query)
                    elif version == "v2":
                        paged_attention(output, query)
                    else:
                        raise ValueError(f"Invalid version: {version}")

            run(3)
        """,
    )
