"""Lets pytest collect and run a test module of vLLM's sources without its compiled library.

`--guarded-by-rocm` has the module collected as on AMD's platform, which is all that its guard asks for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import pytest
import torch

from unbuilt_vllm import operators

if TYPE_CHECKING:
    from collections.abc import Generator

# What the test modules import of vLLM, which must not take the platform for AMD's.
_IMPORTED_BEFORE = ("vllm._custom_ops", "vllm.model_executor.layers.attention", "tests.kernels.utils")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option."""
    parser.addoption("--guarded-by-rocm", action="store_true", help="collect as on AMD's platform")


def pytest_configure() -> None:
    """Stand in for what the module asks for when it is imported."""
    operators.register()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, Any]:
    """The platform is AMD's while the module is imported."""
    if not collector.config.getoption("--guarded-by-rocm") or not isinstance(collector, pytest.Module):
        return (yield)
    for name in _IMPORTED_BEFORE:
        importlib.import_module(name)
    from unbuilt_vllm.platform import Unbuilt

    Unbuilt.says_rocm = True
    try:
        return (yield)
    finally:
        Unbuilt.says_rocm = False


def pytest_runtest_teardown() -> None:
    """Give memory back: several processes test on one GPU."""
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
