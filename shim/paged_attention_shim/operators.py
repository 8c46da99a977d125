"""The removed names under `torch.ops`: registered operators in forward mode, and what is said of them in error mode.

An operator that something else registered is never touched, and ours give way to a library that brings its own.
"""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any

from paged_attention_shim import libraries, usage
from paged_attention_shim.argument_lists import ArgumentLists, Call
from paged_attention_shim.forward import Options, run
from paged_attention_shim.gone import RemovedAttributeError, sentences
from paged_attention_shim.old_values import settled
from paged_attention_shim.removed import REMOVED, SCRATCH, generations_at
from paged_attention_shim.removed.records import OP

if TYPE_CHECKING:
    from collections.abc import Callable

    from paged_attention_shim.removed import Home, RemovedName

_NAMESPACE = "_C"
_ROCM_NAMESPACE = "_rocm_C"
_TYPES = {"tensor": "Tensor", "optional tensor": "Tensor?", "int": "int", "float": "float", "str": "str"}
_ROCM_NAME = "paged_attention"
_ROCM_SCHEMA = (
    "paged_attention(Tensor! out, Tensor exp_sums, Tensor max_logits, Tensor tmp_out, Tensor query, Tensor key_cache, "
    "Tensor value_cache, int num_kv_heads, float scale, Tensor block_tables, Tensor seq_lens, "
    "Tensor? query_start_loc, int block_size, int max_seq_len, Tensor? alibi_slopes, str kv_cache_dtype, "
    "Tensor k_scale, Tensor v_scale, Tensor? fp8_out_scale, str mfma_type, bool use_interleaved_v_cache=False) -> ()"
)
_log = logging.getLogger("paged_attention_shim")


def removed_operators() -> dict[str, tuple[RemovedName, Home]]:
    """The removed operators of `torch.ops._C`, from the table."""
    return {
        name.name: (name, home)
        for name in REMOVED
        for home in name.homes
        if home.call_style == OP and home.path == f"torch.ops.{_NAMESPACE}"
    }


def schema(name: RemovedName, home: Home) -> str:
    """The schema of the last release that registered an operator, what it writes to included."""
    texts = []
    for each in generations_at(name, home)[-1].parameters:
        written = "!" if each.name == "out" or each.name in SCRATCH else ""
        texts.append(f"{_TYPES[each.kind]}{written} {each.name}")
    return f"{name.name}({', '.join(texts)}) -> ()"


class Operators:
    """What is done to the namespaces of `torch.ops`; `withdraw` takes all of it back."""

    def __init__(self, mode: str, options: Options) -> None:
        """Do it: `mode` is "error" or "forward". torch must be importable."""
        self._forwards = mode == "forward"
        self._options = options
        self._removed = removed_operators()
        self._libraries: dict[str, Any] = {}
        self._namespaces: list[Any] = []
        self._watch(_NAMESPACE)
        if self._forwards:
            self._register(_NAMESPACE, tuple(self._removed))
            if options.rocm:
                self._watch(_ROCM_NAMESPACE)
                self._register(_ROCM_NAMESPACE, (_ROCM_NAME,))
            libraries.before_loading(self._give_way)

    def withdraw(self) -> None:
        """Leave `torch.ops` as it was."""
        libraries.before_loading(None)
        self._unregister()
        for namespace in self._namespaces:
            namespace.__class__ = type(namespace).__mro__[1]

    def registered(self) -> list[str]:
        """The operators that are the shim's own."""
        return sorted(name for library in self._libraries.values() for name in library._op_defs)  # noqa: SLF001

    def _watch(self, name: str) -> None:
        import torch

        namespace = getattr(torch.ops, name)
        namespace.__class__ = _watched(type(namespace), self._missing, self._found)
        self._namespaces.append(namespace)

    def _missing(self, namespace: str, name: str) -> bool:
        """A name that torch does not know was looked up; gives whether it is worth another look."""
        known = name in self._removed if namespace == _NAMESPACE else name == _ROCM_NAME
        asking = sys._getframe(2).f_globals.get("__name__")  # noqa: SLF001  # who looks it up
        if not known or asking == "torch.library":  # which asks while the name is being registered
            return False
        if self._forwards:
            return self._register(namespace, (name,))
        raise RemovedAttributeError(sentences(self._removed[name][0]), name=name)

    def _found(self, namespace: str, name: str, packet: Any) -> None:
        """A name was looked up and cached; our own operators take the older argument lists, too."""
        library = self._libraries.get(namespace)
        if namespace == _NAMESPACE and library is not None and f"{namespace}::{name}" in library._op_defs:  # noqa: SLF001
            packet.__class__ = _every_generation(type(packet), *self._removed[name], self._options)

    def _register(self, namespace: str, names: tuple[str, ...]) -> bool:
        import torch

        absent = [name for name in names if not _is_there(namespace, name)]
        if not absent:
            return False
        if namespace not in self._libraries:
            self._libraries[namespace] = torch.library.Library(namespace, "FRAGMENT")  # type: ignore[no-untyped-call]
        library = self._libraries[namespace]
        for name in absent:
            text, run_it = self._operator(namespace, name)
            library.define(text)
            for key in ("CPU", "CUDA"):
                library.impl(name, run_it, key)
            torch.library.register_fake(f"{namespace}::{name}", _changes_nothing_else, lib=library)
        return True

    def _operator(self, namespace: str, name: str) -> tuple[str, Callable[..., None]]:
        if namespace == _ROCM_NAMESPACE:
            from paged_attention_shim.rocm import paged_attention_rocm

            return _ROCM_SCHEMA, paged_attention_rocm
        return schema(*self._removed[name]), _implementation(*self._removed[name], self._options)

    def _give_way(self, path: str, holds: Callable[[bytes], bool]) -> None:
        own = [name for name in self.registered() if holds(name.rpartition("::")[2].encode())]
        if own:
            self._unregister()
            _log.warning(
                "%s brings %s of its own, and the operators of paged-attention-shim gave way to it: "
                "look them up again where torch.ops.%s is held under another name.",
                path, " and ".join(own), own[0].replace("::", "."),
            )  # fmt: skip

    def _unregister(self) -> None:
        for library in self._libraries.values():
            library._destroy()  # noqa: SLF001  # what its garbage collection does, now
        self._libraries.clear()


def in_graph(name: RemovedName, understood: Call) -> None:
    """A call as a node of the graph that torch.compile is making, where it counts when it runs."""
    import torch

    operator = getattr(torch.ops._C, name.name, None) or torch.ops._C.paged_attention_v1  # noqa: SLF001
    operator.default(*_operator_arguments(understood))


def _operator_arguments(understood: Call) -> tuple[Any, ...]:
    out, *values = understood.values
    values[11], values[12] = _as_tensor(values[11]), _as_tensor(values[12])
    return (out, *understood.scratch, *values)


def _as_tensor(scale: Any) -> Any:
    import torch

    if isinstance(scale, torch.Tensor):
        return scale
    return torch.tensor(1.0 if scale is None else scale, dtype=torch.float32)


def _implementation(name: RemovedName, home: Home, options: Options) -> Callable[..., None]:
    labels = frozenset([generations_at(name, home)[-1].label])
    buffers = slice(1, 1 + len([each for each in generations_at(name, home)[-1].parameters if each.name in SCRATCH]))

    def attend(*arguments: Any) -> None:
        usage.count(name, home)
        values = settled((arguments[0], *arguments[buffers.stop :]), labels)
        run(Call(values, arguments[buffers]), fill_scratch=options.fill_scratch)

    return attend


def _changes_nothing_else(*_: Any, **__: Any) -> None:
    """What an operator that only writes to its arguments gives for tensors without contents."""


def _is_there(namespace: str, name: str) -> bool:
    import torch

    return torch._C._jit_get_operation(f"{namespace}::{name}")[0] is not None  # noqa: SLF001  # as torch.ops asks


def _watched(base: type, missing: Callable[[str, str], bool], found: Callable[[str, str, Any], None]) -> type:
    class Watched(base):  # type: ignore[misc]
        """A namespace of operators that asks the shim about names that torch does not know."""

        def __getattr__(self, name: str) -> Any:
            try:
                packet = super().__getattr__(name)
            except AttributeError:
                if not missing(self.name, name):
                    raise
                packet = super().__getattr__(name)
            found(self.name, name, packet)
            return packet

    _looks_like(Watched, base)
    return Watched


def _every_generation(base: type, name: RemovedName, home: Home, options: Options) -> type:
    lists = ArgumentLists(name, home, options.from_version)
    newest = [each.name for each in generations_at(name, home)[-1].parameters]
    first_scale = newest.index("k_scale")

    class EveryGeneration(base):  # type: ignore[misc]
        """An operator that is called in the argument lists of all releases, each brought to its schema."""

        def __call__(self, /, *arguments: Any, **keywords: Any) -> Any:
            if len(arguments) + len(keywords) == len(newest):
                scales = [*arguments[first_scale : first_scale + 2], keywords.get("k_scale"), keywords.get("v_scale")]
                if not any([isinstance(scale, (int, float)) for scale in scales]):  # noqa: C419  # twice as fast
                    return super().__call__(*arguments, **keywords)
            return super().__call__(*_operator_arguments(lists.understood(arguments, keywords)))

    _looks_like(EveryGeneration, base)
    return EveryGeneration


def _looks_like(made: type, base: type) -> None:
    """Under the base's name, by which torch's graphs find operators again."""
    made.__name__, made.__qualname__, made.__module__ = base.__name__, base.__qualname__, base.__module__
