"""Which code runs a call: torch everywhere, Triton on a GPU and in its interpreter."""

from __future__ import annotations

import contextlib
import importlib.util
import os

import torch

BACKENDS = ("torch", "triton")


def backend_for(backend: str | None, device: torch.device, name: str) -> str:
    """The backend that was asked for, or else Triton for GPU tensors and torch for others.

    Raises RuntimeError where Triton is not installed, and ValueError where the device cannot run it; `name` is the
    argument whose device it is.
    """
    if backend is not None and backend not in BACKENDS:
        raise ValueError(f"backend is {backend!r}; None, {' and '.join(map(repr, BACKENDS))} are accepted")
    chosen = backend or ("torch" if device.type == "cpu" else "triton")
    if chosen == "torch":
        return chosen
    if importlib.util.find_spec("triton") is None:
        raise RuntimeError(
            f"{name} is on {device} and Triton is not installed: pip install triton (on Windows: triton-windows), "
            'or pass backend="torch"'
        )
    if device.type == "cpu" and os.environ.get("TRITON_INTERPRET") != "1":
        raise ValueError(
            f'{name} is on the CPU and backend is "triton"; set TRITON_INTERPRET=1, or pass backend="torch"'
        )
    return chosen


def on_device(device: torch.device) -> contextlib.AbstractContextManager[object]:
    """Triton launches on the current device, so the tensors' device is made the current one."""
    return torch.cuda.device(device) if device.type == "cuda" else contextlib.nullcontext()


def overlaps(device: torch.device) -> bool:
    """Whether a launch may begin while the one in front of it ends, and wait for it in the kernel."""
    return device.type == "cuda" and torch.version.hip is None and torch.cuda.get_device_capability(device) >= (9, 0)


def architecture_of(device: torch.device) -> str:
    """Whose constants the plan takes: "nvidia", "cdna", "cdna4" or "rdna"; the interpreter stands for the first."""
    if torch.version.hip is None or device.type != "cuda":
        return "nvidia"
    return amd_architecture(torch.cuda.get_device_properties(device).gcnArchName)


def amd_architecture(name: str) -> str:
    """The family of a GPU that LLVM calls `name`."""
    return "cdna4" if name.startswith("gfx95") else "cdna" if name.startswith("gfx9") else "rdna"
