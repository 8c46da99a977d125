"""Memory that calls share."""

from __future__ import annotations

import torch

from paged_attention_kernels import workspace

CPU = torch.device("cpu")


def test_it_is_kept_and_only_grows() -> None:
    first = workspace.workspace_for(CPU, 4, 16, 64, counts=True)
    assert workspace.workspace_for(CPU, 4, 16, 64, counts=True) is first
    assert workspace.workspace_for(CPU, 2, 16, 32, counts=True) is first
    larger = workspace.workspace_for(CPU, 64, 16, 256, counts=True)
    assert larger.parts.numel() >= 64 * 16 * 256
    assert workspace.workspace_for(CPU, 4, 16, 64, counts=True) is larger


def test_more_slots_or_rows_than_before_are_more_memory() -> None:
    workspace.workspace_for(CPU, 4, 16, 64, counts=True)
    many = workspace.workspace_for(CPU, 5000, 1, 8, counts=True)
    assert many.arrived.numel() >= 5000
    assert not many.arrived.any()
    assert many.sums.numel() >= 5000
