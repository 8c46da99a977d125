"""Hands out cache blocks to sequences and keeps their block tables."""

from __future__ import annotations

import torch


class OutOfBlocks(RuntimeError):
    """No free block is left; the scheduler has to preempt a sequence."""


class BlockPool:
    """A stack of free blocks and, per sequence, the blocks it holds."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        self.block_size = block_size
        self._free = list(range(num_blocks - 1, -1, -1))
        self._held: dict[int, list[int]] = {}

    def grow(self, sequence: int, length: int) -> None:
        """Give `sequence` enough blocks for `length` tokens."""
        held = self._held.setdefault(sequence, [])
        missing = -(-length // self.block_size) - len(held)
        if missing > len(self._free):
            raise OutOfBlocks(f"sequence {sequence} needs {missing} more blocks, {len(self._free)} are free")
        for _ in range(missing):
            held.append(self._free.pop())

    def release(self, sequence: int) -> None:
        """Take every block of `sequence` back."""
        self._free.extend(reversed(self._held.pop(sequence, [])))

    def table(self, sequences: list[int], device: torch.device) -> torch.Tensor:
        """The block tables of a batch, padded with block 0."""
        rows = [self._held[sequence] for sequence in sequences]
        width = max(len(row) for row in rows)
        padded = [row + [0] * (width - len(row)) for row in rows]
        return torch.tensor(padded, dtype=torch.int32, device=device)
