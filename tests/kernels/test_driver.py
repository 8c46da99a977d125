"""What is handed to CUDA's driver, by a driver that only looks at it."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from paged_attention_kernels import driver

GRID = (528, 1, 1)
SIGNATURE = {"out": "*bf16", "keys": "*u8", "count": "i32", "TILE": "constexpr", "stride": "i64", "scale": "fp32"}
ARGUMENTS = {"count": 7, "TILE": 32, "stride": 1 << 40, "scale": 0.25}
WIDTHS = [8, 8, 4, 8, 4, 8, 8]


class Looking:
    """Takes the place of the driver's library."""

    def __init__(self, widths: list[int], answers: list[int] | None = None) -> None:
        self.widths, self.answers = widths, answers or []
        self.launches: list[dict[str, Any]] = []

    def cuFuncGetParamInfo(self, _function: int, index: int, _at_offset: int, at_width: int) -> int:  # noqa: N802
        if index >= len(self.widths):
            return 1
        ctypes.c_size_t.from_address(at_width).value = self.widths[index]
        return 0

    def cuLaunchKernelEx(self, at_configuration: int, function: int, at_parameters: int, _: None) -> int:  # noqa: N802
        # CUlaunchConfig as cuda.h lays it out: seven unsigned, padding, stream, attributes, their number.
        words = (ctypes.c_uint * 7).from_address(at_configuration)
        stream, attributes = (ctypes.c_uint64 * 2).from_address(at_configuration + 32)
        count = ctypes.c_uint.from_address(at_configuration + 48).value
        places = (ctypes.c_uint64 * len(self.widths)).from_address(at_parameters)
        read = {8: ctypes.c_int64, 4: ctypes.c_uint32}
        self.launches.append(
            {
                "function": function,
                "grid": tuple(words[:3]),
                "block": tuple(words[3:6]),
                "shared": words[6],
                "stream": stream,
                "attributes": [
                    (ctypes.c_int.from_address(attributes).value, ctypes.c_int.from_address(attributes + 8).value)
                    for _ in range(count)
                ],
                "parameters": [
                    read[width].from_address(place).value for place, width in zip(places, self.widths, strict=True)
                ],
            }
        )
        return self.answers.pop(0) if self.answers else 0


def compiled(**changed: Any) -> SimpleNamespace:
    metadata = {"num_ctas": 1, "num_warps": 2, "shared": 37904, "global_scratch_size": 0, "profile_scratch_size": 0}
    return SimpleNamespace(
        function=4711, metadata=SimpleNamespace(**(metadata | changed)), src=SimpleNamespace(signature=SIGNATURE)
    )


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Looking:
    looking = Looking(WIDTHS)
    monkeypatch.setattr(driver, "_driver", lambda: looking)
    return looking


@pytest.mark.parametrize("overlapped", [True, False])
def test_every_launch_has_its_addresses_and_the_same_numbers(library: Looking, overlapped: bool) -> None:
    launch = driver.driver_launch(compiled(), GRID, ARGUMENTS, overlapped=overlapped)
    assert launch is not None
    launch(0x7F00_0000_0000, 0x1000, stream=17)
    launch(0x2000, 0x3000, stream=0)
    quarter = 0x3E800000
    first = {
        "function": 4711, "grid": GRID, "block": (64, 1, 1), "shared": 37904, "stream": 17,
        "attributes": [(6, 1)] if overlapped else [],
        "parameters": [0x7F00_0000_0000, 0x1000, 7, 1 << 40, quarter, 0, 0],
    }  # fmt: skip
    second = first | {"stream": 0, "parameters": [0x2000, 0x3000, 7, 1 << 40, quarter, 0, 0]}
    assert library.launches == [first, second]


@pytest.mark.parametrize(
    "changed",
    [{"num_ctas": 2}, {"launch_cooperative_grid": True}, {"global_scratch_size": 128}, {"profile_scratch_size": 8}],
    ids=lambda changed: next(iter(changed)),
)
@pytest.mark.usefixtures("library")
def test_kernels_that_need_more_are_left_to_triton(changed: dict[str, Any]) -> None:
    assert driver.driver_launch(compiled(**changed), GRID, ARGUMENTS, overlapped=False) is None


@pytest.mark.parametrize("widths", [[8, 8, 4, 8, 4, 8], [8, 8, 8, 8, 4, 8, 8], [*WIDTHS, 8], []])
def test_parameters_that_are_others_than_expected_are_left_to_triton(library: Looking, widths: list[int]) -> None:
    library.widths = widths
    assert driver.driver_launch(compiled(), GRID, ARGUMENTS, overlapped=False) is None


@pytest.mark.parametrize("kind", ["tensordesc<fp16[16, 16]>", "*i8", "fp8e4nv"])
@pytest.mark.usefixtures("library")
def test_numbers_of_other_kinds_are_left_to_triton(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SIGNATURE, "stride", kind)
    assert driver.driver_launch(compiled(), GRID, ARGUMENTS, overlapped=False) is None


def test_without_the_driver_triton_launches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "_driver", lambda: None)
    assert driver.driver_launch(compiled(), GRID, ARGUMENTS, overlapped=False) is None


def test_a_thread_without_a_context_gets_one(library: Looking, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[bool] = []
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: waited.append(True))
    launch = driver.driver_launch(compiled(), GRID, ARGUMENTS, overlapped=False)
    assert launch is not None
    library.answers = [201, 0]
    launch(1, 2, stream=0)
    assert waited == [True]
    assert len(library.launches) == 2


def test_a_refusal_is_an_error(library: Looking) -> None:
    launch = driver.driver_launch(compiled(), GRID, ARGUMENTS, overlapped=False)
    assert launch is not None
    library.answers = [700]
    with pytest.raises(RuntimeError, match="refused to launch a kernel: error 700"):
        launch(1, 2, stream=0)
