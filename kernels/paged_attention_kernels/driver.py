"""Launches of a compiled kernel through CUDA's driver itself.

Triton's launcher takes each of a kernel's sixty arguments apart in every call, which costs more than the driver does.
Between calls of one signature addresses alone change: so numbers are written once, in the form that the driver reads.
"""

from __future__ import annotations

import ctypes
import functools
import struct
from typing import Any

import torch

_FORMATS = {"i1": "?", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "fp32": "f", "fp64": "d"}
_SLOT = 8
# Addresses of memory that Triton's own tools ask for, behind the arguments; 0 where a kernel was compiled without.
_SCRATCH = 2
_SERIALIZATION = 6
_NO_CONTEXT = 201


class _Attribute(ctypes.Structure):
    """CUlaunchAttribute: what it is, and a union of 64 bytes."""

    _fields_ = (
        ("kind", ctypes.c_int),
        ("padding", ctypes.c_int),
        ("value", ctypes.c_int),
        ("rest", ctypes.c_byte * 60),
    )


class _Configuration(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = (
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared_bytes", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(_Attribute)),
        ("num_attributes", ctypes.c_uint),
    )


@functools.cache
def _driver() -> Any:
    """The driver's library, or None where it is missing or too old to tell a kernel's parameters."""
    try:
        library = ctypes.CDLL("libcuda.so.1")
        library.cuFuncGetParamInfo.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p)
        library.cuLaunchKernelEx.argtypes = (ctypes.c_void_p,) * 4
    except (OSError, AttributeError):
        return None
    return library


class DriverLaunch:
    """A kernel, its grid and its numbers; a call gives it the addresses. Calls must not overlap: they share memory."""

    def __init__(self, function: int, configuration: _Configuration, slots: Any, num_addresses: int) -> None:
        self._function = function
        self._configuration, self._slots = configuration, slots
        begin = ctypes.addressof(slots)
        count = len(slots) // _SLOT
        self._parameters = (ctypes.c_void_p * count)(*range(begin, begin + len(slots), _SLOT))
        self._at = ctypes.addressof(configuration), ctypes.addressof(self._parameters)
        self._write = struct.Struct(f"{num_addresses}Q").pack_into
        self._launch = _driver().cuLaunchKernelEx

    def __call__(self, *addresses: int, stream: int) -> None:
        """Launch it on a stream; raises RuntimeError where the driver refuses."""
        self._write(self._slots, 0, *addresses)
        self._configuration.stream = stream
        configuration, parameters = self._at
        failed = self._launch(configuration, self._function, parameters, None)
        if failed == _NO_CONTEXT:
            torch.cuda.synchronize()  # the first use of the GPU by a thread makes a context current
            failed = self._launch(configuration, self._function, parameters, None)
        if failed:
            raise RuntimeError(f"the CUDA driver refused to launch a kernel: error {failed}")


def driver_launch(
    compiled: Any, grid: tuple[int, int, int], arguments: dict[str, Any], *, overlapped: bool
) -> DriverLaunch | None:
    """The launch of a kernel that Triton compiled; None where what it takes is not what is known here.

    `arguments` begin with tensors, of which the numbers follow. Hooks that Triton calls at a launch are not called.
    """
    library = None if torch.version.hip else _driver()
    metadata = compiled.metadata
    plain = getattr(metadata, "num_ctas", 1) == 1 and not getattr(metadata, "launch_cooperative_grid", False)
    scratch = getattr(metadata, "global_scratch_size", 1) or getattr(metadata, "profile_scratch_size", 1)
    if library is None or not plain or scratch:
        return None
    kinds = {name: kind for name, kind in compiled.src.signature.items() if kind != "constexpr"}
    names = list(kinds)
    num_addresses = sum(kind.startswith("*") for kind in kinds.values())
    numbers = names[num_addresses:]
    mixed = any(not kinds[name].startswith("*") for name in names[:num_addresses])
    if mixed or any(kinds[name] not in _FORMATS for name in numbers):
        return None
    slots = ctypes.create_string_buffer((len(names) + _SCRATCH) * _SLOT)
    for index, name in enumerate(numbers, num_addresses):
        struct.pack_into(_FORMATS[kinds[name]], slots, index * _SLOT, arguments[name])
    widths = [_SLOT] * num_addresses + [struct.calcsize(_FORMATS[kinds[name]]) for name in numbers] + [_SLOT] * _SCRATCH
    if _widths_of(library, compiled.function) != widths:
        return None
    configuration = _Configuration(grid, (32 * metadata.num_warps, 1, 1), metadata.shared)
    if overlapped:
        configuration.attributes = ctypes.pointer(_Attribute(kind=_SERIALIZATION, value=1))
        configuration.num_attributes = 1
    return DriverLaunch(compiled.function, configuration, slots, num_addresses)


def _widths_of(library: Any, function: int) -> list[int]:
    """Bytes of every parameter of a kernel, as its binary says."""
    offset, width = ctypes.c_size_t(), ctypes.c_size_t()
    found: list[int] = []
    while not library.cuFuncGetParamInfo(function, len(found), ctypes.addressof(offset), ctypes.addressof(width)):
        found.append(width.value)
    return found
