"""The package imports nothing heavy before a name is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import paged_attention_kernels


def test_importing_costs_no_torch() -> None:
    code = "import sys, paged_attention_kernels; assert not {'torch', 'triton', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


def test_every_name_is_there() -> None:
    for name in paged_attention_kernels.__all__:
        assert callable(getattr(paged_attention_kernels, name))
    with pytest.raises(AttributeError, match="has no attribute 'paged_attention_v1'"):
        _ = paged_attention_kernels.paged_attention_v1
