"""Where old code looks, with the shim installed: what it finds, what it hears, and that all of it can be taken back."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import os
import sys
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import paged_attention_shim
from paged_attention_shim import RemovedAPIError, install, uninstall
from paged_attention_shim.gone import RemovedImportError

MESSAGE = (
    r"^paged_attention_v1 is gone since vLLM 0\.25\.0 \(https://github\.com/vllm-project/vllm/pull/47361\)\. "
    r"Call paged_attention_shim\.paged_attention with the same arguments\. "
    r"`paged-attention-migrate rewrite PATH` makes the edit\.$"
)
Module = Callable[[], ModuleType]
Tree = Callable[[dict[str, str]], None]


def contents(module: ModuleType) -> dict[str, object]:
    return {name: value for name, value in vars(module).items() if name != "__builtins__"}


# What a caller hears in error mode.


@pytest.mark.parametrize("first", [True, False], ids=["imported first", "installed first"])
def test_a_use_says_what_became_of_it(custom_ops: Module, first: bool) -> None:
    if first:
        custom_ops()
    install()
    with pytest.raises(AttributeError, match=MESSAGE) as caught:
        custom_ops().paged_attention_v1(1, 2)
    assert isinstance(caught.value, RemovedAPIError)
    assert custom_ops().reshape_and_cache() == "alive"


def test_an_import_says_what_became_of_it(custom_ops: Module) -> None:
    install()
    custom_ops()
    with pytest.raises(ImportError, match=MESSAGE) as caught:
        from vllm._custom_ops import paged_attention_v1  # noqa: F401
    assert isinstance(caught.value, RemovedImportError)
    assert caught.value.name == "paged_attention_v1"


def test_an_import_after_many_others_does_too(tree: Tree, custom_ops: Module) -> None:
    """Beyond 255 names Python's bytecode reaches a name in two instructions."""
    install()
    custom_ops()
    names = "\n".join(f"name_{number} = {number}.5" for number in range(400))
    tree({"many.py": f"{names}\nfrom vllm._custom_ops import paged_attention_v1\n"})
    with pytest.raises(ImportError, match=MESSAGE):
        importlib.import_module("many")


def test_who_only_asks_hears_that_it_is_not_there(custom_ops: Module) -> None:
    install()
    ops: Any = custom_ops()
    assert not hasattr(ops, "paged_attention_v1")
    assert getattr(ops, "paged_attention_v2", None) is None
    assert "paged_attention_v1" not in dir(ops)
    try:
        from vllm._custom_ops import paged_attention_v2  # noqa: F401
    except ImportError:
        found = False
    else:
        found = True
    assert not found
    try:
        ops.paged_attention_v1  # noqa: B018
    except AttributeError:
        found = False
    assert not found


def test_a_module_that_is_gone_is_still_not_found(custom_ops: Module) -> None:
    install()
    custom_ops()
    assert importlib.util.find_spec("vllm.attention_ops") is None
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("vllm.attention_ops")
    with pytest.raises(ImportError, match=r"^attention_ops is gone since vLLM 0\.2\.3"):
        from vllm import attention_ops  # noqa: F401


def test_other_names_are_missing_as_ever(custom_ops: Module) -> None:
    install()
    with pytest.raises(AttributeError, match=r"^module 'vllm\._custom_ops' has no attribute 'paged_attention_v3'$"):
        custom_ops().paged_attention_v3  # noqa: B018
    with pytest.raises(ImportError, match=r"^cannot import name 'paged_attention_v3' from 'vllm\._custom_ops'"):
        from vllm._custom_ops import paged_attention_v3  # noqa: F401


def test_a_module_that_makes_its_own_names_keeps_making_them(tree: Tree) -> None:
    own = "def __getattr__(name):\n    if name == 'made':\n        return 7\n    raise AttributeError('own ' + name)\n"
    tree({"vllm/__init__.py": own, "vllm/_custom_ops.py": own})
    install()
    ops = importlib.import_module("vllm._custom_ops")
    assert (ops.made, importlib.import_module("vllm").made) == (7, 7)
    with pytest.raises(AttributeError, match=r"^own other$"):
        ops.other  # noqa: B018
    with pytest.raises(AttributeError, match=MESSAGE):
        ops.paged_attention_v1  # noqa: B018
    uninstall()
    with pytest.raises(AttributeError, match=r"^own paged_attention_v1$"):
        ops.paged_attention_v1  # noqa: B018


def test_methods_that_a_class_lost(tree: Tree) -> None:
    """vLLM 0.12 and 0.13 have the class, without its attention."""
    text = "class PagedAttention:\n    @staticmethod\n    def split_kv_cache():\n        return 'alive'\n"
    tree(
        {
            "vllm/__init__.py": "",
            "vllm/attention/__init__.py": "",
            "vllm/attention/ops/__init__.py": "",
            "vllm/attention/ops/paged_attn.py": text,
        }
    )
    install()
    module = importlib.import_module("vllm.attention.ops.paged_attn")
    held = module.PagedAttention
    assert held.split_kv_cache() == "alive"
    assert not hasattr(held, "forward_decode")
    with pytest.raises(AttributeError, match=r"^copy_blocks is gone since vLLM 0\.12\.0 .* Copy the blocks"):
        held.copy_blocks()
    with pytest.raises(AttributeError, match=r"^_PARTITION_SIZE is gone since vLLM 0\.12\.0 .* Write 512"):
        module._PARTITION_SIZE  # noqa: B018
    uninstall()
    assert [name for name in vars(held) if not name.startswith("__")] == ["split_kv_cache"]


# What is never replaced, and how all is taken back.


@pytest.mark.parametrize("mode", ["error", "forward"])
def test_what_exists_is_never_replaced(tree: Tree, mode: Any) -> None:
    tree({"vllm/__init__.py": "", "vllm/_custom_ops.py": "def paged_attention_v1():\n    return 'its own'\n"})
    install(mode)
    ops = importlib.import_module("vllm._custom_ops")
    assert ops.paged_attention_v1() == "its own"
    uninstall()
    assert ops.paged_attention_v1() == "its own"


@pytest.mark.parametrize("mode", ["error", "forward"])
def test_uninstalling_leaves_everything_as_it_was(custom_ops: Module, mode: Any) -> None:
    ops, finders, loader = custom_ops(), list(sys.meta_path), custom_ops().__loader__
    package = sys.modules["vllm"]
    before = contents(ops), contents(package), dict(os.environ)
    install(mode)
    assert contents(ops) != before[0]
    uninstall()
    assert (contents(ops), contents(package), dict(os.environ)) == before
    assert sys.meta_path == finders
    assert ops.__loader__ is loader


def test_a_module_imported_meanwhile_is_as_if_nothing_had_been_there(custom_ops: Module) -> None:
    install("forward")
    ops = custom_ops()
    assert isinstance(ops.__loader__, importlib.machinery.SourceFileLoader)
    assert ops.__spec__ is not None
    assert ops.__spec__.loader is ops.__loader__
    assert callable(ops.paged_attention_v2)
    uninstall()
    assert [name for name in vars(ops) if not name.startswith("__")] == ["reshape_and_cache"]


def test_uninstalling_leaves_what_was_put_there_since(custom_ops: Module) -> None:
    ops: Any = custom_ops()
    install("forward")
    ops.paged_attention_v1 = "somebody's own"
    uninstall()
    assert ops.paged_attention_v1 == "somebody's own"
    assert not hasattr(ops, "paged_attention_v2")


def test_uninstalling_twice_or_at_first_does_nothing() -> None:
    uninstall()
    install()
    uninstall()
    uninstall()


def test_installing_twice_is_installing_once(custom_ops: Module) -> None:
    ops, finders = custom_ops(), list(sys.meta_path)
    before = contents(ops)
    install("forward")
    function = ops.paged_attention_v1
    install("forward")
    assert ops.paged_attention_v1 is function
    assert len(sys.meta_path) == len(finders) + 1
    uninstall()
    assert contents(ops) == before


def test_installing_something_else_replaces_it(custom_ops: Module) -> None:
    ops = custom_ops()
    install("forward")
    install("error")
    assert not hasattr(ops, "paged_attention_v1")
    install("forward", from_version="0.4.2")
    assert hasattr(ops, "paged_attention_v1")


def test_many_threads_at_once(custom_ops: Module) -> None:
    ops = custom_ops()
    before = contents(ops)
    started = threading.Barrier(8)

    def work(number: int) -> None:
        started.wait()
        for _ in range(20):
            install("forward" if number % 2 else "error")
            getattr(ops, "paged_attention_v1", None)
            uninstall()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert contents(ops) == before


# What does not get in its way.


def test_a_broken_vllm_stays_as_broken_as_it_is(tree: Tree) -> None:
    tree({"vllm/__init__.py": "", "vllm/_custom_ops.py": "raise OSError('libcudart.so.13: cannot open')\n"})
    install("forward")
    for _ in range(2):
        with pytest.raises(OSError, match=r"libcudart\.so\.13"):
            importlib.import_module("vllm._custom_ops")


def test_no_vllm_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    install("forward")
    install("error")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("vllm._custom_ops")


def test_a_module_without_a_loader(monkeypatch: pytest.MonkeyPatch) -> None:
    made: Any = ModuleType("vllm._custom_ops")
    monkeypatch.setitem(sys.modules, "vllm", ModuleType("vllm"))
    monkeypatch.setitem(sys.modules, "vllm._custom_ops", made)
    install()
    with pytest.raises(AttributeError, match=MESSAGE):
        made.paged_attention_v1()


# What cannot be asked for.


def test_an_unknown_mode() -> None:
    with pytest.raises(ValueError, match=r"""^mode is 'warn'; "error" and "forward" are accepted$"""):
        install("warn")  # type: ignore[arg-type]


@pytest.mark.parametrize("version", ["newest", "", 4])
def test_a_release_that_is_none(version: Any) -> None:
    with pytest.raises(ValueError, match=rf"^from_version is {version!r}; a release of vLLM such as '0\.4\.2'"):
        install("forward", from_version=version)
    assert paged_attention_shim.report().sites == ()


@pytest.mark.parametrize("first", [True, False], ids=["a first install", "another install"])
def test_installing_while_another_thread_imports(tree: Tree, first: bool) -> None:
    """The import goes on to its end, nobody waits for ever, and the module is furnished."""
    text = "import time\ntime.sleep(0.2)\ndef reshape_and_cache():\n    return 'alive'\n"
    tree({"vllm/__init__.py": "", "vllm/_custom_ops.py": text})
    if not first:
        install()
    thread = threading.Thread(target=importlib.import_module, args=("vllm._custom_ops",))
    thread.start()
    while "vllm._custom_ops" not in sys.modules:
        pass
    install("forward")
    thread.join(timeout=10)
    assert not thread.is_alive()
    ops = sys.modules["vllm._custom_ops"]
    assert callable(ops.paged_attention_v1)
    assert ops.reshape_and_cache() == "alive"


def test_installing_from_within_the_import_of_a_home(tree: Tree) -> None:
    own = "def paged_attention_v2():\n    return 'own'\n"
    text = f"import paged_attention_shim\npaged_attention_shim.install('forward')\n{own}"
    tree({"vllm/__init__.py": "", "vllm/_custom_ops.py": text})
    ops = importlib.import_module("vllm._custom_ops")
    assert ops.paged_attention_v2() == "own"
    assert "forwarded" in ops.paged_attention_v1.__doc__
