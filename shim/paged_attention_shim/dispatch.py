"""Which code a call runs on."""

from __future__ import annotations

import os

VARIABLE = "PAGED_ATTENTION_BACKEND"
BACKENDS = ("rocm", "triton", "torch")


def forced_backend() -> str | None:
    """The backend that the environment asks for; None lets each call decide by its tensors."""
    wanted = os.environ.get(VARIABLE) or None
    if wanted is not None and wanted not in BACKENDS:
        raise ValueError(f"{VARIABLE} is {wanted!r}; {', '.join(map(repr, BACKENDS))} are accepted")
    return wanted


def kernels_backend() -> str | None:
    """The same for functions that vLLM's ROCm operator has nothing to do with."""
    wanted = forced_backend()
    return None if wanted == "rocm" else wanted
