"""A platform of vLLM's that seeds random numbers: the one for a GPU would import the compiled library."""

from __future__ import annotations

import torch
from vllm.platforms.interface import UnspecifiedPlatform


def name() -> str:
    """What vLLM's plugin loader asks a platform plugin for."""
    return f"{__name__}.Unbuilt"


class Unbuilt(UnspecifiedPlatform):  # type: ignore[misc]  # vLLM is not there where types are checked
    """The platform; it says that it is AMD's while `says_rocm` is true."""

    says_rocm = False

    @classmethod
    def manual_seed_all(cls, seed: int) -> None:
        """Seed the random numbers of every device."""
        torch.manual_seed(seed)

    def is_rocm(self) -> bool:
        """What a test that is written for AMD's GPUs alone asks before it is collected."""
        return self.says_rocm

    def is_navi(self) -> bool:
        """Whether it is one of those for which such a test leaves cases out."""
        return False
