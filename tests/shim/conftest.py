"""The table of removed names is tested on every Python; what computes only where torch is installed."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

_NEEDS_TORCH = (
    "test_forward.py",
    "test_old_signatures.py",
    "test_operators.py",
    "test_pytest_plugin.py",
    "test_surviving.py",
    "test_usage.py",
)
collect_ignore = [] if importlib.util.find_spec("torch") else list(_NEEDS_TORCH)

Tree = Callable[[dict[str, str]], None]


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is installed before a test or after it, and no vLLM of another test is there."""
    from paged_attention_shim import uninstall, usage

    monkeypatch.delenv("PAGED_ATTENTION_SHIM", raising=False)
    monkeypatch.delenv("PAGED_ATTENTION_REPORT", raising=False)
    usage.forget()
    yield
    uninstall()
    usage.forget()
    for name in [name for name in sys.modules if name.partition(".")[0] == "vllm"]:
        del sys.modules[name]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Writes modules that can be imported then: paths with their text."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(files: dict[str, str]) -> None:
        for path, text in files.items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        importlib.invalidate_caches()

    return write


@pytest.fixture
def custom_ops(tree: Tree) -> Callable[[], ModuleType]:
    """A vLLM of today, with what is left of its operators; imported when it is asked for."""
    tree({"vllm/__init__.py": "", "vllm/_custom_ops.py": "def reshape_and_cache(*arguments):\n    return 'alive'\n"})
    return lambda: importlib.import_module("vllm._custom_ops")
