"""Device memory that calls share: parts of results, and counters that are zero between calls."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

import torch


class Workspace(NamedTuple):
    """Parts float32 [slots, rows, head_size], their greatest scores and sums [slots, rows], arrivals int32 [slots].

    `addresses` are what a compiled kernel takes for the four: numbers on a GPU, the tensors in Triton's interpreter.
    """

    parts: torch.Tensor
    greatest: torch.Tensor
    sums: torch.Tensor
    arrived: torch.Tensor
    addresses: tuple[Any, Any, Any, Any]
    slots: int
    rows: int
    elements: int


# Held from asking for a workspace to the last launch that uses it: two threads may share a stream, and so its memory.
launching = threading.Lock()
_kept: dict[tuple[torch.device, int], Workspace] = {}


def workspace_for(device: torch.device, slots: int, rows: int, head_size: int) -> Workspace:
    """Memory for one call, kept for the next one on the same device and stream; it only ever grows.

    Calls on one stream follow each other, so they may share it; a CUDA graph gets memory of its own,
    since its replays follow nothing that is known now.
    """
    if device.type == "cuda" and torch.cuda.is_current_stream_capturing():
        return _new(device, slots, rows, head_size)
    stream = torch.cuda.current_stream(device).cuda_stream if device.type == "cuda" else 0
    return workspace_of(device, stream, slots, rows, head_size)


def workspace_of(device: torch.device, stream: int, slots: int, rows: int, head_size: int) -> Workspace:
    """The same for a stream that captures nothing, by its number."""
    kept = _kept.get((device, stream))
    if kept is None or kept.slots < slots or kept.rows < slots * rows or kept.elements < slots * rows * head_size:
        kept = _kept[device, stream] = _new(device, slots, rows, head_size)
    return kept


def _new(device: torch.device, slots: int, rows: int, head_size: int) -> Workspace:
    tensors = (
        torch.empty(slots * rows * head_size, dtype=torch.float32, device=device),
        torch.empty(slots * rows, dtype=torch.float32, device=device),
        torch.empty(slots * rows, dtype=torch.float32, device=device),
        torch.zeros(slots, dtype=torch.int32, device=device),
    )
    parts, greatest, sums, arrived = (each.data_ptr() if device.type == "cuda" else each for each in tensors)
    return Workspace(*tensors, (parts, greatest, sums, arrived), slots, slots * rows, slots * rows * head_size)
