"""Which code a call runs on."""

from __future__ import annotations

import os
from typing import Any

VARIABLE = "PAGED_ATTENTION_BACKEND"
BACKENDS = ("rocm", "triton", "torch")
# Every call asks, and the environment's own way to say that a variable is not there takes half a microsecond.
_VARIABLES: dict[Any, Any] = vars(os.environ)["_data"]
_ENCODED = os.environ.encodekey(VARIABLE)


def forced_backend() -> str | None:
    """The backend that the environment asks for; None lets each call decide by its tensors."""
    if not _VARIABLES.get(_ENCODED):
        return None
    wanted = os.environ[VARIABLE]
    if wanted not in BACKENDS:
        raise ValueError(f"{VARIABLE} is {wanted!r}; {', '.join(map(repr, BACKENDS))} are accepted")
    return wanted


def kernels_backend() -> str | None:
    """The same for functions that vLLM's ROCm operator has nothing to do with."""
    wanted = forced_backend()
    return None if wanted == "rocm" else wanted
