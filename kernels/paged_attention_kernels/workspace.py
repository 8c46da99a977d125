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
# Counters for calls that are captured: 1 MiB, enough for some hundreds between two calls that are not.
_STOCK = 1 << 18
_spare: dict[torch.device, torch.Tensor] = {}


def workspace_for(device: torch.device, slots: int, rows: int, head_size: int, *, counts: bool) -> Workspace:
    """Memory for one call, kept for the next one on the same device and stream; it only ever grows.

    Calls on one stream follow each other, so they may share it; a CUDA graph gets memory of its own,
    since its replays follow nothing that is known now. `counts`: arrivals are counted.
    """
    if device.type != "cuda":
        return workspace_of(device, 0, slots, rows, head_size)
    if torch.cuda.is_current_stream_capturing():
        return _new(device, slots, rows, head_size, _counters(device, slots if counts else 1))
    _stock(device)
    return workspace_of(device, torch.cuda.current_stream(device).cuda_stream, slots, rows, head_size)


def workspace_of(device: torch.device, stream: int, slots: int, rows: int, head_size: int) -> Workspace:
    """The same for a stream that captures nothing, by its number."""
    kept = _kept.get((device, stream))
    if kept is None or kept.slots < slots or kept.rows < slots * rows or kept.elements < slots * rows * head_size:
        arrived = torch.zeros(slots, dtype=torch.int32, device=device)
        kept = _kept[device, stream] = _new(device, slots, rows, head_size, arrived)
    return kept


def _stock(device: torch.device) -> None:
    """See to it that there are counters for calls that are captured, which must not wait for them to become zero."""
    spare = _spare.get(device)
    if spare is None or 2 * len(spare) < _STOCK:
        stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        with torch.cuda.stream(stream):
            _spare[device] = torch.zeros(_STOCK, dtype=torch.int32, device=device)
        stream.synchronize()


def _counters(device: torch.device, slots: int) -> torch.Tensor:
    """Zeros for a call that is captured.

    They are never handed out again, since a graph does not say when it is gone. Without any in stock, zeros are written
    in the graph, at the cost of a launch in every replay.
    """
    spare = _spare.get(device)
    if spare is None or len(spare) < slots:
        return torch.zeros(slots, dtype=torch.int32, device=device)
    _spare[device] = spare[slots:]
    return spare[:slots]


def _new(device: torch.device, slots: int, rows: int, head_size: int, arrived: torch.Tensor) -> Workspace:
    tensors = (
        torch.empty(slots * rows * head_size, dtype=torch.float32, device=device),
        torch.empty(slots * rows, dtype=torch.float32, device=device),
        torch.empty(slots * rows, dtype=torch.float32, device=device),
        arrived,
    )
    parts, greatest, sums, counters = (each.data_ptr() if device.type == "cuda" else each for each in tensors)
    return Workspace(*tensors, (parts, greatest, sums, counters), slots, slots * rows, slots * rows * head_size)
