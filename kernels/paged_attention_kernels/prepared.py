"""Calls of one signature, which are checked and compiled once: the next one is launched at once.

A signature is all that the checks, the plan and the compiler look at: shapes, strides, types and devices of tensors,
and numbers. What lies in device memory is no part of it, so calls of one signature differ in addresses alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from paged_attention_kernels.driver import driver_launch
from paged_attention_kernels.workspace import launching, workspace_of

Signature = tuple[Any, ...]
# The addresses for which 16 bytes are loaded or stored at once.
_ALIGNMENT = 16
# Signatures that are kept; a program that makes more begins anew, at the cost of checking again.
_MOST = 1024
_known: dict[Signature, Prepared] = {}


class Launch(NamedTuple):
    """A compiled kernel: what runs it, given all of its arguments, and those that are no addresses."""

    run: Callable[..., Any]
    numbers: tuple[Any, ...]


class Prepared(NamedTuple):
    """What a call of one signature launches, and what its workspace must hold.

    `stored` is the type in which the kernel reads the caches' elements, if it is another one than theirs.
    """

    decode: Launch
    merge: Launch | None
    device: torch.device
    slots: int
    rows: int
    head_size: int
    stored: torch.dtype | None


def signature_of(  # noqa: PLR0913, PLR0917  # the arguments of a call
    out: Any,
    query: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    block_tables: torch.Tensor,
    seq_lens: torch.Tensor,
    max_seq_len: int,
    alibi_slopes: torch.Tensor | None,
    k_scale: float | torch.Tensor | None,
    v_scale: float | torch.Tensor | None,
    sinks: torch.Tensor | None,
    lse: torch.Tensor | None,
    query_start_loc: torch.Tensor | None,
    output_scale: float | torch.Tensor | None,
    numbers: tuple[Any, ...],
) -> Signature:
    """The signature of a call; raises AttributeError or TypeError where an argument is nothing of its kind.

    `numbers` are the arguments that are no tensors. `max_seq_len` counts to the next power of two, see `bucket`.
    """
    extra = (alibi_slopes, k_scale, v_scale, sinks, lse, query_start_loc, output_scale)
    return (
        query.shape, query.stride(), query.dtype, query.get_device(),
        out.shape, out.stride(), out.dtype, out.get_device(),
        key_cache.shape, key_cache.stride(), key_cache.dtype, key_cache.get_device(),
        value_cache.shape, value_cache.stride(), value_cache.dtype, value_cache.get_device(),
        block_tables.shape, block_tables.stride(), block_tables.dtype, block_tables.get_device(),
        seq_lens.shape, seq_lens.stride(), seq_lens.dtype, seq_lens.get_device(),
        bucket(max_seq_len),
        torch.is_grad_enabled() and (query.requires_grad or key_cache.requires_grad or value_cache.requires_grad),
        numbers,
        tuple([each if each is None else _described(each) for each in extra]),
    )  # fmt: skip


def _described(extra: Any) -> Any:
    """A tensor by what is known of it on the host, anything else by itself."""
    if isinstance(extra, torch.Tensor):
        return extra.shape, extra.stride(), extra.dtype, extra.get_device()
    return type(extra), extra


def bucket(max_seq_len: int) -> int:
    """The exponent of the next power of two: calls that differ less are cut alike; -1 below zero."""
    return (max_seq_len - 1).bit_length() if max_seq_len > 0 else min(max_seq_len, 0) and -1


def known(signature: Signature) -> Prepared | None:
    """What was prepared for a signature."""
    return _known.get(signature)


def keep(signature: Signature, prepared: Prepared) -> None:
    """Let the next calls of a signature be launched at once."""
    if len(_known) >= _MOST:
        _known.clear()
    _known[signature] = prepared


def launched(
    kernel: Any, grid: tuple[int, int, int], arguments: dict[str, Any], warps: int, *, overlapped: bool = False
) -> Launch:
    """Launch a kernel, compiling it where that was not done yet, and give what launches it again.

    `overlapped`: its programs may begin before the launch in front of it has ended.
    """
    options: dict[str, Any] = {"launch_pdl": True} if overlapped else {}
    compiled = kernel[grid](**arguments, num_warps=warps, **options)
    in_order = [arguments[name] for name in kernel.arg_names]
    numbers = tuple([each for each in in_order if not isinstance(each, torch.Tensor)])
    if compiled is not None:
        direct = driver_launch(compiled, grid, arguments, overlapped=overlapped)
        return Launch(compiled[grid], numbers) if direct is None else Launch(direct, ())

    def interpret(*given: Any, stream: int) -> None:  # noqa: ARG001  # there is one
        kernel[grid](*given, num_warps=warps)

    return Launch(interpret, numbers)


def are_aligned(*tensors: torch.Tensor) -> bool:
    """Whether tensors begin where the kernels that are kept expect it."""
    addresses = 0
    for tensor in tensors:
        addresses |= tensor.data_ptr()
    return addresses % _ALIGNMENT == 0


def launch_again(  # noqa: PLR0913, PLR0917  # the tensors of a call
    prepared: Prepared,
    out: torch.Tensor,
    query: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    block_tables: torch.Tensor,
    seq_lens: torch.Tensor,
    alibi_slopes: torch.Tensor | None,
    k_scale: float | torch.Tensor | None,
    v_scale: float | torch.Tensor | None,
    sinks: torch.Tensor | None,
    lse: torch.Tensor | None,
    query_start_loc: torch.Tensor | None,
    output_scale: float | torch.Tensor | None,
) -> bool:
    """Launch what was prepared; False where this call needs the longer way, for which nothing has been done then."""
    device = prepared.device
    on_gpu = device.type == "cuda"
    if on_gpu:
        addresses: tuple[Any, Any, Any, Any]
        addresses = (out.data_ptr(), query.data_ptr(), key_cache.data_ptr(), value_cache.data_ptr())
        if (addresses[0] | addresses[1] | addresses[2] | addresses[3]) % _ALIGNMENT:
            return False
        # As Triton's launcher and torch's compiled code ask.
        if torch._C._cuda_getDevice() != device.index or torch._C._cuda_isCurrentStreamCapturing():  # noqa: SLF001
            return False
        stream = torch._C._cuda_getCurrentRawStream(device.index)  # noqa: SLF001
    elif os.environ.get("TRITON_INTERPRET") != "1":
        return False
    else:
        addresses = _as_read(prepared, out, query, key_cache, value_cache)
        stream = 0
    at_out, at_query, at_keys, at_values = addresses
    # An argument that is absent is any address: a flag that is compiled in says that it is not read.
    extra = [
        at_query if each is None or not isinstance(each, torch.Tensor) else each.data_ptr() if on_gpu else each
        for each in (lse, query_start_loc, alibi_slopes, sinks, k_scale, v_scale, output_scale)
    ]
    at_lse, at_starts, at_slopes, at_sinks, at_key_scale, at_value_scale, at_output_scale = extra
    at_lengths = seq_lens.data_ptr() if on_gpu else seq_lens
    with launching:
        parts, greatest, sums, arrived = workspace_of(
            device, stream, prepared.slots, prepared.rows, prepared.head_size
        ).addresses
        prepared.decode.run(
            at_out, at_lse, at_query, at_keys, at_values,
            block_tables.data_ptr() if on_gpu else block_tables, at_lengths, at_starts, at_slopes, at_sinks,
            at_key_scale, at_value_scale, at_output_scale, parts, greatest, sums, arrived,
            *prepared.decode.numbers, stream=stream,
        )  # fmt: skip
        if prepared.merge is not None:
            prepared.merge.run(
                at_out, at_lse, at_lengths, at_starts, at_sinks, at_value_scale, at_output_scale, parts, greatest, sums,
                *prepared.merge.numbers, stream=stream,
            )  # fmt: skip
    return True


def _as_read(prepared: Prepared, out: Any, query: Any, key_cache: Any, value_cache: Any) -> tuple[Any, Any, Any, Any]:
    """What Triton's interpreter takes for addresses: the tensors."""
    if prepared.stored is not None:
        key_cache, value_cache = key_cache.view(prepared.stored), value_cache.view(prepared.stored)
    return out, query, key_cache, value_cache
